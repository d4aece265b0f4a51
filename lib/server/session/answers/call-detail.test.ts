import { expect, test } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { READINGS } from "@/lib/testing/readings";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { from, openRecording, sessionsOf } from "@/lib/testing/recordings";
import { idOf, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import { callDetail } from "./call-detail";
import { rowsOf as sessionRows } from "./session-rows";

/** The calls of a scenario's first session by what they say, opened. */
async function callsOf(version: RecordedVersion, name: string): Promise<CallDetail[]> {
  const { folder, scenarios } = await openRecording(version);
  const told = scenarios[name];
  const id = idOf(folder, (told && sessionsOf(folder, told)[0]) ?? "");
  const { rows } = await rowsOf(folder, id, "tools");
  const calls: CallDetail[] = [];
  for (const row of rows) {
    if (row.kind === "tool")
      calls.push(await settled(() => folder.sessions.call(id, row.recordId, row.block)));
  }
  return calls;
}

/** What is said later of each call of a tool: the tools that looked, and the words that were told. */
async function laterOf(version: RecordedVersion, name: string, tool: string): Promise<string[]> {
  const calls = await callsOf(version, name);
  const nameOf = new Map(calls.map((call) => [`${call.recordId}.${call.block}`, call.name]));
  return calls
    .filter((call) => call.name === tool)
    .map(({ later }) =>
      later.map(({ recordId, block, told }) => told ?? nameOf.get(`${recordId}.${block}`)).join(", "),
    );
}

const TICKED = 'Background command "Tick in the background" completed (exit code 0)';

test("a background command leads to its later output, and to its end", async () => {
  const found: Record<string, string[]> = {};
  for (const version of RECORDED_VERSIONS) found[version] = await laterOf(version, "bash-background", "Bash");
  expect(found).toEqual({
    // It has no background: the call is refused.
    "1.0.60": ["", "", ""],
    "1.0.128": ["BashOutput", "", "KillShell"],
    "2.0.42": ["BashOutput", "", "KillShell"],
    "2.0.50": ["BashOutput", "", "KillShell"],
    "2.0.76": ["TaskOutput", "", "KillShell"],
    "2.1.29": ["TaskOutput", "", "TaskStop"],
    "2.1.42": [`TaskOutput, ${TICKED}`, "", "TaskStop"],
    // From here on the notification comes first, and the reported output is gone.
    "2.1.110": [`${TICKED}, TaskOutput`, "", "TaskStop"],
    "2.1.330": [TICKED, "", "", "TaskStop"],
  });
});

test("a background agent leads to its answer", async () => {
  expect(await laterOf("2.0.76", "task-background", "Task")).toEqual(["TaskOutput"]);
  expect(await laterOf("2.1.330", "task-background", "Agent")).toHaveLength(1);
});

test("a background command of an agent leads to what the main thread saw of it", async () => {
  let count = 0;
  const time = () => new Date(Date.parse("2026-01-02T03:04:05.000Z") + ++count * 1000).toISOString();
  const asks = (uuid: string, parentUuid: string | null, id: string, name: string, input: object) => ({
    ...{ type: "assistant", uuid, parentUuid, timestamp: time() },
    message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  });
  const answers = (parentUuid: string, id: string, content: string, toolUseResult: object) => ({
    ...{ type: "user", uuid: `r-${id}`, parentUuid, timestamp: time(), toolUseResult },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  });
  const ofAgent = { isSidechain: true, agentId: "a1", sessionId: uuid(1) };
  const go = prompt("go", { parentUuid: null, timestamp: time() });
  const earlier = asks("c0", "u-go", "t0", "TaskOutput", { task_id: "b1" });
  const called = asks("c1", "c0", "t1", "Agent", { prompt: "serve" });
  const serves = [
    { ...prompt("serve", { timestamp: time() }), ...ofAgent },
    { ...asks("g1", "u-serve", "t2", "Bash", { command: "serve", run_in_background: true }), ...ofAgent },
    { ...answers("g1", "t2", "Command running in background", { backgroundTaskId: "b1" }), ...ofAgent },
  ];
  const returned = answers("c1", "t1", "done", { status: "completed", agentId: "a1" });
  // A hundred looks at something else that goes on all the time.
  const elsewhere = Array.from({ length: 100 }, (_, n) =>
    asks(`o${n}`, n === 0 ? "r-t1" : `o${n - 1}`, `ot${n}`, "TaskOutput", { task_id: "b2" }),
  );
  const looked = asks("c2", "o99", "t3", "TaskOutput", { task_id: "b1" });
  const folder = `projects/-home-dev-shop/${uuid(1)}`;
  const { catalog } = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: [go, earlier, called, returned, ...elsewhere, looked],
      [`${folder}/subagents/agent-a1.jsonl`]: serves,
    }),
  );
  for (const open of Object.values(READINGS)) {
    const session = await open(catalog.sessionFiles(uuid(1) as SessionId));
    const id = (of: string) => session.recordId(session.findUuid(of));
    const { later } = await callDetail(session, id("g1"), 0);
    expect(later.map(({ recordId }) => recordId)).toEqual([id("c2")]);
  }
});

