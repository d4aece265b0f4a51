import { grown } from "@/lib/log/table/grown";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { SessionGraph } from "./session-graph";
import type { Steps } from "./steps";

const NONE = -1;

/** Messages that were cut off and said again, as lines are added: see `findBrokenAttempts`. */
export class GrowingAttempts {
  readonly #table: SessionTable;
  /** Message → the mark of its first text. */
  #firstText = new Int32Array();

  constructor(table: SessionTable, { parents }: SessionGraph) {
    this.#table = table;
    const { kind, message, link } = table.records.columns;
    for (let record = 0; record < parents.length; record++)
      if (at(kind, record) === RecordKind.assistant) this.#note(at(message, record), at(link, record));
  }

  /** Lines of messages that a record, now in its step, shows to be broken attempts. */
  add(record: number, steps: Steps, parents: Int32Array): number[] {
    const { records } = this.#table;
    if (records.get("kind", record) !== RecordKind.assistant) return [];
    const isFirst = this.#note(records.get("message", record), records.get("link", record));
    // Its first text is compared with the messages above its lines, and with those below them.
    const first = isFirst ? at(steps.first, at(steps.of, record)) : record;
    const found: number[] = [];
    for (let line = Math.min(first, record); line <= record; line++) {
      const up = at(parents, line);
      if (up !== NONE && this.#saysAgain(line, up)) found.push(up);
    }
    return found;
  }

  #saysAgain(line: number, up: number): boolean {
    const { records } = this.#table;
    if (
      records.get("kind", line) !== RecordKind.assistant ||
      records.get("kind", up) !== RecordKind.assistant
    )
      return false;
    const [message, above] = [records.get("message", line), records.get("message", up)];
    const text = this.#firstText[message] ?? NONE;
    return message !== above && text !== NONE && text === this.#firstText[above];
  }

  #note(message: number, text: number): boolean {
    if (text === NONE || (this.#firstText[message] ?? NONE) !== NONE) return false;
    this.#firstText = grown(this.#firstText, this.#table.messages.size, NONE);
    this.#firstText[message] = text;
    return true;
  }
}
