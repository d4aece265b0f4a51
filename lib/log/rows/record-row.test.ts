import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { idOf, openFolder, rowsOf } from "@/lib/testing/transcript";
import type { Row } from "@/lib/wire/rows";

type Lines = readonly (Record<string, unknown> | string)[];

/** All rows of a session with these lines, and of an agent `a1` where it has one. */
async function rowsOfLines(lines: Lines, ofAgent: Lines = []): Promise<Row[]> {
  const path = `projects/-home-dev-shop/${uuid(1)}`;
  const folder = await openFolder(
    makeTree({
      [`${path}.jsonl`]: lines,
      ...(ofAgent.length > 0 && { [`${path}/subagents/agent-a1.jsonl`]: ofAgent }),
    }),
  );
  return (await rowsOf(folder, idOf(folder, uuid(1)), "everything")).rows;
}

test("an unreadable line has its text, and a long one says that there is more", async () => {
  const short = '{"type":"user","uuid":"x","message":{"con';
  const long = `${short}${"é".repeat(100_000)}`;
  const rows = await rowsOfLines([prompt("go", { parentUuid: null }), short, long]);
  const texts = rows.flatMap((row) => (row.kind === "unreadable" ? [row.text] : []));
  expect(texts[0]).toEqual({ text: short, cut: false, length: short.length });
  expect(texts[1]?.text.slice(0, 45)).toBe(`${short}éééé`);
  expect(texts[1]).toMatchObject({ cut: true, length: Buffer.byteLength(long) });
  expect(texts[1]?.text).not.toContain("\ufffd");
});

test("a line that says that a command started an agent leads to it (`/subtask`, 2.1.332)", async () => {
  const started = (launchedAgentId: string, parentUuid: string) => ({
    ...{ type: "system", subtype: "informational", content: "Started in the background: look around" },
    ...{ uuid: `s-${launchedAgentId}`, parentUuid, launchedAgentId, timestamp: "2026-12-01T14:02:37.413Z" },
  });
  const rows = await rowsOfLines(
    [prompt("go", { parentUuid: null }), started("a1", "u-go"), started("gone", "s-a1")],
    [prompt("Your directive: look around", { parentUuid: null, isSidechain: true, agentId: "a1" })],
  );
  expect(rows.flatMap((row) => (row.kind === "event" ? [row.agentId] : []))).toEqual(["a1", undefined]);
});

test("a text added for the model says how long it is, however much of it was read", async () => {
  const added = `<system-reminder>${"word ".repeat(20_000)}</system-reminder>`;
  const meta = prompt(added, { uuid: "m1", parentUuid: "u-go", isMeta: true });
  const printed = `<local-command-stdout>${"line\n".repeat(20_000)}</local-command-stdout>`;
  const output = { ...prompt(printed), uuid: "o1", parentUuid: "m1" };
  const rows = await rowsOfLines([
    prompt("go", { parentUuid: null }),
    meta,
    output,
    answer("ok", { parentUuid: "o1" }),
  ]);
  const lengths = rows.flatMap((row) => (row.kind === "context" ? [row.text.length] : []));
  expect(lengths).toEqual([added.length]);
});

test("a picture that a prompt mentions is shown where it was read into it", async () => {
  const file = { base64: "iVBORw0KGgoAAA", type: "image/png", originalSize: 10 };
  const attachment = {
    ...{ type: "file", filename: "/home/dev/shop/logo.png", displayPath: "logo.png" },
    content: { type: "image", file },
  };
  const rows = await rowsOfLines([
    prompt("look at @logo.png", { parentUuid: null }),
    { type: "attachment", uuid: "f1", parentUuid: "u-look at @logo.png", attachment },
    answer("ok", { parentUuid: "f1" }),
  ]);
  const shown = rows.flatMap((row) => (row.kind === "context" ? [[row.label, row.blobs.length]] : []));
  expect(shown).toEqual([["Read into the prompt: logo.png", 1]]);
});