test("results on one line, which have no structured part, still name the work that continued after them (2.1.330)", async () => {
  const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, "0")}.000Z`;
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const result = (tool_use_id: string, content: string) => ({ type: "tool_result", tool_use_id, content });
  const asked = (n: number, parentUuid: string, block: object) => ({
    ...{ type: "assistant", uuid: `c${n}`, parentUuid, timestamp: at(10) },
    message: { id: "m1", role: "assistant", content: [block] },
  });
  const answered = {
    ...{ type: "user", uuid: "r", parentUuid: "c3", timestamp: at(13) },
    message: {
      role: "user",
      content: [
        result("t1", "Async agent launched successfully. (internal)\nagentId: a1 (internal ID)"),
        result("t2", "Command running in background with ID: b1. Output is being written to: /tmp/b1"),
        result("t3", "done"),
      ],
    },
  };
  const told = (n: number, id: string, summary: string) => ({
    ...prompt(
      `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>${summary}</summary>\n</task-notification>`,
    ),
    ...{ uuid: `n${n}`, parentUuid: n === 1 ? "r" : `n${n - 1}`, timestamp: at(20 + n) },
    origin: { kind: "task-notification" },
  });
  const folder = `projects/-home-dev-shop/${uuid(1)}`;
  const { catalog } = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: [
        prompt("go", { parentUuid: null }),
        asked(1, "u-go", use("t1", "Agent", { prompt: "look", description: "Look" })),
        asked(2, "c1", use("t2", "Bash", { command: "serve", run_in_background: true })),
        asked(3, "c2", use("t3", "Bash", { command: "build" })),
        answered,
        told(1, "a1", "Agent done"),
        told(2, "b1", "Command done"),
      ],
    }),
  );
  for (const open of Object.values(READINGS)) {
    const session = await open(catalog.sessionFiles(uuid(1) as SessionId));
    const laterOfCall = async (of: string) =>
      (await callDetail(session, session.recordId(session.findUuid(of)), 0)).later.map((one) => one.told);
    expect(await laterOfCall("c1")).toEqual(["Agent done"]);
    expect(await laterOfCall("c2")).toEqual(["Command done"]);
    expect(await laterOfCall("c3")).toEqual([]);
    const { rows } = await sessionRows(session, ROWS);
    const tools = rows.flatMap((row) => (row.kind === "tool" ? [[row.result, row.durationMs]] : []));
    // Only the launch beside it says nothing of how long the work took.
    expect(tools.slice(1)).toEqual([
      ["background · b1", expect.anything()],
      ["done", 3_000],
    ]);
  }
});

const ROWS: RowsQuery = {
  ...{ branch: null, agent: null, detail: "tools", fold: [], runs: null, from: 0, count: 50, around: null },
};

test("a PDF that was read is available as the client kept it", async () => {
  // 1.0.60 did not come to it.
  for (const version of from("1.0.128")) {
    const { folder, scenarios } = await openRecording(version);
    const id = idOf(folder, (scenarios.image && sessionsOf(folder, scenarios.image)[0]) ?? "");
    const calls = await callsOf(version, "image");
    const blobs = calls.flatMap(({ results }) => results.flatMap(({ blocks }) => blocks));
    const document = blobs.find((block) => block.kind === "blob" && block.blob.kind === "document");
    if (document?.kind !== "blob") throw new Error(`${version}: no document`);
    expect(blobs.filter((block) => block.kind === "blob" && block.blob.kind === "document")).toHaveLength(1);
    const { bytes } = await folder.sessions.blob(id, document.blob.recordId, document.blob.n);
    expect(Buffer.from(bytes).toString("latin1", 0, 5)).toBe("%PDF-");
  }
});

test("replacements of all occurrences are counted in the file, not in the hunks", async () => {
  const calls = await callsOf("2.0.42", "edit-file");
  expect(
    calls.flatMap(({ diffs }) => diffs.map(({ hunks, places }) => [hunks.length, places])),
  ).toContainEqual([1, 3]);
});
