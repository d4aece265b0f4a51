import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, toText, uuid } from "@/lib/testing/log-tree";
import { linesOf } from "@/lib/testing/raw-lines";
import { READINGS } from "@/lib/testing/readings";
import { openRecording } from "@/lib/testing/recordings";
import { idOf, openFolder, settled } from "@/lib/testing/transcript";
import type { CountedFact } from "@/lib/wire/model-requests/session-facts";
import { sessionFacts } from "./session-facts";

type Json = Record<string, unknown>;

/** A log of these calls, each with its result; what is no call is put down as it is. */
async function factsOf(
  steps: readonly ([tool: string, input: Json, result: string, isError?: boolean] | Json)[],
) {
  const lines: Json[] = [];
  const write = (json: Json) => {
    const parentUuid = lines.length === 0 ? null : uuid(lines.length);
    const timestamp = new Date(Date.UTC(2026, 0, 2) + lines.length * 1000).toISOString();
    lines.push({
      uuid: uuid(lines.length + 1),
      parentUuid,
      cwd: "/shop",
      timestamp,
      version: "2.1.330",
      ...json,
    });
  };
  write({ type: "user", message: { role: "user", content: "Go" } });
  for (const [nth, step] of steps.entries()) {
    if (!Array.isArray(step)) {
      write(step);
      continue;
    }
    const [name, input, content, is_error = false] = step;
    const id = `toolu_${nth}`;
    const usage = { input_tokens: 1000, output_tokens: 5 };
    const call = { type: "tool_use", id, name, input };
    write({
      type: "assistant",
      requestRef: "req-1",
      message: { id: `msg_${nth}`, role: "assistant", model: "claude-opus-4-5", content: [call], usage },
    });
    const result = { type: "tool_result", tool_use_id: id, content, is_error };
    write({ type: "user", message: { role: "user", content: [result] } });
  }
  const folder = await openFolder(makeTree({ [`projects/-shop/${uuid(9)}.jsonl`]: lines }));
  return settled(() => folder.sessions.facts(idOf(folder, uuid(9))));
}

/** `a.ts 2`: what happened how often. */
const told = (facts: readonly CountedFact[], name: (fact: never) => string) =>
  facts.map((fact) => `${name(fact as never)} ${fact.count}`);
const byPath = ({ path }: { path: string }) => path;

test("what belongs together is found however many calls lie between", async () => {
  const between = Array.from({ length: 1_100 }, (_, nth): [string, Json, string] => [
    "Edit",
    { file_path: `${nth}.ts`, old_string: "a", new_string: "b" },
    "done",
  ]);
  const read: [string, Json, string] = ["Read", { file_path: "same.ts" }, "one"];
  const edit = (from: string, to: string): [string, Json, string] => [
    "Edit",
    { file_path: "back.ts", old_string: from, new_string: to },
    "done",
  ];
  // Results are compared some at a time as well.
  const reads = Array.from({ length: 250 }, () => read);
  const { rereads, undone } = await factsOf([read, edit("x", "y"), ...between, edit("y", "x"), ...reads]);
  expect(told(rereads, byPath)).toEqual(["same.ts 250"]);
  expect(told(undone, byPath)).toEqual(["back.ts 1"]);
});

test("a repeated read is counted if nothing in the file changed, and only then", async () => {
  const read = (path: string, text: string, more: Json = {}) =>
    ["Read", { file_path: path, ...more }, text] as [string, Json, string];
  const { rereads } = await factsOf([
    read("same.ts", "one"),
    read("same.ts", "one"),
    read("same.ts", "one"),
    read("part.ts", "one"),
    read("part.ts", "two", { offset: 10 }),
    read("other.ts", "one"),
    read("other.ts", "two"),
    read("edited.ts", "one"),
    ["Edit", { file_path: "edited.ts", old_string: "a", new_string: "b" }, "done"],
    read("edited.ts", "one"),
  ]);
  expect(told(rereads, byPath)).toEqual(["same.ts 2"]);
  expect(rereads[0]?.places).toHaveLength(2);
});

test("an edit is undone where a later one puts its words back", async () => {
  const edit = (path: string, old_string: string, new_string: string) =>
    ["Edit", { file_path: path, old_string, new_string }, "done"] as [string, Json, string];
  const { undone } = await factsOf([
    edit("a.ts", "one", "two"),
    edit("a.ts", "three", "four"),
    edit("b.ts", "two", "one"),
    edit("a.ts", "two", "one"),
    // Done once more, that is no way back.
    edit("a.ts", "one", "two"),
    // Each is undone once, however often its former words are written.
    edit("c.ts", "one", "two"),
    edit("c.ts", "two", "one"),
    edit("c.ts", "two", "one"),
  ]);
  expect(told(undone, byPath)).toEqual(["a.ts 1", "c.ts 1"]);
});