test("an agent's answer, and text beside a result, say how long they are", async () => {
  const said = "word ".repeat(20_000);
  const result = { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: said }] };
  const use = { type: "tool_use", id: "t1", name: "Agent", input: { prompt: "look" } };
  const beside = "more ".repeat(30_000);
  const rows = await rowsOfLines(
    [
      prompt("go", { parentUuid: null }),
      {
        ...answer("", { uuid: "c1", parentUuid: "u-go" }),
        message: { id: "m1", role: "assistant", content: [use] },
      },
      {
        ...prompt("", { uuid: "r1", parentUuid: "c1" }),
        message: { role: "user", content: [result] },
        toolUseResult: { status: "completed", agentId: "a1" },
      },
      {
        ...prompt("", { uuid: "r2", parentUuid: "r1" }),
        message: { role: "user", content: [result, { type: "text", text: beside }] },
      },
    ],
    [{ ...prompt("look", { parentUuid: null }), isSidechain: true, agentId: "a1" }],
  );
  const lengths = rows.flatMap((row) =>
    row.kind === "context" || row.kind === "agent-return" ? [`${row.kind} ${row.text.length}`] : [],
  );
  expect(lengths).toEqual([`agent-return ${said.length}`, `context ${beside.length}`]);
});

test("a hook's failure at the end of a turn is shown with the tools if only its summary mentions it (2.1.42)", async () => {
  const summary = (id: string, more: Record<string, unknown>) => ({
    ...{ type: "system", subtype: "stop_hook_summary", uuid: id, hookCount: 1, stopReason: "" },
    ...{ hookErrors: [], preventedContinuation: false, toolUseID: "h", ...more },
  });
  const failed = { hookErrors: ["Failed with non-blocking status code: no lint"] };
  const path = `projects/-home-dev-shop/${uuid(1)}`;
  const folder = await openFolder(
    makeTree({
      [`${path}.jsonl`]: [
        prompt("go", { parentUuid: null }),
        summary("s1", { parentUuid: "u-go", ...failed }),
        summary("s2", { parentUuid: "s1", preventedContinuation: true, stopReason: "the branch is red" }),
        summary("s3", { parentUuid: "s2" }),
        // An attachment has said it before (2.1.330).
        summary("s4", { parentUuid: "s3", ...failed, failedHookErrorIndexes: [0] }),
        // Nothing else says that a hook has the model go on (2.1.332).
        summary("s5", {
          parentUuid: "s4",
          hookErrors: ["[x]: say it once more"],
          failedHookErrorIndexes: [],
        }),
      ],
    }),
  );
  const { rows } = await rowsOf(folder, idOf(folder, uuid(1)), "tools");
  const events = rows.flatMap((row) =>
    row.kind === "event" ? [[row.label, row.text.text, row.status]] : [],
  );
  expect(events).toEqual([
    ["Hook Stop", "Failed with non-blocking status code: no lint", "failed"],
    ["Hook Stop", "the branch is red", "stopped"],
    ["Hook Stop", "[x]: say it once more", "failed"],
  ]);
});

test("a hook's failure is shown once where the summary follows the hook's own line (2.1.315)", async () => {
  const hook = (uuid: string, parentUuid: string, attachment: Record<string, unknown>) => ({
    ...{ type: "attachment", uuid, parentUuid },
    attachment: { hookName: "Stop", hookEvent: "Stop", toolUseID: "h", ...attachment },
  });
  const summary = {
    ...{ type: "system", subtype: "stop_hook_summary", uuid: "s1", parentUuid: "h2", toolUseID: "h" },
    ...{ hookCount: 2, hookErrors: ["say it twice"], preventedContinuation: false, stopReason: "" },
  };
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
        prompt("go", { parentUuid: null }),
        hook("h1", "u-go", {
          ...{ type: "hook_blocking_error", blockingError: { blockingError: "say it twice", command: "x" } },
        }),
        hook("h2", "h1", { type: "hook_success", content: "", stdout: "", exitCode: 0, command: "y" }),
        summary,
      ],
    }),
  );
  const { rows } = await rowsOf(folder, idOf(folder, uuid(1)), "tools");
  const events = rows.flatMap((row) => (row.kind === "event" ? [[row.label, row.text.text]] : []));
  expect(events).toEqual([["Hook Stop", "say it twice"]]);
});

