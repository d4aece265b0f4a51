import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { MarkKind } from "@/lib/log/map/row-marks";
import { buildSessionMap, type SessionMap } from "@/lib/log/map/session-map";
import { drawGraph, drawLanes } from "@/lib/testing/graph/graph-text";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import {
  RECORDED_VERSIONS,
  type RecordedVersion,
  type Recording,
  unpackRecording,
} from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { turnsBefore } from "./session-map";

/**
 * Recorded sessions as drawings. How to read one: `1` a turn's prompt, `[10◆◆×]` a run of ten rows with two
 * edits and an error, `‖` a compaction; `b … from a1` a line that leaves the second item of line a.
 */
const REWIND = ["a 1 [10◆◆◆◆] 2 [1] 3 [1]", "b 2 [1]  from a1, lane 1: Second prompt."];
const REWIND_CODE = ["a 1 [1] 2 [4◆◆]", "b 2 [10◆◆◆◆] 3 [1]  from a1, lane 1: First prompt."];
const PARALLEL = [
  "a 1 [4] [1]",
  "b 1 [5]  from a1 to a1, lane 1: Explore code · general-purpose",
  "c 1 [2]  from a1 to a1, lane 2: Slow check · general-purpose",
  "d 1 [2×]  from a1 to a1, lane 3: Failing check · general-purpose",
];
/** 2.0.42 and 2.0.50 log no prompt for an agent. */
const PARALLEL_NO_PROMPT = PARALLEL.map((line) => line.replace(/^([bcd]) 1/, "$1"));
const NESTED = ["a 1 [1] [1]", "b 1 [1]  from a1 to a1, lane 1: Outer agent · general-purpose"];

