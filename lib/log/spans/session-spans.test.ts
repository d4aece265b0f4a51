import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Branch } from "@/lib/log/graph/branches";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { BlockKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { wellFormedLines } from "@/lib/testing/graph/record-tree";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { ALL, openRecording } from "@/lib/testing/recordings";
import { anyLines, LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { idOf } from "@/lib/testing/transcript";
import type { LogSpan } from "./log-span";
import { spansOf } from "./session-spans";

/**
 * The spans of a recorded scenario, a line each, with milliseconds since their turn began: `~` only a bound is known,
 * `&` in the background, then what of it is on the critical path. Children stand below their parents.
 */
async function told(version: RecordedVersion, scenario: string): Promise<string[]> {
  const { folder, scenarios } = await openRecording(version);
  const { session, sessions } = scenarios[scenario] ?? {};
  const { table, graph, ...open } = await folder.sessions
    .latest(idOf(folder, session ?? sessions?.[0] ?? ""))
    .then((one) => ({
      table: one.table,
      graph: one.graph,
      path: one.path(one.graph.branches[0]?.[0] as never),
    }));
  const spans = spansOf(table, graph, open.path, { from: 1, to: open.path.turns.length });
  const lines: string[] = [];
  const tell = (parent: number, turn: number, baseMs: number, indent: string): void => {
    for (const [index, span] of spans.entries()) {
      if (span.parent !== parent || span.turn !== turn) continue;
      const tool = span.call === -1 ? "" : ` ${table.tools.at(table.calls.tool.at(span.call))}`;
      const name = span.source === "call" ? tool.slice(1) : span.source === "wait" ? span.kind : span.source;
      const marks = `${span.exact ? "" : "~"}${span.background ? "&" : ""}${span.flaw ? ` ${span.flaw}` : ""}`;
      const path = span.path.map(([from, to]) => ` [${from - baseMs} ${to - baseMs}]`).join("");
      lines.push(`${indent}${span.startMs - baseMs} ${span.endMs - baseMs} ${name}${marks}${path}`);
      tell(index, turn, baseMs, `${indent}  `);
    }
  };
  for (let turn = 1; turn < open.path.turns.length; turn++) {
    const baseMs = Math.min(...spans.filter((span) => span.turn === turn).map(({ startMs }) => startMs));
    lines.push(`turn ${turn}`);
    tell(-1, turn, baseMs, "  ");
  }
  return lines;
}

// Worked out by hand from the times of the lines.
describe("recorded sessions", () => {
  it("parallel calls overlap; the answer continues while the first ones run, and the last one to end is waited for", async () => {
    // Asked at 08.840; Read 08.984–09.125, Read 09.016–09.136, Bash 09.035–09.696, Read 09.059–09.132; 09.747.
    expect(await told("2.1.330", "parallel-tools")).toEqual([
      "turn 1",
      "  0 219 answer [0 195]",
      "  144 285 Read~",
      "  176 296 Read~",
      "  195 856 Bash~ [195 856]",
      "  219 292 Read~",
      "  856 907 answer [856 907]",
    ]);
    // The same with all results in one line of descent.
    expect(await told("2.0.76", "parallel-tools")).toEqual([
      "turn 1",
      "  0 246 answer [0 219]",
      "  155 325 Read~",
      "  191 325 Read~",
      "  219 866 Bash~ [219 866]",
      "  246 325 Read~",
      "  866 906 answer [866 906]",
    ]);
  });

  it("agents in the foreground are waited for inside of their calls, up to 2.1.42 all those of one answer", async () => {
    expect(await told("2.0.76", "task-parallel")).toEqual([
      "turn 1",
      "  0 225 answer [0 188]",
      "  118 647 Task",
      "    304 635 agent",
      "      304 421 answer",
      "      421 502 Bash~",
      "      502 578 answer",
      "      567 591 Read~",
      "      578 591 Read~",
      "      591 635 answer",
      "  188 1519 Task [188 328] [1505 1519]",
      "    328 1505 agent",
      "      328 398 answer [328 398]",
      "      398 1474 Bash~ [398 1474]",
      "      1474 1505 answer [1474 1505]",
      "  225 539 Task",
      "    349 513 agent",
      "      349 408 answer",
      "      408 461 Read~",
      "      461 513 answer",
      "  1519 1550 answer [1519 1550]",
    ]);
    expect(await told("1.0.128", "task-parallel")).toEqual([
      "turn 1",
      "  0 132 answer [0 121]",
      "  105 429 Task",
      "    160 417 agent",
      "      160 302 answer",
      "      302 348 Bash~",
      "      348 389 answer",
      "      389 393 Read~",
      "      389 393 Read~",
      "      393 417 answer",
      "  121 1352 Task [121 168] [1336 1352]",
      "    168 1336 agent",
      "      168 283 answer [168 283]",
      "      283 1312 Bash~ [283 1312]",
      "      1312 1336 answer [1312 1336]",
      "  132 402 Task",
      "    168 362 agent",
      "      168 322 answer",
      "      322 323 Read~",
      "      323 362 answer",
      "  1352 1397 answer [1352 1397]",
    ]);
    expect(await told("2.1.330", "task-foreground")).toEqual([
      "turn 1",
      "  0 163 answer [0 163]",
      "  163 564 Agent [163 193] [508 564]",
      "    193 508 agent",
      "      193 302 answer [193 302]",
      "      302 380 Bash [302 380]",
      "      380 437 answer [380 437]",
      "      412 464 Read~",
      "      437 471 Read~ [437 471]",
      "      471 508 answer [471 508]",
      "  564 609 answer [564 609]",
    ]);
  });

  it("background work is on no critical path, and the thread idles while it waits for it", async () => {
    expect(await told("2.1.330", "task-background")).toEqual([
      "turn 1",
      "  0 95 answer [0 95]",
      "  95 125 Agent [95 125]",
      "    114 1343 agent&",
      "      114 232 answer",
      "      232 1274 Bash",
      "      1274 1343 answer",
      "  125 190 answer [125 190]",
      "  190 3266 Bash [190 3266]",
      "  3266 3378 answer [3266 3378]",
    ]);
    expect(await told("2.1.330", "task-nested")).toEqual([
      "turn 1",
      "  0 102 answer [0 102]",
      "  102 133 Agent [102 133]",
      "    122 368 agent&",
      "      122 234 answer",
      "      234 343 Agent",
      "        242 305 agent",
      "          242 302 answer",
      "      343 368 answer",
      "  133 203 answer [133 203]",
      "  465 498 answer [465 498]",
      "  203 465 idle [203 465]",
    ]);
  });

  it("a refused dialog was nothing but waiting; of one that was allowed only a bound is known, before 2.1.330 of both", async () => {
    expect(await told("2.1.330", "tui-perm")).toEqual([
      "turn 1",
      "  0 224 answer [0 224]",
      "  224 1415 Bash~ [224 1415]",
      "    224 1415 permission~",
      "  1415 1489 answer [1415 1489]",
      "  1489 4056 Write",
      "    1489 4056 permission [1489 4056]",
      "  4056 6167 human",
      "turn 2",
      "  0 60 answer [0 60]",
    ]);
    expect(await told("2.1.42", "tui-perm")).toEqual([
      "turn 1",
      "  0 221 answer [0 221]",
      "  221 1763 Bash~ [221 1763]",
      "  1763 2052 answer [1763 2052]",
      "  2052 3753 Write~ [2052 3753]",
      "    2052 3753 permission~",
      "  3753 5814 human",
      "turn 2",
      "  0 202 answer [0 202]",
    ]);
  });

  it("hooks take their time beside and inside of calls, and after the answer", async () => {
    expect(await told("2.1.330", "hooked")).toEqual([
      "turn 1",
      "  4 12 hook [4 12]",
      "  12 91 answer [12 91]",
      "  91 168 Bash [91 164] [166 168]",
      "    164 166 hook [164 166]",
      "  168 211 answer [168 211]",
      "  211 227 Bash [211 227]",
      "  227 251 answer [227 251]",
      "  257 261 hook [257 258]",
      "  258 262 hook [258 262]",
      "  0 4 idle [0 4]",
      "  251 257 idle [251 257]",
    ]);
  });

  it("a prompt typed while a tool ran is a turn from its delivery on", async () => {
    expect(await told("2.1.330", "tui-queue")).toEqual([
      "turn 1",
      "  0 236 answer [0 236]",
      "  236 4471 Bash [236 4471]",
      "turn 2",
      "turn 3",
      "  0 125 answer [0 125]",
      "  125 3767 human",
      "turn 4",
      "  0 55 answer [0 55]",
      "  55 72594 human",
      "turn 5",
      "  0 160 answer [0 160]",
    ]);
  });

  it("a question waits for a person, a command is its person's, and a compaction the model's", async () => {
    expect(await told("2.1.330", "tui-ask")).toEqual([
      "turn 1",
      "  0 259 answer [0 259]",
      "  259 1213 AskUserQuestion [259 1213]",
      "  1213 1316 answer [1213 1316]",
    ]);
    expect(await told("2.1.330", "tui-basic")).toEqual([
      "turn 1",
      "  0 179 answer [0 179]",
      "  1965 2239 command [1965 2239]",
      "  2239 2321 answer [2239 2321]",
      "  179 1965 human [179 1965]",
      "  2321 7420 human",
      "turn 2",
      "  0 61 answer [0 61]",
      "  1543 1610 answer [1543 1610]",
      "  3199 3358 compaction [3199 3358]",
      "  61 1543 human [61 1543]",
      "  1610 3162 human [1610 3162]",
      "  3162 3199 idle [3162 3199]",
      "  3358 7288 human",
      "turn 3",
      "  0 106 answer [0 106]",
    ]);
    expect(await told("2.1.330", "autocompact")).toEqual([
      "turn 1",
      "  0 134 answer [0 134]",
      "  134 180 Read [134 180]",
      "  180 232 answer [180 232]",
      "  232 248 Read [232 248]",
      "  287 411 compaction [287 411]",
      "  411 455 answer [411 455]",
      "  248 287 idle [248 287]",
    ]);
    expect(await told("2.0.76", "autocompact")).toEqual([
      "turn 1",
      "  0 90 answer [0 90]",
      "  90 140 Read~ [90 140]",
      "  140 331 answer [140 331]",
      "  331 367 Read~ [331 367]",
      "  367 548 compaction~ [367 548]",
      "  548 643 answer [548 643]",
    ]);
  });

  it("a background command continues after its result, until its end is reported", async () => {
    expect(await told("2.1.330", "bash-background")).toEqual([
      "turn 1",
      "  0 178 answer [0 178]",
      "  178 259 Bash [178 259]",
      "    178 1164 background&",
      "  259 302 answer [259 302]",
      "  302 2341 Bash [302 2341]",
      "  2341 2386 answer [2341 2386]",
      "  2386 2408 Bash [2386 2408]",
      "  2408 2447 answer [2408 2447]",
      "  2447 2499 Bash [2447 2499]",
      "  2499 2531 answer [2499 2531]",
      "  2531 2540 ToolSearch [2531 2540]",
      "  2540 2581 answer [2540 2581]",
      "  2581 2590 TaskStop [2581 2590]",
      "  2590 2642 answer [2590 2642]",
    ]);
  });

  it("searches and fetches say how long they took", async () => {
    expect(await told("2.1.42", "webfetch")).toEqual([
      "turn 1",
      "  0 75 answer [0 75]",
      "  75 106 WebFetch~ [75 106]",
      "  106 147 answer [106 147]",
      "  147 186 WebSearch [147 186]",
      "  186 240 answer [186 240]",
    ]);
  });
});

/** Lines with times as a clock may have written them: missing, equal, far off, backwards. */
const timed = fc
  .tuple(
    fc.oneof(wellFormedLines, anyLines),
    fc.infiniteStream(
      fc.oneof({ weight: 8, arbitrary: fc.nat(5_000) }, fc.constantFrom(null, -60_000, 1e9, 0)),
    ),
  )
  .map(([lines, steps]): TestLine[] => {
    let ms = Date.UTC(2026, 0, 1);
    return lines.map(({ file, json }) => {
      const step = steps.next().value ?? null;
      if (step === null) return { file, json: { ...json, timestamp: undefined } };
      const at = ms + step;
      // A clock that is wrong once goes on rightly.
      if (step < 10_000) ms = at;
      return { file, json: { ...json, timestamp: new Date(at).toISOString() } };
    });
  });

test("whatever the clocks say, children lie in their parents and a critical path covers its turn once", () => {
  fc.assert(
    fc.property(timed, (lines) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const [branch] = graph.branches[0] ?? [];
      if (!branch) return;
      const { path } = openBranch(table, graph, branch);
      const spans = spansOf(table, graph, path, { from: 0, to: path.turns.length });
      expect(spans.filter((span, index) => !isSound(spans, span, index))).toEqual([]);
      for (let turn = 0; turn < path.turns.length; turn++)
        expect(pathFaults(spans.filter((one) => one.turn === turn))).toEqual([]);
      const called = Array.from(path.records).flatMap((record) =>
        [...blocksOf(table, record)].filter(
          (block) =>
            !graph.duplicates.has(record) &&
            table.blocks.kind.at(block) === BlockKind.call &&
            table.calls.use.at(table.blocks.call.at(block)) === block,
        ),
      );
      const own = spans.filter(({ source, parent }) => source === "call" && parent === -1);
      const inOrder = (calls: number[]) => calls.sort((one, other) => one - other);
      expect(inOrder(own.map(({ call }) => call))).toEqual(
        inOrder(called.map((block) => table.blocks.call.at(block))),
      );
    }),
    sampled(20_270, 500, 50_000),
  );
});

/** Whether a span has times that can be drawn, within what it is part of, and pieces of the path within itself. */
function isSound(spans: readonly LogSpan[], span: LogSpan, index: number): boolean {
  const { startMs, endMs, parent, background, path } = span;
  const above = spans[parent];
  const isInside = !above || background || (startMs >= above.startMs && endMs <= above.endMs);
  const isOnPath = path.every(([from, to]) => from >= startMs && to <= endMs && from < to);
  return (
    Number.isFinite(startMs) &&
    Number.isFinite(endMs) &&
    endMs >= startMs &&
    parent < index &&
    isInside &&
    isOnPath &&
    (path.length === 0 || !background)
  );
}

/** Where the critical path of a turn has a gap or goes back, or does not end with the turn. */
function pathFaults(turn: readonly LogSpan[]): number[] {
  const pieces = turn.flatMap(({ path }) => path).sort(([a], [b]) => a - b);
  const breaks = pieces.flatMap(([from], index) =>
    index > 0 && from !== pieces[index - 1]?.[1] ? [from] : [],
  );
  const own = turn.filter(
    ({ parent, background, source }) => parent === -1 && !background && source !== "wait",
  );
  const last = pieces.at(-1)?.[1];
  const endMs = Math.max(...own.map((span) => span.endMs));
  return last === undefined || last === endMs ? breaks : [...breaks, last];
}

test("a fork's first turn has the time of its first answer, though the fork's own first line is later", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  const said = (uuid: string, parentUuid: string, second: number) => ({
    ...{ type: "assistant", uuid, parentUuid, timestamp: at(second) },
    message: { id: `m${uuid}`, content: [{ type: "text", text: "done" }] },
  });
  const asked = (uuid: string, parentUuid: string | null, second: number) => ({
    ...{ type: "user", uuid, parentUuid, timestamp: at(second), message: { content: uuid } },
  });
  // As `--fork-session` writes it: a line of now, then the copied lines of then.
  const table = tableOf(
    [
      { type: "queue-operation", operation: "dequeue", timestamp: at(1000) },
      asked("u1", null, 0),
      said("a1", "u1", 90),
      asked("u2", "a1", 1001),
      said("a2", "u2", 1005),
    ].map((json) => ({ file: 0, json })),
  );
  const graph = buildGraph(table, LOGS);
  const { path } = openBranch(table, graph, graph.branches[0]?.[0] as never);
  const spans = spansOf(table, graph, path, { from: 0, to: path.turns.length });
  const told = spans.map(
    ({ turn, kind, startMs, endMs, flaw, path: on }) =>
      `${turn} ${kind} ${(endMs - startMs) / 1000} s${flaw ? ` ${flaw}` : ""}${on.length > 0 ? " on the path" : ""}`,
  );
  expect(told).toEqual(["1 model 90 s on the path", "1 human 911 s", "2 model 4 s on the path"]);
});

