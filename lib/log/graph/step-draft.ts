import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { cutCycles } from "./cut-cycles";
import type { Threads } from "./threads";

const NONE = -1;
const FILES = 65_536;

/** The steps before dead ends are put where they hang from. `live` is filled by `markLive`. */
export type StepDraft = {
  count: number;
  /** Record → step. */
  of: Int32Array;
  parent: Int32Array;
  thread: Uint16Array;
  live: Uint8Array;
};

/** Groups the records into steps, each with its parent and thread. */
export function draftSteps(
  table: SessionTable,
  parents: Int32Array,
  threads: Threads,
  copies: ReadonlyMap<number, number>,
): StepDraft {
  const { of, count } = groupRecords(table, copies);
  const thread = new Uint16Array(count);
  for (let record = parents.length - 1; record >= 0; record--)
    thread[at(of, record)] = at(threads.of, record);
  return { count, of, parent: stepParents(of, count, parents), thread, live: new Uint8Array(count) };
}

/** The lines of a message in one file are one group, and with them the results of its calls; all other records stand alone. */
function groupRecords(
  table: SessionTable,
  copies: ReadonlyMap<number, number>,
): { of: Int32Array; count: number } {
  const { records, blocks, calls } = table;
  const of = new Int32Array(records.size).fill(NONE);
  const ofMessage = new Map<number, number>();
  let count = 0;
  for (let record = 0; record < records.size; record++) {
    const kind = records.get("kind", record);
    if ((kind !== RecordKind.assistant && kind !== RecordKind.synthetic) || copies.has(record)) continue;
    const key = records.get("message", record) * FILES + records.get("file", record);
    const known = ofMessage.get(key);
    of[record] = known ?? count;
    if (known === undefined) ofMessage.set(key, count++);
  }
  for (let record = 0; record < records.size; record++) {
    if (at(of, record) !== NONE) continue;
    const answers = records.get("kind", record) === RecordKind.results && !copies.has(record);
    of[record] = answers ? resultStep(record) : NONE;
    if (at(of, record) === NONE) of[record] = count++;
  }
  return { of, count };

  /** The step of the call that this line answers, if it stands in the same file. */
  function resultStep(record: number): number {
    const call = blocks.get("call", records.get("firstBlock", record));
    const use = call === NONE ? NONE : calls.get("use", call);
    if (use === NONE) return NONE;
    const asking = blocks.get("record", use);
    return records.get("file", asking) === records.get("file", record) ? at(of, asking) : NONE;
  }
}

/** A step hangs where its first record with a parent outside hangs. Grouping can close a loop that the records don't have. */
function stepParents(of: Int32Array, count: number, parents: Int32Array): Int32Array {
  const parent = new Int32Array(count).fill(NONE);
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    const up = at(parents, record);
    if (up === NONE || at(parent, step) !== NONE) continue;
    const above = at(of, up);
    if (above !== step) parent[step] = above;
  }
  cutCycles(parent);
  return parent;
}
