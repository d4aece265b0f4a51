import { addRecord } from "@/lib/log/adding/add-record";
import { notePreviousValues, type PreviousValues } from "@/lib/log/adding/previous-values";
import { parseRecord } from "@/lib/log/records/parse-record";
import { SessionTable } from "@/lib/log/table/session-table";
import type { TestLine } from "../records";

const encoder = new TextEncoder();

/** Adds lines as they are written, files by turns, each at the end of its file. */
export class LineWriter {
  readonly table = new SessionTable();
  readonly #ends = new Map<number, { offset: number; line: number }>();

  write({ file, json }: TestLine, before: PreviousValues): void {
    const bytes = encoder.encode(JSON.stringify(json));
    const end = this.#ends.get(file) ?? { offset: 0, line: 1 };
    const record = parseRecord({ bytes, length: bytes.length, ...end });
    notePreviousValues(this.table, file, record, before);
    addRecord(this.table, file, record, () => record);
    this.#ends.set(file, { offset: end.offset + bytes.length + 1, line: end.line + 1 });
  }
}

/** The previous values of a table to which nothing has been added. */
export function nothingBefore(): PreviousValues {
  return { calls: new Map(), tokens: new Map() };
}