test("an agent that is answered on one line with the launch of another has its answer's row (2.1.330)", async () => {
  const path = `projects/-home-dev-shop/${uuid(1)}`;
  const call = (id: string) => ({
    ...{ type: "tool_use", id, name: "Agent" },
    input: { prompt: `look ${id}`, description: id, subagent_type: "Explore" },
  });
  const result = (id: string, text: string) => ({
    ...{ type: "tool_result", tool_use_id: id },
    content: [{ type: "text", text }],
  });
  const agentLog = (id: string) => [
    prompt(`look ${id}`, { isSidechain: true, agentId: id, uuid: `p-${id}`, parentUuid: null }),
    answer("seen", { isSidechain: true, agentId: id, uuid: `a-${id}`, parentUuid: `p-${id}` }),
  ];
  const folder = await openFolder(
    makeTree({
      [`${path}.jsonl`]: [
        prompt("go", { parentUuid: null }),
        answer("", {
          ...{ uuid: "calls", parentUuid: "u-go" },
          message: { id: "m1", role: "assistant", content: [call("c1"), call("c2")] },
        }),
        prompt("", {
          ...{ uuid: "results", parentUuid: "calls" },
          message: {
            role: "user",
            content: [result("c1", "It is a shop."), result("c2", "Async agent launched successfully.")],
          },
        }),
      ],
      ...Object.fromEntries(
        ["a1", "a2"].flatMap((id, at) => [
          [`${path}/subagents/agent-${id}.jsonl`, agentLog(id)],
          [`${path}/subagents/agent-${id}.meta.json`, [{ agentType: "Explore", toolUseId: `c${at + 1}` }]],
        ]),
      ),
    }),
  );
  const { rows } = await rowsOf(folder, idOf(folder, uuid(1)), "tools");
  const returns = rows.flatMap((row) => (row.kind === "agent-return" ? [[row.agentId, row.text.text]] : []));
  expect(returns).toEqual([["a1", "It is a shop."]]);
});

test("a known attachment of the client is not unknown, and is shown at the reader's level of detail", async () => {
  const attachments = [
    { type: "session_cron_carry", tasks: [{ id: "c1", cron: "0 9 * * *" }] },
    { type: "directory", path: "docs" },
    { type: "quantum_note", note: "new" },
  ];
  const lines = attachments.map((attachment, at) => ({
    ...{ type: "attachment", uuid: `t${at}`, parentUuid: at === 0 ? "u-go" : `t${at - 1}`, attachment },
  }));
  const rows = await rowsOfLines([prompt("go", { parentUuid: null }), ...lines]);
  const told = rows.flatMap((row) =>
    row.kind === "context" ? [row.label] : row.kind === "unknown" ? [`unknown ${row.type}`] : [],
  );
  expect(told).toEqual(["session cron carry", "directory", "unknown attachment/quantum_note"]);
});

test("/compact is shown once, and as it was typed with everything (2.1.250, 2.1.300)", async () => {
  const rows = await rowsOfLines([
    prompt("go", { parentUuid: null }),
    answer("ok", { uuid: "a1", parentUuid: "u-go" }),
    prompt("/compact", { uuid: "c1", parentUuid: "a1", promptId: "p1" }),
    { type: "system", subtype: "compact_boundary", uuid: "b1", parentUuid: null, logicalParentUuid: "a1" },
    prompt("What was done", { uuid: "s1", parentUuid: "b1", isCompactSummary: true }),
    prompt("<command-name>/compact</command-name>", { uuid: "n1", parentUuid: "s1" }),
  ]);
  const shown = rows.map((row) => ("label" in row ? `${row.kind}: ${row.label}` : row.kind));
  expect(shown.join(", ")).toBe("turn, text, context: Typed, compaction, context: Summary, event: /compact");
});
