import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;

/**
 * Finds records by where they stand. Those of a file come in its order, but not next to each other where files
 * were read by turns: they are known by the runs in which they do. Follows its table as that grows.
 */
export class RecordPlaces {
  readonly #table: SessionTable;
  /** File → first record and end of each run. */
  readonly #runs: { from: number[]; to: number[] }[] = [];
  #known = 0;

  constructor(table: SessionTable) {
    this.#table = table;
  }

  /** The record at this offset of a file, -1 for none. */
  find(file: number, offset: number): number {
    this.#follow();
    const runs = this.#runs[file];
    if (!runs) return NONE;
    const run = lastUpTo(runs.from.length, offset, (index) => this.#offset(runs.from[index] as number));
    if (run === NONE) return NONE;
    const from = runs.from[run] as number;
    const place = lastUpTo((runs.to[run] as number) - from, offset, (index) => this.#offset(from + index));
    return this.#offset(from + place) === offset ? from + place : NONE;
  }

  /** Where the last line of every file ends, without its newline: it may not have one yet. */
  ends(): number[] {
    this.#follow();
    const { records } = this.#table;
    return Array.from(this.#runs, (runs) => {
      const last = (runs?.to.at(-1) ?? 0) - 1;
      return last < 0 ? 0 : this.#offset(last) + records.get("length", last);
    });
  }

  #offset(record: number): number {
    return this.#table.records.get("offset", record);
  }

  #follow(): void {
    const { size, columns } = this.#table.records;
    for (; this.#known < size; this.#known++) {
      const file = columns.file[this.#known] as number;
      const runs = (this.#runs[file] ??= { from: [], to: [] });
      if (runs.to.at(-1) === this.#known) runs.to[runs.to.length - 1] = this.#known + 1;
      else {
        runs.from.push(this.#known);
        runs.to.push(this.#known + 1);
      }
    }
  }
}

/** The last of `count` ascending values that is no more than `most`, -1 for none. */
function lastUpTo(count: number, most: number, value: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
