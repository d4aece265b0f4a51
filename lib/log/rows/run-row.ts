import { formatPlural } from "@/lib/format/format";
import { firstWords, splitPath } from "@/lib/format/text";
import { asString } from "@/lib/log/records/json";
import { hasLineCounts } from "@/lib/log/table/calls";
import { at } from "@/lib/log/table/table";
import { splitToolName, toolNamed } from "@/lib/tools/tools";
import type { RunRow } from "@/lib/wire/rows";
import type { DescribedCall } from "./calls/call-facts";
import { describeCall } from "./calls/describe-call";
import type { Run } from "./fold-runs";
import { type RowContext, recordIdOf, rowBase } from "./row-context";
import { callBlock, cwdOf, resultRecord, taskRecords, taskSubject } from "./tool-row";

const NONE = -1;
/** In a longer run only this many calls are read: the subjects of the others are not counted. */
const MAX_READ = 48;
const MAX_NAMES = 8;
const MAX_NAME = 32;

/** The records that are read for a run's row: its calls, and for calls that name tasks by id the records that added them. */
export function recordsOfRun(context: RowContext, { blocks }: Run): number[] {
  const { table } = context;
  const read = blocks.subarray(0, MAX_READ);
  const calls = Array.from(read, (block) => table.blocks.record.at(block));
  return [...calls, ...taskRecords(context, table.blocks.call.at(at(read, read.length - 1)))];
}

/** The row of a run: how many calls, of what, and their combined changes. */
export function runRow(context: RowContext, run: Run, turn: number): RunRow {
  const { table } = context;
  const { blocks, open } = run;
  const first = at(blocks, 0);
  const record = table.blocks.record.at(first);
  const subjects = subjectsOf(context, run);
  const tool = table.tools.at(table.calls.tool.at(table.blocks.call.at(first))) ?? "";
  const [server, name] = splitToolName(tool);
  const ends = Array.from(blocks, (block) => resultRecord(context, table.blocks.call.at(block)));
  const last = ends.reduce((latest, one) => (timeAt(one) > timeAt(latest) ? one : latest), record);
  const base = rowBase(context, record, table.blocks.index.at(first), turn, last);
  const changes = changesOf(context, blocks);
  return {
    kind: "run",
    ...base,
    key: `${base.key}.run`,
    run: base.key,
    lastRecordId: recordIdOf(context, table.blocks.record.at(at(blocks, blocks.length - 1))),
    name,
    server,
    calls: blocks.length,
    subject: thingsOf(tool, blocks.length, subjects),
    aside: namesOf(tool, subjects),
    ...changes,
    open,
  };

  function timeAt(one: number): number {
    const ms = one === NONE ? Number.NaN : table.records.atMs.at(one);
    return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
  }
}

/** The subject of each call that was read. */
function subjectsOf(context: RowContext, { blocks }: Run): string[] {
  const { table } = context;
  const tasks = new Map<string, string | null>();
  const taskOf = (call: number, id: string | null) => {
    if (id !== null && !tasks.has(id)) tasks.set(id, taskSubject(context, call, id));
    return id === null ? null : (tasks.get(id) ?? null);
  };
  return Array.from(blocks.subarray(0, MAX_READ), (block) => {
    const line = context.read(table.blocks.record.at(block));
    const use = callBlock(line, table.blocks.index.at(block));
    const facts: DescribedCall = {
      name: use?.name ?? "",
      input: use?.input ?? {},
      cwd: cwdOf(line),
      isError: false,
      text: null,
      isCut: false,
      result: null,
      task: taskOf(table.blocks.call.at(block), asString(use?.input.taskId)),
    };
    return describeCall(facts).subject;
  });
}

/** `14 files`; where some were the same, `14 times, 3 files`. */
function thingsOf(tool: string, calls: number, subjects: readonly string[]): string {
  const [one, many] = toolNamed(tool)?.noun ?? [];
  const different = new Set(subjects).size;
  if (!one || calls > subjects.length) return formatPlural(calls, "time");
  return different === calls
    ? formatPlural(calls, one, many)
    : `${formatPlural(calls, "time")}, ${formatPlural(different, one, many)}`;
}

/** The first few subjects of the calls, files by their names alone. */
function namesOf(tool: string, subjects: readonly string[]): string {
  const names = new Set<string>();
  const areFiles = toolNamed(tool)?.files !== undefined;
  for (const subject of subjects) {
    const short = areFiles ? splitPath(subject).name : subject;
    const words = firstWords(short, MAX_NAME);
    if (words) names.add(words);
    if (names.size === MAX_NAMES) break;
  }
  return [...names].join(", ");
}

function changesOf({ table }: RowContext, blocks: Int32Array): Pick<RunRow, "added" | "removed"> {
  let added: number | null = null;
  let removed: number | null = null;
  for (const block of blocks) {
    const call = table.blocks.call.at(block);
    if (!hasLineCounts(table, call)) continue;
    added = (added ?? 0) + table.calls.added.at(call);
    removed = (removed ?? 0) + table.calls.removed.at(call);
  }
  return { added, removed };
}
