import { describe, expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { notesOf, spanTitle } from "./row-words";
import { workInRange } from "./selected-part";
import { moveInWaterfall } from "./use-waterfall-keys";
import {
  busyTimes,
  firstInRange,
  flawedCount,
  isPromptWait,
  readSpans,
  slowestSteps,
  spanToGo,
  toolLines,
  totalsOf,
  waterfallRows,
} from "./waterfall-model";

const ALL = { model: true, waiting: true };

function span(
  id: string,
  kind: Span["kind"],
  startMs: number,
  endMs: number,
  more: Partial<Span> = {},
): Span {
  return {
    id,
    parentId: null,
    kind,
    name: kind,
    startMs,
    endMs,
    exact: true,
    critical: more.path !== undefined,
    recordId: `m~${id}` as RecordId,
    block: 0,
    turn: 1,
    ...more,
  };
}

/** A turn with an answer, an agent in the foreground, a call that was allowed, a wait; then the wait for the next prompt. */
const MODEL = readSpans([
  span("a1", "model", 0, 100, { path: [[0, 100]] }),
  span("t1", "tool", 100, 500, {
    name: "Agent",
    path: [
      [100, 120],
      [480, 500],
    ],
  }),
  span("i1", "idle", 900, 1_000, { path: [[900, 1_000]] }),
  span("g1", "agent", 120, 480, { name: "Explore", parentId: "t1", agentId: "x" as never, lane: 1 }),
  span("t3", "tool", 200, 400, { name: "Read", parentId: "g1", agentId: "x" as never, path: [[200, 400]] }),
  span("t2", "tool", 500, 900, { name: "Bash", exact: false, path: [[500, 900]], state: "error" }),
  span("p2", "permission", 500, 900, { name: "Bash", parentId: "t2", exact: false }),
  span("w1", "human", 1_000, 61_000, { name: "you" }),
  span("a2", "model", 61_000, 61_100, { turn: 2, path: [[61_000, 61_100]] }),
  span("t4", "tool", 61_100, 61_100, { turn: 2, name: "Edit", exact: false, flaw: "missing" }),
]);

const told = (rows: ReturnType<typeof waterfallRows>) =>
  rows.map((row) =>
    row.kind === "turn" ? `turn ${row.turn} ${row.workedMs}` : `${"  ".repeat(row.depth)}${row.key}`,
  );

describe("lines of the waterfall", () => {
  it("are turns and their spans by time; an agent has its call's line, and what it did stands below", () => {
    expect(told(waterfallRows(MODEL, ALL))).toEqual([
      "turn 1 900",
      "a1",
      "g1",
      "  t3",
      "t2",
      "i1",
      "w1",
      "turn 2 100",
      "a2",
      "t4",
    ]);
  });

  it("are a call's own and its agents' below it where it has several, or where an agent has one itself", () => {
    const agent = (id: string, parentId: string) =>
      span(id, "agent", 10, 90, { parentId, agentId: id as never });
    const model = readSpans([
      span("t1", "tool", 0, 100, { name: "Workflow" }),
      agent("g1", "t1"),
      agent("g2", "t1"),
      agent("g3", "g2"),
    ]);
    expect(told(waterfallRows(model, ALL))).toEqual(["turn 1 100", "t1", "  g1", "  g2", "    g3"]);
  });

  it("are fewer without the model's or without waiting", () => {
    expect(told(waterfallRows(MODEL, { model: false, waiting: false }))).toEqual([
      "turn 1 900",
      "g1",
      "  t3",
      "t2",
      "turn 2 100",
      "t4",
    ]);
  });

  it("say what is not certain of their times", () => {
    const rows = waterfallRows(MODEL, ALL);
    const notes = (key: string) =>
      rows.flatMap((row) => (row.kind === "span" && row.key === key ? notesOf(row) : []));
    expect(notes("t2")).toEqual([
      "failed",
      "at most this long",
      "some of it may be waiting for permission, which the log does not tell apart",
      "on the critical path",
    ]);
    expect(notes("t4")).toEqual(["its time is missing in the log"]);
    expect(flawedCount(MODEL)).toBe(1);
    expect(
      rows.flatMap((row) => (row.kind === "span" && isPromptWait(row.span) ? [spanTitle(row.span)] : [])),
    ).toEqual(["waiting for a prompt"]);
  });

  it("are moved through by keys: up and down, into what they contain and out of it, turn by turn", () => {
    const rows = waterfallRows(MODEL, ALL);
    expect(moveInWaterfall(rows, 2, "in")).toBe(3);
    expect(moveInWaterfall(rows, 3, "in")).toBe(3);
    expect(moveInWaterfall(rows, 3, "out")).toBe(2);
    expect(moveInWaterfall(rows, 2, "out")).toBe(0);
    expect(moveInWaterfall(rows, 0, "out")).toBe(0);
    expect(moveInWaterfall(rows, 1, "turn")).toBe(7);
    expect(moveInWaterfall(rows, 9, "turn back")).toBe(7);
    expect(moveInWaterfall(rows, 9, "down")).toBe(9);
    expect(moveInWaterfall(rows, 5, "page back")).toBe(0);
  });
});

describe("totals", () => {
  it("count each kind's time once, however many overlap, and waits for prompts apart", () => {
    const { wholeMs, typingMs, byKind, criticalMs, boundMs, calls, tools } = totalsOf(MODEL, null);
    expect({ wholeMs, typingMs, byKind, criticalMs, boundMs, calls }).toEqual({
      wholeMs: 1_100,
      typingMs: 60_000,
      byKind: { model: 200, tool: 800, agent: 360, permission: 0, human: 0, idle: 100 },
      criticalMs: 940,
      boundMs: 400,
      calls: 4,
    });
    expect(tools.map(({ name, calls: n, ms }) => `${name} ${n} ${ms}`)).toEqual([
      "Agent 1 400",
      "Bash 1 400",
      "Read 1 200",
      "Edit 1 0",
    ]);
  });

  it("list every call by the name of its row, questions among them, so that the numbers add up to that of all", () => {
    const model = readSpans([
      span("t1", "tool", 0, 100, { name: "EnterPlanMode" }),
      span("h1", "human", 100, 500, { name: "ExitPlanMode" }),
      span("h2", "human", 500, 800, { name: "AskUserQuestion" }),
      span("h3", "human", 800, 900, { name: "you" }),
      ...Array.from({ length: 11 }, (_, at) => span(`m${at}`, "tool", 900, 910, { name: `mcp__a__b${at}` })),
    ]);
    const { calls, tools } = totalsOf(model, null);
    expect(tools.slice(0, 2).map(({ name, calls: n, ms }) => `${name} ${n} ${ms}`)).toEqual([
      "Plan 2 500",
      "Question 1 300",
    ]);
    const lines = toolLines(tools);
    expect(lines.at(-1)).toMatchObject({ name: "4 other tools", calls: 4, ms: 40 });
    expect(lines.reduce((sum, line) => sum + line.calls, 0)).toBe(calls);
    expect(toolLines(tools.slice(0, 10)).map(({ name }) => name)).toEqual(
      tools.slice(0, 10).map(({ name }) => name),
    );
  });

  it("have what a call waited for permission apart from its work, where the log tells", () => {
    const model = readSpans([
      span("t1", "tool", 0, 500, { name: "Write" }),
      span("p1", "permission", 100, 400, { name: "Write", parentId: "t1" }),
      span("t2", "tool", 50, 150, { name: "Read" }),
      span("t3", "tool", 600, 900, { name: "Bash" }),
      span("p3", "permission", 600, 900, { name: "Bash", parentId: "t3" }),
    ]);
    const { byKind, tools, wholeMs } = totalsOf(model, null);
    expect([byKind.tool, byKind.permission, wholeMs]).toEqual([250, 600, 800]);
    expect(tools.map(({ name, ms }) => `${name} ${ms}`)).toEqual(["Write 200", "Read 100", "Bash 0"]);
    const part = totalsOf(model, { fromMs: 300, toMs: 450 });
    expect([part.byKind.tool, part.byKind.permission]).toEqual([50, 100]);
  });

  it("of a part of the time are of what lies in it", () => {
    const { wholeMs, byKind, criticalMs } = totalsOf(MODEL, { fromMs: 400, toMs: 700 });
    expect([wholeMs, byKind.tool, byKind.agent, criticalMs]).toEqual([300, 300, 80, 220]);
    expect(slowestSteps(MODEL, { fromMs: 400, toMs: 700 }, ALL, 5).map(({ id }) => id)).toEqual(["t2", "g1"]);
  });

  it("a turn of which nothing is shown leads to its own first step, not to the next turn's", () => {
    const model = readSpans([
      span("a1", "model", 0, 100),
      span("a2", "model", 200, 300, { turn: 2 }),
      span("t2", "tool", 300, 400, { name: "Bash", turn: 2 }),
    ]);
    const rows = waterfallRows(model, { model: false, waiting: true });
    expect(told(rows)).toEqual(["turn 1 100", "turn 2 200", "t2"]);
    expect(rows.map((_, index) => spanToGo(rows, index)?.id)).toEqual(["a1", "t2", "t2"]);
  });

  it("the slowest steps are those that have a line to be gone to", () => {
    const ids = (shown: { model: boolean; waiting: boolean }) =>
      slowestSteps(MODEL, null, shown, 9).map(({ id }) => id);
    expect(ids(ALL)).toContain("a1");
    expect(ids({ model: false, waiting: true })).toEqual(["t2", "g1", "t3", "t4"]);
  });

  it("are without the wait for what a person gave hours behind the work, though a path leads through it", () => {
    const model = readSpans([
      span("a1", "model", 0, 100, { path: [[0, 100]] }),
      span("w1", "human", 100, 9_000_000, { name: "you", path: [[100, 9_000_000]] }),
      span("c1", "tool", 9_000_000, 9_000_050, { name: "command", path: [[9_000_000, 9_000_050]] }),
    ]);
    expect(totalsOf(model, null)).toMatchObject({ wholeMs: 150, criticalMs: 150, calls: 0 });
    expect(totalsOf(model, null)).toMatchObject({ typingMs: 9_000_000 - 100, byKind: { human: 0 } });
    expect(slowestSteps(model, null, ALL, 9).map(({ id }) => id)).toEqual(["a1", "c1"]);
    expect(workInRange(model, { fromMs: 5_000, toMs: 6_000 }).turns).toEqual([]);
  });

  it("a range begins with the first step that begins in it, else with one that goes on", () => {
    const first = (fromMs: number, toMs: number) => firstInRange(MODEL, { fromMs, toMs })?.id ?? null;
    expect(first(0, 1_000)).toBe("a1");
    expect(first(450, 700)).toBe("t2");
    // The agent's call begins here as well, but its thread is another one.
    expect(first(150, 600)).toBe("t2");
    expect(first(210, 390)).toBe("t1");
    expect(first(2_000, 60_000)).toBe(null);
  });

  it("the slowest steps are no waits for a prompt, and an agent in place of its call", () => {
    expect(slowestSteps(MODEL, null, ALL, 4).map(({ id }) => id)).toEqual(["t2", "g1", "t3", "a1"]);
    expect(busyTimes(MODEL)).not.toContainEqual([1_000, 61_000]);
  });
});
