import fc from "fast-check";
import { addRecord } from "@/lib/log/adding/add-record";
import type { Branch } from "@/lib/log/graph/branches";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import type { JsonObject } from "@/lib/log/records/json";
import { parseRecord } from "@/lib/log/records/parse-record";
import type { Folds, RowList } from "@/lib/log/rows/flatten";
import { IncrementalList } from "@/lib/log/rows/incremental-list";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import { Level } from "@/lib/log/table/kinds";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";

/** A line of one of a session's files. */
export type TestLine = { file: number; json: JsonObject };

const encoder = new TextEncoder();

/** Three files: the main log, an agent's and a suggestion agent's. */
export const LOGS: SessionLog[] = [
  { key: "m", agentId: null, meta: null },
  { key: "00000001", agentId: "a1", meta: { toolUseId: "t1", agentType: "Explore", description: null } },
  { key: "00000002", agentId: "aprompt_suggestion-2", meta: null },
];

/** Adds lines to a table as a scan does: file by file, each at the offset where it would stand. */
export function addLines(
  table: SessionTable,
  lines: readonly TestLine[],
  from = 0,
  to = lines.length,
): SessionTable {
  const ordered = lines.toSorted((a, b) => a.file - b.file);
  const offsets = new Map<number, number>();
  const numbers = new Map<number, number>();
  for (const [index, { file, json }] of ordered.entries()) {
    const bytes = encoder.encode(JSON.stringify(json));
    const offset = offsets.get(file) ?? 0;
    const line = (numbers.get(file) ?? 0) + 1;
    offsets.set(file, offset + bytes.length + 1);
    numbers.set(file, line);
    if (index < from || index >= to) continue;
    const record = parseRecord({ bytes, offset, length: bytes.length, line });
    addRecord(table, file, record, () => record);
  }
  return table;
}

/** A table of these lines alone. */
export function tableOf(lines: readonly TestLine[]): SessionTable {
  return addLines(new SessionTable(), lines);
}

const uuid = fc.constantFrom("u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9", "u10", "u11", "u12", null);
const parent = fc.oneof({ weight: 8, arbitrary: uuid }, { weight: 1, arbitrary: fc.constant("nowhere") });
const tool = fc.constantFrom("t1", "t2", "t3", "t4", null);
const words = fc.constantFrom(
  "fix it",
  "go on",
  "",
  "Warmup",
  "[Request interrupted by user]",
  "<command-name>/clear</command-name>",
  "<command-message>review</command-message>",
  "<task-notification><task-id>a1</task-id><status>completed</status></task-notification>",
);
const block = fc.oneof(
  words.map((text) => ({ type: "text", text })),
  fc.constant({ type: "thinking", thinking: "…" }),
  tool.map((id) => ({ type: "tool_use", id, name: "Task", input: { prompt: "fix it" } })),
  fc.constant({ type: "new_block" }),
);
const result = fc
  .tuple(tool, fc.boolean())
  .map(([id, is_error]) => ({ type: "tool_result", tool_use_id: id, is_error, content: "done" }));
const structured = fc.constantFrom(
  undefined,
  { agentId: "a1" },
  { isAsync: true, agentId: "a1" },
  { filePath: "/a", type: "create", content: "x\n" },
);
/** Of an answer that was made at once, and of one whose line was written before an advisor was asked, and after it. */
const usage = fc.constantFrom<JsonObject>(
  { input_tokens: 3 },
  { input_tokens: 1, iterations: [{ type: "message", input_tokens: 1 }] },
  {
    input_tokens: 3,
    iterations: [
      { type: "message", input_tokens: 1 },
      { type: "advisor_message", model: "advisor", input_tokens: 5, output_tokens: 7 },
      { type: "message", input_tokens: 2 },
    ],
  },
);

const body = fc.oneof(
  { weight: 3, arbitrary: words.map((content) => ({ type: "user", message: { content } })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(fc.oneof(result, block), { minLength: 1, maxLength: 3 }), structured)
      .map(([content, toolUseResult]) => ({ type: "user", message: { content }, toolUseResult })),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("m1", "m2", "m3", null),
        fc.array(block, { maxLength: 3 }),
        fc.constantFrom("model", "<synthetic>"),
        usage,
      )
      .map(([id, content, model, counted]) => ({
        type: "assistant",
        message: { id, model, content, usage: counted },
      })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      type: "user",
      isMeta: true,
      message: { content: "Caveat: The messages below were generated" },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ type: "user", isCompactSummary: true, message: { content: "summary" } }),
  },
  {
    weight: 1,
    arbitrary: uuid.map((logicalParentUuid) => ({
      type: "system",
      subtype: "compact_boundary",
      logicalParentUuid,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { type: "system", subtype: "turn_duration" },
      { type: "attachment", attachment: { type: "file" } },
      { type: "attachment", attachment: { type: "queued_command", prompt: "go on" } },
    ),
  },
  {
    weight: 1,
    arbitrary: tool.map((parentToolUseID) => ({
      type: "progress",
      parentToolUseID,
      data: { type: "agent_progress", agentId: "a1" },
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("enqueue", "dequeue", "remove", "popAll")
      .map((operation) => ({ type: "queue-operation", operation, content: "go on" })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(uuid, fc.boolean())
      .map(([leafUuid, explicit]) => ({ type: "last-prompt", leafUuid, explicit })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ type: "mode" }, { type: "from-the-future" }, {}) },
);

/** Lines in which anything hangs from anything: parents missing, their own, later, in a circle; uuids twice; sidechains anywhere. */
export const anyLines: fc.Arbitrary<TestLine[]> = fc.array(
  fc
    .tuple(fc.constantFrom(0, 0, 0, 0, 1, 2), body, uuid, parent, fc.boolean(), fc.boolean(), fc.nat(2))
    .map(([file, json, id, parentUuid, side, meta, second]) => ({
      file,
      json: {
        ...json,
        uuid: id,
        parentUuid,
        isSidechain: side && meta,
        isMeta: meta && !side,
        timestamp: `2026-01-02T03:04:0${5 + second}.000Z`,
      },
    })),
  { maxLength: 24 },
);

/** A branch with its rows at a level, made as the server makes them for a page. */
export function openBranch(
  table: SessionTable,
  graph: SessionGraph,
  { leaf }: Branch,
  level: number = Level.everything,
  folds: Folds = new Set<number>(),
): { path: Path; list: RowList } {
  const incremental = new IncrementalPath(table, graph, leaf);
  const { list } = new IncrementalList(table, graph, incremental, level, folds);
  return { path: incremental.path, list };
}
