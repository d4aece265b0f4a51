import { expect, it } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { fileEntries } from "../answers/agent-entries";
import { blameOf, fileAt, filesTouched, fileVersions, timelineOf } from "./session-files";

const SESSION = uuid(1);
const PATH = "/home/dev/shop/cart.ts";

type Line = Record<string, unknown>;

let count = 0;
const time = () => new Date(Date.parse("2026-01-02T03:04:05.000Z") + ++count * 1000).toISOString();

function call(id: string, name: string, input: Line): Line {
  const message = { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] };
  return { type: "assistant", uuid: `c-${id}`, timestamp: time(), message };
}

function result(id: string, text: string, toolUseResult?: Line): Line {
  const content = [{ type: "tool_result", tool_use_id: id, content: text }];
  return {
    type: "user",
    uuid: `r-${id}`,
    timestamp: time(),
    message: { role: "user", content },
    toolUseResult,
  };
}

/** Lines that hang from one another. */
function chain(lines: readonly Line[], more: Line = {}): Line[] {
  return lines.map((line, index) => ({
    parentUuid: index === 0 ? null : lines[index - 1]?.uuid,
    ...line,
    ...more,
  }));
}

async function open() {
  const read = {
    type: "text",
    file: { filePath: PATH, content: "a\nb", startLine: 1, numLines: 2, totalLines: 4 },
  };
  const main = chain([
    prompt("first look", { timestamp: time() }),
    call("t1", "Read", { file_path: PATH, limit: 2 }),
    result("t1", "1\ta\n2\tb", read),
    call("t0", "Read", { file_path: "/home/dev/shop/other.ts" }),
    result("t0", "1\tx", {
      type: "text",
      file: { filePath: "/home/dev/shop/other.ts", content: "x", startLine: 1, totalLines: 1 },
    }),
    prompt("have it fixed", { timestamp: time() }),
    call("t2", "Agent", { prompt: "fix b", description: "fix b", subagent_type: "x" }),
  ]);
  const agent = chain(
    [
      { type: "user", uuid: "g0", timestamp: time(), message: { role: "user", content: "fix b" } },
      call("t3", "Edit", { file_path: PATH, old_string: "b", new_string: "B" }),
      // From 2.1.29 on a line inside an agent has no structured result.
      result("t3", `The file ${PATH} has been updated successfully.`),
    ],
    { isSidechain: true, agentId: "a1", sessionId: SESSION },
  );
  const end = { ...result("t2", "done", { status: "completed", agentId: "a1" }), parentUuid: "c-t2" };
  const folder = `projects/-home-dev-shop/${SESSION}`;
  const path = makeTree({
    [`${folder}.jsonl`]: [...main, end],
    [`${folder}/subagents/agent-a1.jsonl`]: agent,
    [`${folder}/subagents/agent-a1.meta.json`]: ['{"agentType":"x","toolUseId":"t2"}'],
  });
  const { catalog, sessions } = await openFolder(path);
  const session = await sessions.latest(SESSION as SessionId);
  return {
    session,
    sessions,
    around: catalog.surroundings(SESSION as SessionId),
    id: (of: string) => session.recordId(session.findUuid(of)),
  };
}

it("lists what was read and changed, by whom, in which turn", async () => {
  const { session, sessions, around, id } = await open();
  expect(await filesTouched(session)).toEqual([
    { path: PATH, reads: 1, changes: 1, byAgents: 1 },
    { path: "/home/dev/shop/other.ts", reads: 1, changes: 0, byAgents: 0 },
  ]);
  const versions = await fileVersions(session, around, PATH);
  expect(
    versions.map(({ recordId, tool, kind, turn, agentId, complete }) => ({
      recordId,
      tool,
      kind,
      turn,
      agentId,
      complete,
    })),
  ).toEqual([
    { recordId: id("c-t1"), tool: "Read", kind: "read", turn: 1, agentId: null, complete: false },
    { recordId: id("c-t3"), tool: "Edit", kind: "edit", turn: 2, agentId: "a1", complete: false },
  ]);
  const blame = await blameOf(session, around, PATH, null);
  expect(
    blame.map(({ fromLine, toLine, how, agentId, prompt }) => ({ fromLine, toLine, how, agentId, prompt })),
  ).toEqual([
    { fromLine: 1, toLine: 1, how: "seen", agentId: null, prompt: "first look" },
    { fromLine: 2, toLine: 2, how: "wrote", agentId: "a1", prompt: "have it fixed" },
  ]);
  const ask = (withBlame: boolean, against: string | null = null) =>
    settled(() => sessions.file(SESSION as SessionId, { path: PATH, at: null, blame: withBlame, against }));
  const file = await fileAt(session, around, PATH, null);
  expect(await ask(false)).toEqual(file);
  expect(await ask(true)).toEqual({ ...file, blame });
  const first = `${id("c-t1")}.0`;
  expect(await ask(true, first)).toEqual({
    ...file,
    blame,
    against: await fileAt(session, around, PATH, first),
  });
});

