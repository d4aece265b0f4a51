import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { filesTouched } from "@/lib/server/session/files/session-files";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { sampleOf, seededRandom } from "@/lib/testing/runs";
import { lineOrigin, sessionsOfFile } from "../line-origin";
import { sessionFilter } from "../match-session";

type Line = Record<string, unknown>;

async function openWorld(files: Record<string, readonly Line[]>, indexed = true) {
  const root = makeTree(files);
  return { root, ...(await searchedLibrary(root, indexed)) };
}

let minute = 0;
const now = () => new Date(Date.parse("2026-01-02T03:04:05.000Z") + ++minute * 60_000).toISOString();

/** A call that changed a file and its result, as the client logs them. */
function change(name: string, input: Line, toolUseResult: Line): Line[] {
  const id = `toolu_${minute}`;
  const message = {
    id: `msg_${minute}`,
    role: "assistant",
    content: [{ type: "tool_use", id, name, input }],
  };
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  return [
    { type: "assistant", uuid: `c-${id}`, timestamp: now(), message },
    { type: "user", uuid: `r-${id}`, timestamp: now(), message: { role: "user", content }, toolUseResult },
  ];
}

function write(path: string, lines: readonly string[]): Line[] {
  const content = `${lines.join("\n")}\n`;
  return change(
    "Write",
    { file_path: path, content },
    { type: "create", filePath: path, content, structuredPatch: [] },
  );
}

function edit(path: string, oldString: string, newString: string): Line[] {
  const input = { file_path: path, old_string: oldString, new_string: newString };
  return change("Edit", input, {
    filePath: path,
    oldString,
    newString,
    structuredPatch: [],
    originalFile: oldString,
  });
}

/** A session whose lines hang from one another. */
function session(title: string, ...lines: Line[]): Line[] {
  const all = [prompt(title, { timestamp: now() }), ...lines];
  return all.map((line, at) => ({ ...line, parentUuid: at === 0 ? null : (all[at - 1]?.uuid as string) }));
}

const log = (n: number) => `projects/shop/${uuid(n)}.jsonl`;
const CART = "/home/dev/shop/src/cart.ts";

it.each([
  ["the index", true],
  ["the logs", false],
])("tells from %s the change that wrote a line, and the later ones of its file", async (_name, indexed) => {
  const files = {
    [log(1)]: session("Add a cart", ...write(CART, ["const total = 0;", "const tax = 1;"])),
    [log(2)]: session("Add VAT", ...edit(CART, "const tax = 1;", "const tax = 1.19;\n  const total = 0;")),
    [log(3)]: session("Tidy", ...edit(CART, "const total = 0;", "let total = 0;")),
    [log(4)]: session("Copy", ...write("/home/dev/other/src/copy.ts", ["const total = 0;"])),
  };
  const world = await openWorld(files, indexed);
  const spell = async (text: string, path: string | null) => {
    const { origin, later, others, complete } = await lineOrigin(world, { text, path });
    expect(complete).toBe(true);
    const one = (it: NonNullable<typeof origin>) => `${it.change} ${it.prompt}`;
    return { origin: origin && one(origin), later: later.map(one), others: others.map(one) };
  };
  expect(await spell("const total = 0;", "/elsewhere/shop/src/cart.ts")).toEqual({
    origin: "wrote Add VAT",
    later: ["removed Tidy"],
    others: ["wrote Copy", "wrote Add a cart"],
  });
  expect(await spell("const total = 0;", null)).toMatchObject({ origin: "wrote Copy" });
  expect(await spell("const tax = 1;", CART)).toEqual({
    origin: "wrote Add a cart",
    later: ["removed Add VAT"],
    others: [],
  });
  // A part of a line is no line.
  expect(await spell("tax = 1", CART)).toEqual({ origin: null, later: [], others: [] });
});