const DRAWN: [version: RecordedVersion, name: string, drawing: string[]][] = [
  // Its commands name one caveat as their parent and its compaction none: a line all the same. `/clear` goes on in a file
  // that begins with that caveat.
  ["1.0.60", "4f7e3083", ["a 1 [5] 2 [3] ‖ [2] 3 [1]"]],
  ["1.0.60", "11fd862d", ["a [1] 1 [1] 2 [3]"]],
  ["1.0.60", "6dcdc637", ["a [3] 1 [1] 2 [1]"]],
  ["1.0.60", "tui-rewind", ["a 1 [10◆◆◆◆] 2 [1] 3 [1] 4 [1]", "b 2 [1]  from a1, lane 1: Second prompt."]],
  [
    "1.0.60",
    "tui-rewind-code",
    ["a 1 [1] 2 [10××◆◆] 3 [3◆]", "b 2 [10◆◆◆◆] 3 [1]  from a1, lane 1: First prompt."],
  ],
  ["1.0.60", "task-parallel", PARALLEL],
  ["1.0.60", "tui-agents", ["a 1 [4] [1] 2 [5××]", ...PARALLEL.slice(1)]],
  // It compacts in the middle of a turn without a word.
  ["1.0.60", "autocompact", ["a 1 [3]"]],
  ["1.0.128", "tui-rewind", ["a 1 [10◆◆◆◆] 2 [1] 3 [1] 4 [1]", "b 2 [1]  from a1, lane 1: Second prompt."]],
  ["2.0.42", "tui-rewind", REWIND],
  ["2.0.50", "tui-rewind", REWIND],
  ["2.1.29", "tui-rewind", REWIND],
  ["2.1.42", "tui-rewind", REWIND],
  ["2.1.110", "tui-rewind", REWIND],
  ["2.1.330", "tui-rewind", REWIND],

  [
    "1.0.128",
    "tui-rewind-code",
    ["a 1 [1] 2 [10××◆◆] 3 [3◆]", "b 2 [10◆◆◆◆] 3 [1]  from a1, lane 1: First prompt."],
  ],
  ["2.0.42", "tui-rewind-code", REWIND_CODE],
  ["2.0.50", "tui-rewind-code", REWIND_CODE],
  ["2.1.29", "tui-rewind-code", REWIND_CODE],
  ["2.1.42", "tui-rewind-code", REWIND_CODE],
  ["2.1.110", "tui-rewind-code", ["a 1 [1] 2 [6◆◆]", "b 2 [10◆◆◆◆] 3 [1]  from a1, lane 1: First prompt."]],
  ["2.1.330", "tui-rewind-code", REWIND_CODE],

  ["1.0.128", "parallel-tools", ["a 1 [7]"]],
  ["2.0.42", "parallel-tools", ["a 1 [7]"]],
  ["2.0.50", "parallel-tools", ["a 1 [7]"]],
  ["2.0.76", "parallel-tools", ["a 1 [7]"]],
  ["2.1.29", "parallel-tools", ["a 1 [7]"]],
  ["2.1.42", "parallel-tools", ["a 1 [7]"]],
  ["2.1.110", "parallel-tools", ["a 1 [7]"]],
  ["2.1.330", "parallel-tools", ["a 1 [7]"]],

  ["1.0.128", "task-parallel", PARALLEL],
  ["2.0.42", "task-parallel", PARALLEL_NO_PROMPT],
  ["2.0.50", "task-parallel", PARALLEL_NO_PROMPT],
  ["2.0.76", "task-parallel", PARALLEL],
  ["2.1.29", "task-parallel", PARALLEL],
  ["2.1.42", "task-parallel", PARALLEL],
  ["2.1.110", "task-parallel", PARALLEL],
  [
    // In the background by default: each answer comes in a notification.
    "2.1.330",
    "task-parallel",
    [
      "a 1 [4] [1] [1] [1] [1] [1] [1] [1]",
      "b 1 [5]  from a1 to a5, lane 1: Explore code · general-purpose",
      "c 1 [2]  from a1 to a7, lane 2: Slow check · general-purpose",
      "d 1 [2×]  from a1 to a3, lane 3: Failing check · general-purpose",
    ],
  ],

  // Nesting is refused until 2.1.330.
  ["1.0.128", "task-nested", NESTED],
  ["2.0.76", "task-nested", NESTED],
  ["2.1.42", "task-nested", NESTED],
  ["2.1.110", "task-nested", NESTED],
  [
    "2.1.330",
    "task-nested",
    [
      "a 1 [1] [1] [1] [1]",
      "b 1 [1] [1]  from a1 to a3, lane 1: Outer agent · general-purpose",
      "c 1 [1]  from b1 to b1, lane 2: Inner agent · general-purpose",
    ],
  ],

  [
    "2.1.42",
    "task-background",
    ["a 1 [1] [3] [1] [1]", "b 1 [2]  from a1 to a3, lane 1: Background check · general-purpose"],
  ],
  [
    "2.1.330",
    "task-background",
    ["a 1 [1] [1] [1] [1]", "b 1 [2]  from a1 to a3, lane 1: Background check · general-purpose"],
  ],
  [
    // One call, three agents; the workflow's end reports theirs.
    "2.1.330",
    "workflow",
    [
      "a 1 [1] [3]",
      "b 1 [5]  from a1 to a2, lane 1: look:code · workflow-subagent",
      "c 1 [1]  from a1 to a2, lane 2: look:quick · workflow-subagent",
      "d 1 [2]  from a1 to a2, lane 3: check · workflow-subagent",
    ],
  ],

  ["1.0.128", "autocompact", ["a 1 [4] ‖ [1]"]],
  ["2.0.42", "autocompact", ["a 1 [4] ‖ [1]"]],
  ["2.1.29", "autocompact", ["a 1 [4] ‖ [1]"]],
  ["2.1.110", "autocompact", ["a 1 [4] ‖ [3]"]],
  ["2.1.330", "autocompact", ["a 1 [4] ‖ [2]"]],
  [
    // "Summarize from here", and the way that was left for it.
    "2.1.330",
    "dd25a5c9",
    ["a 1 [1] ‖ [3] 2 [10××◆◆] 3 [1]", "b 2 [10◆◆◆◆] 3 [1]  from a1, lane 1: Edit."],
  ],
  [
    // `/branch` of such a session copies both ways.
    "2.1.110",
    "d9e4acbb",
    ["a 1 [1] 2 [10◆◆◆◆] 3 [3] 4 [5]", "b ‖ [3] 2 [10××◆◆] 3 [1]  from a1, lane 2: Edit."],
  ],
];

/** The session of a scenario, of a project's folder, or with an id that begins so. */
function findSession(name: string): SessionId {
  const { catalog } = folder;
  const found = catalog
    .summaries()
    .filter(
      ({ id, projectId, firstPrompt }) =>
        id.startsWith(name) ||
        catalog.project(projectId).path.endsWith(`/${name}`) ||
        (firstPrompt === `Please do it. SCENARIO:${name}` &&
          catalog.project(projectId).path.endsWith("/shop")),
    );
  if (found.length === 0) throw new Error(`No session ${name}`);
  return found[0]?.id as SessionId;
}

const versions = [...new Set(DRAWN.map(([version]) => version))];
let recording: Recording;
let folder: OpenFolder;
async function open(version: RecordedVersion): Promise<void> {
  recording = unpackRecording(version);
  folder = await openFolder(recording.claudeDir);
}