it("is the file's state when a record was written, after a call, and just before a version", async () => {
  const { session, around, id } = await open();
  const at = async (record: string | null) => {
    const { content, exists, gaps, version } = await fileAt(session, around, PATH, record);
    return { content, exists, gaps, version };
  };
  const rest = [{ fromLine: 3, toLine: 4 }];
  const first = `${id("c-t1")}.0`;
  expect(await at(id("u-first look"))).toEqual({
    content: null,
    exists: null,
    gaps: [{ fromLine: 1, toLine: null }],
    version: null,
  });
  // A call's own record is the file after it, as its result's is.
  for (const record of ["c-t1", "r-t1", "u-have it fixed"])
    expect(await at(id(record))).toEqual({ content: "a\nb\n\n", exists: true, gaps: rest, version: first });
  for (const record of [id("c-t3"), id("r-t2"), null])
    expect(await at(record)).toMatchObject({ content: "a\nB\n\n", gaps: rest, version: `${id("c-t3")}.0` });
  await expect(at("m~zzz")).rejects.toThrow("no such record");
  await expect(fileAt(session, around, "/nowhere.ts", null)).rejects.toThrow("neither read nor changed");
});

it("has no versions if a call only read it as a picture, and does not count as untouched", async () => {
  const picture = "/home/dev/shop/logo.png";
  const main = [
    prompt("look", { timestamp: time() }),
    call("t1", "Read", { file_path: picture }),
    result("t1", "", { type: "image", file: { base64: "AA==", type: "image/png", originalSize: 1 } }),
  ];
  const path = makeTree({ [`projects/-home-dev-shop/${SESSION}.jsonl`]: chain(main) });
  const { catalog, sessions } = await openFolder(path);
  const session = await sessions.latest(SESSION as SessionId);
  const around = catalog.surroundings(SESSION as SessionId);
  expect(await filesTouched(session)).toEqual([{ path: picture, reads: 1, changes: 0, byAgents: 0 }]);
  expect(await fileVersions(session, around, picture)).toEqual([]);
  expect(await fileAt(session, around, picture, null)).toMatchObject({ content: null, exists: null });
});

it.each([
  ["lines behind any that a file has", { startLine: 5e9, totalLines: 5e9 }, null],
  ["more lines than a file has", { startLine: 1, totalLines: 5e9 }, "a"],
])("is unknown after %s", async (_, told, content) => {
  const file = { filePath: PATH, content: "a", numLines: 1, ...told };
  const path = makeTree({
    [`projects/-home-dev-shop/${SESSION}.jsonl`]: chain([
      prompt("look", { timestamp: time() }),
      call("t1", "Read", { file_path: PATH }),
      result("t1", "1\ta", { type: "text", file }),
    ]),
  });
  const { catalog, sessions } = await openFolder(path);
  const session = await sessions.latest(SESSION as SessionId);
  const found = await fileAt(session, catalog.surroundings(SESSION as SessionId), PATH, null);
  expect([found.exists, found.content, found.complete]).toEqual([true, content, false]);
});

/** A session with an agent in it, which writes after it; and the file as its logs leave it. */
async function left(path: string, main: Line[], agent: Line[] = []) {
  const folder = `projects/-home-dev-shop/${SESSION}`;
  const told = { type: "user", uuid: "g0", timestamp: time(), message: { role: "user", content: "look" } };
  const tree = makeTree({
    [`${folder}.jsonl`]: chain(main),
    [`${folder}/subagents/agent-a1.jsonl`]: chain([told, ...agent], {
      isSidechain: true,
      agentId: "a1",
      sessionId: SESSION,
    }),
    [`${folder}/subagents/agent-a1.meta.json`]: ['{"agentType":"x","toolUseId":"t2"}'],
  });
  const { catalog, sessions } = await openFolder(tree);
  const session = await sessions.latest(SESSION as SessionId);
  const around = catalog.surroundings(SESSION as SessionId);
  const versions = await fileVersions(session, around, path);
  const { content, complete } = await fileAt(session, around, path, null);
  return { kinds: versions.map(({ kind }) => kind), content, complete };
}

const written = (path: string, content: string) => [
  prompt("go", { timestamp: time() }),
  call("t1", "Write", { file_path: path, content }),
  result("t1", `File created successfully at: ${path}`, {
    type: "create",
    filePath: path,
    content,
    structuredPatch: [],
    originalFile: null,
  }),
  call("t2", "Agent", { prompt: "look", description: "look", subagent_type: "x" }),
];

it("is the text that an Edit put into an empty file, which was not deleted before", async () => {
  const content = "hello\nworld\n";
  const main = [
    ...written(PATH, ""),
    call("t3", "Edit", { file_path: PATH, old_string: "", new_string: content }),
    result("t3", `The file ${PATH} has been updated.`, {
      filePath: PATH,
      oldString: "",
      newString: content,
      originalFile: "",
      structuredPatch: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 2, lines: ["+hello", "+world"] }],
    }),
  ];
  expect(await left(PATH, main)).toEqual({ kinds: ["create", "edit"], content, complete: true });
});