it("finds the origins of lines among a thousand, moved and reindented", async () => {
  const random = seededRandom(7);
  const words = ["cart", "total", 'price("x")', "/* tax */", "a\\b", "–", "=>", "{ sum }", "日本"];
  const origins = new Map<string, string>();
  const files: Record<string, Line[]> = {};
  for (let n = 1; n <= 50; n++) {
    const title = `Session ${n}`;
    const path = `/home/dev/shop/src/file-${n}.ts`;
    const lines = Array.from({ length: 20 }, (_, at) => {
      const text = Array.from({ length: 1 + random(4) }, () => words[random(words.length)]).join(" ");
      const line = `${"  ".repeat(random(4))}${text} ${n}/${at};`;
      origins.set(line, title);
      return line;
    });
    const half = lines.slice(0, 10);
    files[log(n)] = session(
      title,
      ...write(path, half),
      ...edit(path, half[9] ?? "", [half[9], ...lines.slice(10)].join("\n")),
    );
  }
  const world = await openWorld(files);
  const wrong: string[] = [];
  // In `npm test` every fourth line: the sessions that they are looked for in are the same.
  for (const [line, title] of sampleOf([...origins], 4)) {
    // Where it stands now: in its own file or another one, as it was or with other white space around it.
    const moved = random(2) === 0 ? "/home/dev/shop/src/moved.ts" : null;
    const text = (random(2) === 0 ? line : `\t\t${line.trim()} `).trim();
    const { origin } = await lineOrigin(world, { text, path: moved });
    if (origin?.prompt !== title) wrong.push(`${line}: ${origin?.prompt}`);
  }
  expect(origins.size).toBe(1000);
  expect(wrong).toEqual([]);
});

it("finds who brought a line that stands everywhere to a file of this name", async () => {
  const common = "return null;";
  const cart = session("Add a cart", ...write(CART, [common]), ...edit(CART, common, `${common}\n// end`));
  const everywhere = Array.from({ length: 40 }, (_, n) =>
    Array.from({ length: 10 }, (_, at) => write(`/home/dev/shop/src/file-${n}-${at}.ts`, [common])).flat(),
  );
  const world = await openWorld({
    [log(1)]: cart,
    ...Object.fromEntries(everywhere.map((lines, n) => [log(n + 2), session(`Write ${n}`, ...lines)])),
  });
  const of = (path: string | null) => lineOrigin(world, { text: common, path });
  const { origin, later, complete } = await of(CART);
  expect([complete, origin?.prompt, origin?.change]).toEqual([false, "Add a cart", "wrote"]);
  expect(later.map(({ change, path }) => `${change} ${path}`)).toEqual([`kept ${CART}`]);
  expect((await of("/elsewhere/src/cart.ts")).origin?.path).toBe(CART);
  expect((await of(null)).origin?.prompt).toMatch(/^Write/);
});

it("a log that was cut since it was indexed has no lines", async () => {
  const path = log(1);
  const world = await openWorld({
    [path]: session("Add a cart", ...write(CART, ["const total = 0;"])),
    [log(2)]: session("Copy", ...write(CART, ["const total = 0;"])),
  });
  writeFileSync(join(world.root, path), `${JSON.stringify(prompt("Begun anew"))}\n`);
  const { origin, others } = await lineOrigin(world, { text: "const total = 0;", path: CART });
  expect([origin?.prompt, others]).toEqual(["Copy", []]);
});

it("lists the sessions that changed a file, the newest first", async () => {
  const world = await openWorld({
    [log(1)]: session("One", ...write(CART, ["a"])),
    [log(2)]: session("Two", ...edit(CART, "a", "b")),
    [log(3)]: session("Three", ...write("/home/dev/shop/src/not-cart.ts", ["a"])),
  });
  const spell = async (path: string, limit = 10, cursor: string | null = null) => {
    const { sessions, nextCursor, complete } = await sessionsOfFile(world, path, { limit, cursor });
    expect(complete).toBe(true);
    return [sessions.map(({ title, paths }) => `${title}: ${paths.join()}`), nextCursor];
  };
  expect(await spell(CART)).toEqual([[`Two: ${CART}`, `One: ${CART}`], null]);
  expect(await spell("src/cart.ts", 1)).toEqual([[`Two: ${CART}`], "1"]);
  expect(await spell("src/cart.ts", 1, "1")).toEqual([[`One: ${CART}`], null]);
  expect(await spell("art.ts")).toEqual([[], null]);
});

it("says that there may be more while folders are still being listed", async () => {
  const world = await openWorld({ [log(1)]: session("One", ...write(CART, ["a"])) });
  const unlisted = { ...world, catalog: new Catalog([]) };
  expect((await sessionsOfFile(unlisted, CART, { limit: 10, cursor: null })).complete).toBe(false);
});