describe.each(versions)("the graph of %s", (version) => {
  beforeAll(() => open(version));
  afterAll(() => recording[Symbol.dispose]());
  const cases = DRAWN.filter(([of]) => of === version).map(([, name, drawing]) => ({ name, drawing }));
  it.each(cases)("$name", async ({ name, drawing }) => {
    expect(await drawGraph(folder, findSession(name))).toEqual(drawing);
  });
});

describe("the rail of 2.1.330", () => {
  beforeAll(() => open("2.1.330"));
  afterAll(() => recording[Symbol.dispose]());
  const lanes = (name: string) => drawLanes(folder, findSession(name));

  it("has a lane for every running agent, each ending where its answer is", async () => {
    expect(await lanes("task-parallel")).toEqual([
      "│      1 Please do it.",
      "│      text",
      "│>●    Agent Explore code",
      "│>│◆   Agent Slow check",
      "│>││▲  Agent Failing check",
      "│ ││+1 text",
      "│<││▲  notified",
      "│ ││   text",
      "│<●│   notified",
      "│  │   text",
      "│< ◆   notified",
      "│      text",
    ]);
  });

  it("has a spine in the colour of the branch taken below a fork", async () => {
    expect((await lanes("tui-rewind")).slice(-6)).toEqual([
      "│      text",
      "2      fork of 2",
      "2      2 A branched prompt.",
      "2      text",
      "2      3 Going on in the branch.",
      "2      text",
    ]);
  });

  it("ends the lanes of a workflow's agents where its end is reported", async () => {
    expect((await lanes("workflow")).slice(0, 4)).toEqual([
      "│      1 Please do it.",
      "│>●◆▲  Workflow look-around",
      "│ ││+1 Bash sleep 6",
      '│<●◆▲  Dynamic workflow "Look at the project twice" completed',
    ]);
  });

  it("opens an item into its rows", async () => {
    const id = findSession("tui-rewind");
    const { rows } = await settled(async () => {
      const { items, files } = await settled(() => folder.sessions.graph(id));
      const offset = (items.offset[0] ?? 0) + (items.offset[1] ?? 0);
      const first = `${files[items.file[1] ?? 0]}~${offset.toString(36)}`;
      return folder.sessions.graphSegment(id, first as never, items.holds[1] ?? 0);
    });
    expect(rows?.name.map((name) => rows.names[name] ?? "·")).toEqual([
      "·",
      "·",
      "Read",
      "·",
      "Edit",
      "Edit",
      "Write",
      "Read",
      "Write",
      "·",
    ]);
  });

  it("gives the positions of things in a thread's rows", async () => {
    const id = findSession("dd25a5c9");
    const thread = { branch: null, agent: null, detail: "tools", fold: [] } as const;
    const { rows } = await rowsOf(folder, id, "tools");
    const find = rows.flatMap(({ kind, recordId }) => (kind === "thinking" ? [recordId] : []));
    const marks = await settled(() => folder.sessions.minimap(id, { ...thread, fold: [], find }));
    expect(marks).toMatchObject({
      total: 20,
      buckets: 20,
      prompts: [0, 7, 18],
      compactions: [3],
      finds: [8],
    });
    expect(marks.errors.map((bucket) => rows[bucket]?.kind)).toEqual(["tool", "tool"]);
  });

  it("tells refused calls from failed ones", async () => {
    const thread = { branch: null, agent: null, detail: "tools" } as const;
    const marksOf = (name: string) =>
      settled(() => folder.sessions.minimap(findSession(name), { ...thread, fold: [], find: [] }));
    const refused = await marksOf("946a12ba");
    expect(refused.errors).toHaveLength(1);
    expect(refused.denied).toEqual(refused.errors);
    expect((await marksOf("dd25a5c9")).denied).toEqual([]);
  });

  it("ends where the client went back to, and links to the abandoned branch", async () => {
    const id = findSession("tui-rewind");
    const { path } = folder.catalog.sessionFiles(id).main;
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const left = lines.find((line) => line.includes('"content":"Going on in the branch.'));
    const leafUuid = JSON.parse(left ?? "{}").parentUuid as string;
    appendFileSync(path, `${JSON.stringify({ type: "last-prompt", leafUuid, explicit: true })}\n`);
    const again = await openFolder(recording.claudeDir);
    expect((await drawLanes(again, id)).slice(-5)).toEqual([
      "│      text",
      "2      fork of 2",
      "2      2 A branched prompt.",
      "2      text",
      "2      fork of 2, ending here",
    ]);
    expect(await drawGraph(again, id)).toEqual([
      "a 1 [10◆◆◆◆] 2 [1]",
      "b 3 [1]  from a3, lane 1: Going on in the branch.",
      "c 2 [1]  from a1, lane 1: Second prompt.",
    ]);
  });
});