it("is the text that an agent's Edit put into a new file, and everything that its Read shows (2.1.29 and later)", async () => {
  const go = [prompt("go", { timestamp: time() })];
  const edit = [
    call("t3", "Edit", { file_path: PATH, old_string: "", new_string: "a\nb\n" }),
    result("t3", `The file ${PATH} has been updated successfully.`),
  ];
  expect(await left(PATH, go, edit)).toMatchObject({ content: "a\nb\n", complete: true });
  const read = [call("t3", "Read", { file_path: PATH }), result("t3", "1\ta\n2\tb\u2028c\n3\td\n")];
  expect(await left(PATH, go, read)).toMatchObject({ content: "a\nb\u2028c\nd", complete: true });
});

it("is not known after a change of a notebook's cell, unless that is certain", async () => {
  const path = "/home/dev/shop/note.ipynb";
  const notebook = (source: string | string[], ran: number | null) =>
    JSON.stringify(
      {
        cells: [
          { cell_type: "code", id: "c1", execution_count: ran, metadata: {}, outputs: [], source },
          { cell_type: "markdown", id: "c2", metadata: {}, source: ["# Note"] },
        ],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      },
      null,
      1,
    );
  const before = written(path, `${notebook(["print(1)"], 3)}\n`);
  const edit = (cell: string) =>
    call("t3", "NotebookEdit", { notebook_path: path, cell_id: cell, new_source: "print(2)" });
  const done = result("t3", "Updated cell c1 with print(2)");
  const after = { content: notebook("print(2)", null), complete: true };
  expect(await left(path, before, [edit("c1"), done])).toMatchObject({ kinds: ["create", "edit"], ...after });
  expect(await left(path, before, [edit("c2"), done])).toMatchObject({ content: null, complete: false });
  // Up to 2.0.76 the log has the cell alone.
  const told = { new_source: "print(2)", cell_type: "code", edit_mode: "replace", cell_id: "c1", error: "" };
  const main = [...before, edit("c1"), { ...done, toolUseResult: told }];
  expect(await left(path, main)).toMatchObject({ kinds: ["create", "edit"], content: null, complete: false });
});

const HUNKS = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }];

it("treats a file of Windows as one, however calls and backups write its path", async () => {
  const [project, path] = ["C:\\shop", "C:\\shop\\src\\cart.ts"] as const;
  const backup = { backupFileName: null, version: 1, backupTime: time(), realParentDir: `${project}\\src` };
  const lines = chain(
    [
      prompt("make a cart", { timestamp: time() }),
      {
        type: "file-history-snapshot",
        messageId: "u-make a cart",
        snapshot: { messageId: "u-make a cart", trackedFileBackups: { "src\\cart.ts": backup } },
      },
      call("w1", "Write", { file_path: path, content: "a\n" }),
      result("w1", "done", { type: "create", filePath: path, content: "a\n", structuredPatch: [] }),
      call("w2", "Read", { file_path: path.replaceAll("\\", "/") }),
      result("w2", "1\ta", {
        type: "text",
        file: { filePath: path, content: "a\n", startLine: 1, numLines: 2, totalLines: 2 },
      }),
      call("w3", "Read", { file_path: path.replace("C:", "c:") }),
      result("w3", "1\ta", {
        type: "text",
        file: { filePath: path, content: "a\n", startLine: 1, numLines: 2, totalLines: 2 },
      }),
    ],
    { cwd: project },
  );
  const slashed = path.replaceAll("\\", "/");
  const edited = {
    filePath: slashed,
    oldString: "a",
    newString: "b",
    originalFile: "a\n",
    structuredPatch: HUNKS,
  };
  lines.push(
    ...chain(
      [
        call("w4", "Edit", { file_path: slashed, old_string: "a", new_string: "b" }),
        result("w4", "done", edited),
      ],
      { cwd: project },
    ),
  );
  const { catalog, sessions } = await openFolder(makeTree({ [`projects/C--shop/${SESSION}.jsonl`]: lines }));
  const session = await sessions.latest(SESSION as SessionId);
  const around = catalog.surroundings(SESSION as SessionId);
  expect(await filesTouched(session)).toEqual([{ path, reads: 2, changes: 2, byAgents: 0 }]);
  expect(fileEntries(session)).toMatchObject([{ path, calls: 2, added: 2, removed: 1 }]);
  const { events } = await timelineOf(session, around, path);
  expect(events.map(({ source, tool }) => `${source} ${tool}`)).toEqual([
    "backup null",
    "original Write",
    "read Read",
    "read Read",
    "original Edit",
  ]);
  expect((await fileAt(session, around, slashed, null)).content).toBe("b\n");
});
