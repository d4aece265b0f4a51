import { blocksOf } from "@/lib/log/table/blocks-of";
import { grown } from "@/lib/log/table/grown";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";

const NONE = -1;
const FILES = 65_536;

/** Finds the step that a record joins: its message's, or that of the call it answers. */
export class StepBefore {
  readonly #table: SessionTable;
  readonly #copies: ReadonlyMap<number, number>;
  /** Message → its step in the file where it stands first, and that file. */
  #ofMessage = new Int32Array();
  #fileOfMessage = new Uint16Array();
  /** Message and file → step, of a message that stands in other files as well. */
  readonly #elsewhere = new Map<number, number>();

  constructor(table: SessionTable, { steps, copies }: SessionGraph) {
    this.#table = table;
    this.#copies = copies;
    for (let record = 0; record < steps.own.length; record++)
      if (!copies.has(record)) this.note(record, at(steps.own, record));
  }

  /** A record is in a step of its own, or of its message's. */
  note(record: number, step: number): void {
    if (!this.#isMessage(record)) return;
    const { records, messages } = this.#table;
    const message = records.get("message", record);
    const file = records.get("file", record);
    this.#ofMessage = grown(this.#ofMessage, messages.size, NONE);
    this.#fileOfMessage = grown(this.#fileOfMessage, messages.size, 0);
    const isFirst = at(this.#ofMessage, message) === NONE;
    if (isFirst) this.#fileOfMessage[message] = file;
    if (isFirst || at(this.#fileOfMessage, message) === file) this.#ofMessage[message] = step;
    else this.#elsewhere.set(message * FILES + file, step);
  }

  /** -1 for a record that makes a step of its own; null for one that takes others along. @param own record → step */
  find(record: number, own: Int32Array): number | null {
    if (this.#isMessage(record)) return this.#isAnswered(record) ? null : this.#stepOf(record);
    const { records, blocks, calls } = this.#table;
    if (records.get("kind", record) !== RecordKind.results) return NONE;
    const call = blocks.get("call", records.get("firstBlock", record));
    const use = call === NONE ? NONE : calls.get("use", call);
    if (use === NONE) return NONE;
    const asking = blocks.get("record", use);
    if (records.get("file", asking) !== records.get("file", record) || this.#copies.has(asking)) return NONE;
    return asking < record ? at(own, asking) : null;
  }

  /** True for a line whose call has a result already, which stood alone until now. */
  #isAnswered(record: number): boolean {
    const { blocks, calls } = this.#table;
    for (const block of blocksOf(this.#table, record)) {
      if (blocks.get("kind", block) !== BlockKind.call) continue;
      const call = blocks.get("call", block);
      const result = calls.get("use", call) === block ? calls.get("result", call) : NONE;
      if (result !== NONE && blocks.get("record", result) < record) return true;
    }
    return false;
  }

  #isMessage(record: number): boolean {
    const kind = this.#table.records.get("kind", record);
    return kind === RecordKind.assistant || kind === RecordKind.synthetic;
  }

  #stepOf(record: number): number {
    const { records } = this.#table;
    const message = records.get("message", record);
    const file = records.get("file", record);
    if (this.#fileOfMessage[message] === file) return this.#ofMessage[message] ?? NONE;
    return this.#elsewhere.get(message * FILES + file) ?? NONE;
  }
}