it("lists those that only read it, once each and exactly", async () => {
  const read = (path: string) => change("Read", { file_path: path }, { type: "text" });
  const world = await openWorld({
    [log(1)]: session("Reads", ...read(CART), ...read(CART)),
    [log(2)]: session("Changes", ...read(CART), ...edit(CART, "a", "b")),
    [log(3)]: session("Reads another", ...read("/home/dev/shop/src/not-cart.ts"), ...read(`${CART}x`)),
    [log(4)]: session("Speaks of it", ...write("/home/dev/notes.md", [CART])),
    [log(5)]: session("Reads it elsewhere", ...read("/home/dev/copy/src/cart.ts")),
  });
  const spell = async (path: string, cursor: string | null = null) => {
    const { readers } = await sessionsOfFile(world, path, { limit: 10, cursor });
    return readers.map(({ title, recordId }) => `${title} ${recordId.slice(0, 2)}`);
  };
  expect(await spell(CART)).toEqual(["Reads m~"]);
  expect(await spell("src/cart.ts")).toEqual(["Reads it elsewhere m~", "Reads m~"]);
  expect(await spell("src/cart.ts", "1")).toEqual([]);
  expect(await spell("art.ts")).toEqual([]);
});

it("takes a path of Windows with either slash, and from its drive on", async () => {
  const file = "C:\\Users\\dev\\shop\\src\\cart.ts";
  const read = (path: string) => change("Read", { file_path: path }, { type: "text" });
  const world = await openWorld({
    [log(1)]: session("Reads", ...read(file)),
    [log(2)]: session("Changes", ...edit(file, "a", "b")),
    [log(3)]: session("Reads another", ...read(`${file}x`)),
    // From the terminal of an editor.
    [log(4)]: session("Changes too", ...edit(file.replace("C:", "c:"), "b", "c")),
  });
  const forms = [file, "C:/Users/dev/shop/src/cart.ts", "c:/Users/dev/shop/src/cart.ts"];
  for (const path of [...forms, "src/cart.ts", "src\\cart.ts"]) {
    const { sessions, readers } = await sessionsOfFile(world, path, { limit: 10, cursor: null });
    expect(
      [sessions, readers].map((list) => list.map(({ title }) => title)),
      path,
    ).toEqual([["Changes too", "Changes"], ["Reads"]]);
  }
});

it("lists one that had an agent change it, of whose edit the log has no patch (2.1.29 and later)", async () => {
  const call = (id: string, name: string, input: Line) => {
    const message = { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] };
    return { type: "assistant", uuid: `c-${id}`, timestamp: now(), message };
  };
  const result = (id: string, text: string, more: Line = {}) => {
    const content = [{ type: "tool_result", tool_use_id: id, content: text }];
    return { type: "user", uuid: `r-${id}`, timestamp: now(), message: { role: "user", content }, ...more };
  };
  const agent = [
    { type: "user", uuid: "g0", timestamp: now(), message: { role: "user", content: "fix b" } },
    call("t2", "Read", { file_path: CART }),
    result("t2", "1\ta\n2\tb"),
    call("t3", "Edit", { file_path: CART, old_string: "b", new_string: "B" }),
    result("t3", `The file ${CART} has been updated successfully.`),
    // One that never ended.
    call("t4", "Edit", { file_path: `${CART}x`, old_string: "b", new_string: "B" }),
  ].map((line) => ({ ...line, isSidechain: true, agentId: "a1", sessionId: uuid(1) }));
  const world = await openWorld({
    [log(1)]: session(
      "Have it fixed",
      call("t1", "Agent", { prompt: "fix b", description: "fix b" }),
      result("t1", "done", { toolUseResult: { status: "completed", agentId: "a1" } }),
    ),
    [`projects/shop/${uuid(1)}/subagents/agent-a1.jsonl`]: agent,
  });
  const { sessions, readers } = await sessionsOfFile(world, CART, { limit: 10, cursor: null });
  expect({ changed: sessions.map(({ title }) => title), readers }).toEqual({
    changed: ["Have it fixed"],
    readers: [],
  });
  const kept = (q: string) =>
    world.catalog.summaries().filter((one) => sessionFilter(world, q).keep?.(one)).length;
  expect({ file: kept("file:cart.ts"), diff: kept("has:diff"), other: kept("file:cart.tsx") }).toEqual({
    file: 1,
    diff: 1,
    other: 0,
  });
});

it.each(RECORDED_VERSIONS)("%s: a session is found by every file that it changed", async (version) => {
  const { folder } = await openRecording(version);
  const index = openLibraryIndex(null);
  const scanner = new Scanner(folder.catalog, index, new RequestActivity());
  await scanner.begin(folder.catalog.list());
  let changed = 0;
  for (const { id } of folder.catalog.summaries()) {
    const files = (await filesTouched(await folder.sessions.latest(id))).filter(({ changes }) => changes > 0);
    expect(scanner.facets(id)?.paths, id).toEqual(files.map(({ path }) => path));
    changed += files.length;
  }
  index.stop();
  expect(changed).toBeGreaterThan(0);
});