test("failed calls are counted by tool", async () => {
  const { failures } = await factsOf([
    ["Bash", { command: "no" }, "Exit code 1", true],
    ["Bash", { command: "yes" }, "fine"],
    ["Read", { file_path: "a" }, "fine"],
  ]);
  expect(failures.map(({ tool, count, calls }) => [tool, count, calls])).toEqual([["Bash", 1, 2]]);
});

test("tools that were sent and never called are counted by server, unless they are loaded on demand", async () => {
  const tool = (name: string, more: Json = {}) => ({ name, description: "d".repeat(360), ...more });
  const { unused } = await factsOf([
    {
      type: "api-request-shape",
      shapeHash: "s",
      shape: {
        system: "You are",
        tools: [
          tool("Bash"),
          tool("Grep"),
          tool("mcp__shop__price"),
          tool("mcp__shop__fail"),
          tool("Later", { defer_loading: true }),
        ],
      },
    },
    { type: "api-request", id: "req-1", keep: 0, tail: [], shapeHash: "s" },
    ["Bash", { command: "yes" }, "fine"],
  ]);
  expect(unused?.map(({ server, tools }) => [server, tools])).toEqual([
    ["shop", ["mcp__shop__price", "mcp__shop__fail"]],
    [null, ["Grep"]],
  ]);
  // One of four tools, of the thousand tokens that the API counted for nearly nothing else.
  expect(unused?.[1]?.tokens).toBeGreaterThan(230);
  expect(unused?.[1]?.tokens).toBeLessThan(250);
  expect((await factsOf([["Bash", { command: "yes" }, "fine"]])).unused).toBeNull();
});

test("hooks are those that the client wrote down, each run once", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const session = scenarios.hooked?.session ?? "";
  const { hooks } = await settled(() => folder.sessions.facts(idOf(folder, session)));
  const byName = hooks.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName.map(({ name, count, failed }) => [name, count, failed])).toEqual([
    ["PostToolUse:Bash", 1, 0],
    ["SessionStart:startup", 1, 0],
    ["Stop", 2, 1],
    ["UserPromptSubmit", 1, 0],
  ]);
});

test.each(["1.0.128", "2.0.76", "2.1.42", "2.1.330"] as const)(
  "%s: every retry is counted, with its wait",
  async (version) => {
    const { folder } = await openRecording(version);
    let counted = 0;
    for (const { id } of folder.catalog.summaries()) {
      const { retries } = await settled(() => folder.sessions.facts(id));
      const told = linesOf(folder.catalog, id).filter(
        (line) => (line as Json).subtype === "api_error",
      ) as Json[];
      expect(retries.count, id).toBe(told.length);
      expect(retries.waitedMs, id).toBe(
        Math.round(told.reduce((sum, { retryInMs }) => sum + Number(retryInMs), 0)),
      );
      counted += told.length;
    }
    expect(counted).toBeGreaterThan(0);
  },
);

test("places are in the order of the logs, however the session was opened", async () => {
  const { folder } = await openRecording("2.1.110");
  // A call failed in the main thread, and one in an agent before it.
  const files = folder.catalog.sessionFiles(idOf(folder, "8b9c47ef-871c-456a-811f-0ce01969ed59"));
  const told: string[] = [];
  for (const open of Object.values(READINGS))
    told.push(JSON.stringify(await sessionFacts(await open(files))));
  expect(new Set(told).size).toBe(1);
});

test("tools are listed as in the logs where an agent's log was read before its session's", async () => {
  const { folder } = await openRecording("2.1.330");
  const { main, agents } = folder.catalog.sessionFiles(idOf(folder, "85d77204-b1e3-4b1e-aaeb-9364c1b70e02"));
  const linesIn = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
  const [begun, rest] = [linesIn(main.path).slice(0, 3), linesIn(main.path).slice(3)];
  const logs = agents.map(({ name, path }) => [`projects/-shop/${name}`, linesIn(path)]);
  const root = makeTree({ [`projects/-shop/${main.name}`]: begun, ...Object.fromEntries(logs) });
  const followed = await openFolder(root);
  const id = idOf(followed, "85d77204");
  await settled(() => followed.sessions.facts(id));
  appendFileSync(join(root, "projects/-shop", main.name), toText(rest));
  await followed.sessions.latest(id);
  const { sessions } = await openFolder(root);
  const told = await settled(() => sessions.facts(id));
  expect(told.unused?.[0]?.tools.length).toBeGreaterThan(3);
  expect((await settled(() => followed.sessions.facts(id))).unused).toEqual(told.unused);
});
