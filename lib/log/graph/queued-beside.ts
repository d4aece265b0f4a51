import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { CONVERSATION } from "./steps";

const NONE = -1;

/**
 * Finds prompts that waited while a call ran and that Escape delivered. The client may write one below the call, ahead of
 * the call's result, and go on from the interruption below that (2.1.332; 2.1.170 writes the prompt below the
 * interruption): then nothing names it as its parent, and it was sent between the two. Lines must be given in file order.
 */
export class QueuedBeside {
  readonly #table: SessionTable;
  #prompt = NONE;
  #stem = NONE;
  /** The last of the results since the prompt, and whether one of them follows what the prompt does. */
  #result = NONE;
  #isBeside = false;

  constructor(table: SessionTable) {
    this.#table = table;
  }

  /**
   * The prompt that an interruption was sent after, -1 for none, and for any other line.
   * @param parentOf the parent of this record, -1 for none: of most lines it is not asked for
   */
  promptBefore(record: number, parentOf: (record: number) => number): number {
    const { kind, file, flags } = this.#table.records;
    const what = kind.at(record);
    if (file.at(record) !== 0 || (flags.at(record) & Flag.sidechain) !== 0 || !CONVERSATION.has(what))
      return NONE;
    if (what === RecordKind.results && this.#prompt !== NONE) {
      this.#result = record;
      this.#isBeside ||= this.#stem !== NONE && parentOf(record) === this.#stem;
      return NONE;
    }
    const follows = what === RecordKind.interruption && this.#isBeside && parentOf(record) === this.#result;
    const found = follows ? this.#prompt : NONE;
    this.#prompt = what === RecordKind.prompt ? record : NONE;
    this.#stem = this.#prompt === NONE ? NONE : parentOf(record);
    this.#isBeside = false;
    return found;
  }
}

/** Places the interruptions that were sent after such a prompt below it. `parents` stays without cycles. */
export function joinQueuedBeside(
  table: SessionTable,
  parents: Int32Array,
  duplicates: ReadonlyMap<number, number>,
): void {
  const beside = new QueuedBeside(table);
  const parentOf = (record: number) => at(parents, record);
  for (let record = 0; record < parents.length; record++) {
    if (duplicates.has(record)) continue;
    const prompt = beside.promptBefore(record, parentOf);
    if (prompt !== NONE) parents[record] = prompt;
  }
}

/** Each such interruption → the prompt that was sent ahead of it. `parentOf`: the parent of a record, -1 for none. */
export function findQueuedBeside(
  table: SessionTable,
  parentOf: (record: number) => number,
): Map<number, number> {
  const beside = new QueuedBeside(table);
  const found = new Map<number, number>();
  for (let record = 0; record < table.records.size; record++) {
    const prompt = beside.promptBefore(record, parentOf);
    if (prompt !== NONE) found.set(record, prompt);
  }
  return found;
}