it("marks a failed request and a line that cannot be read, as the keys for errors find them", async () => {
  const said = {
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: "API Error: 529" }],
  };
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      prompt("go"),
      answer("failed", { parentUuid: "u-go", isApiErrorMessage: true, message: { id: "m1", ...said } }),
      '{"type":"user","uuid":',
      prompt("again", { parentUuid: "a-failed" }),
      answer("done", { parentUuid: "u-again" }),
    ],
  });
  const folder = await openFolder(root);
  const thread = { branch: null, agent: null, detail: "tools", fold: [] } as const;
  const found = await settled(() => folder.sessions.errors(uuid(1) as SessionId, { ...thread, fold: [] }));
  const marks = await settled(() =>
    folder.sessions.minimap(uuid(1) as SessionId, { ...thread, fold: [], find: [] }),
  );
  expect(found.rows).toEqual([1, 2]);
  expect(marks.errors).toEqual(found.rows);
  const { items, files } = await settled(() => folder.sessions.graph(uuid(1) as SessionId));
  expect(items.errors).toEqual([0, 2, 0, 0]);
  const first = formatRecordId(files[0] ?? "", (items.offset[0] ?? 0) + (items.offset[1] ?? 0));
  const { rows } = await settled(() => folder.sessions.graphSegment(uuid(1) as SessionId, first, 0));
  expect(rows?.kind).toEqual([MarkKind.error, MarkKind.error]);
});

it("numbers the turns of branches in linear time", () => {
  /** A session that was rewound after every prompt. */
  const mapOf = (branches: number) => {
    const lines = Array.from({ length: branches * 2 }, (_, n): TestLine => {
      const turn = Math.floor(n / 2);
      const uuid = `${n % 2 === 0 ? "left" : "on"}-${turn}`;
      const parentUuid = turn === 0 ? null : `on-${turn - 1}`;
      return { file: 0, json: { type: "user", uuid, parentUuid, message: { content: "go on" } } };
    });
    const table = tableOf(lines);
    return buildSessionMap(table, buildGraph(table, LOGS), 2_600);
  };
  const maps = new Map([500, 16_000].map((branches) => [branches, mapOf(branches)]));
  const count = (branches: number) => turnsBefore(maps.get(branches) as SessionMap);
  // After the line itself that which was left last.
  expect(count(500).slice(0, 3)).toEqual([0, 499, 498]);
  expect(timeGrowth(count, 500)).toBeLessThan(MAX_LINEAR_GROWTH);
});

it("draws the branches of one line in linear time", () => {
  const tables = new Map(
    [500, 16_000].map((branches) => {
      const json = (n: number) => ({
        type: "user",
        uuid: `u${n}`,
        parentUuid: n === 0 ? null : "u0",
        message: { content: "go on" },
      });
      const table = tableOf(
        Array.from({ length: branches }, (_, n): TestLine => ({ file: 0, json: json(n) })),
      );
      return [branches, { table, graph: buildGraph(table, LOGS) }];
    }),
  );
  const draw = (branches: number) => {
    const { table, graph } = tables.get(branches) ?? {};
    return table && graph && buildSessionMap(table, graph, 2_600);
  };
  expect(timeGrowth(draw, 500)).toBeLessThan(MAX_LINEAR_GROWTH);
});

it.each(RECORDED_VERSIONS)("counts the rows that the threads show: %s", async (version) => {
  const { folder } = await openRecording(version);
  for (const { id } of folder.catalog.summaries()) {
    const { lines, items } = await settled(() => folder.sessions.graph(id));
    for (const [line, agent] of lines.agent.entries()) {
      // Of a branch its line has what is its own alone.
      if (lines.agent.filter((one) => one === agent).length > 1) continue;
      const { rows } = await rowsOf(folder, id, "tools", agent === null ? {} : { agent });
      const counted = (name: "rows" | "turns" | "calls") =>
        items[name].slice(lines.from[line], lines.from[line + 1]).reduce((sum, count) => sum + count, 0);
      const isReturn = (row: Row) => row.kind === "agent-return" && !row.notified;
      const own = rows.filter((row) => row.kind !== "turn" && row.kind !== "fork" && !isReturn(row));
      expect([counted("rows"), counted("turns"), counted("calls")]).toEqual([
        own.length,
        rows.filter(({ kind }) => kind === "turn").length,
        rows.filter(({ kind }) => kind === "tool").length,
      ]);
    }
  }
});