test.each(ALL)("%s: a turn requested alone has the same spans as among all", async (version) => {
  const { folder } = await openRecording(version);
  let turns = 0;
  for (const { id } of folder.catalog.summaries()) {
    const session = await folder.sessions.latest(id);
    const [branch] = session.graph.branches[0] ?? [];
    if (!branch) continue;
    const path = session.path(branch);
    const told = (from: number, to: number, turn: number) =>
      spansOf(session.table, session.graph, path, { from, to })
        .filter((span) => span.turn === turn && span.source !== "agent" && span.parent === -1)
        .map(({ source, record, startMs, endMs, flaw }) => [source, record, startMs, endMs, flaw]);
    for (let turn = 0; turn < path.turns.length; turn++) {
      expect(told(turn, turn, turn), `${id} ${turn}`).toEqual(told(0, path.turns.length, turn));
      turns += 1;
    }
  }
  expect(turns).toBeGreaterThan(20);
});

test("the commands of a turn get spans in linear time", () => {
  const branches = new Map(
    [250, 8_000].map((commands) => {
      const lines = Array.from({ length: commands * 2 }, (_, n): TestLine => {
        const content = n % 2 === 0 ? "<bash-input>ls</bash-input>" : "<bash-stdout>x</bash-stdout>";
        const timestamp = new Date(Date.UTC(2026, 0, 2) + n * 1000).toISOString();
        const parentUuid = n === 0 ? null : `u${n - 1}`;
        return {
          file: 0,
          json: { type: "user", uuid: `u${n}`, parentUuid, timestamp, message: { content } },
        };
      });
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const { path } = openBranch(table, graph, graph.branches[0]?.[0] as Branch);
      return [commands, () => spansOf(table, graph, path, { from: 0, to: 1 })];
    }),
  );
  const tell = (commands: number) => branches.get(commands)?.();
  expect(tell(250)?.filter(({ source }) => source === "command")).toHaveLength(250);
  expect(timeGrowth(tell, 250)).toBeLessThan(MAX_LINEAR_GROWTH);
});

test("an answer that was interrupted as it came lasts until then, whatever was noted meanwhile (up to 2.1.42)", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  const line = (type: string, uuid: string, parentUuid: string | null, second: number, more: object) => ({
    file: 0,
    json: { type, uuid, parentUuid, timestamp: at(second), ...more },
  });
  const typed = (content: string) => ({ message: { role: "user", content } });
  const interrupted = {
    message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
  };
  const told = (lines: TestLine[]) => {
    const table = tableOf(lines);
    const graph = buildGraph(table, LOGS);
    const { path } = openBranch(table, graph, graph.branches[0]?.[0] as never);
    return spansOf(table, graph, path, { from: 1, to: path.turns.length }).map(
      ({ kind, startMs, endMs }) =>
        `${kind} ${startMs / 1000 - Date.UTC(2026, 0, 1) / 1000}–${endMs / 1000 - Date.UTC(2026, 0, 1) / 1000}`,
    );
  };
  const asked = [
    line("user", "u1", null, 0, typed("fix it")),
    line("attachment", "h1", "u1", 1, { attachment: { type: "hook_success", content: "" } }),
  ];
  expect(told([...asked, line("user", "i1", "h1", 7, interrupted)])).toEqual(["model 0–7"]);
  // Nothing was being answered any more.
  const done = line("assistant", "a1", "h1", 3, {
    message: { id: "m1", content: [{ type: "text", text: "done" }] },
  });
  expect(told([...asked, done, line("user", "i1", "a1", 7, interrupted)])).toEqual(["model 0–3"]);
});
