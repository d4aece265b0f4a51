import { textMark } from "@/lib/log/table/text-mark";
import type { Row } from "@/lib/wire/rows";

/** Rows of which it is known what was sent. */
const MOST_MARKS = 128;
const MARKS = 2 ** 31;
/** A larger answer is not pushed: who looks there asks for it. */
const MOST_BYTES = 16 << 10;

/** What has been sent of the last rows, so that none is sent again as it was. */
export class SentRows {
  /** Row's key → a mark of what was sent of it. */
  readonly #sent = new Map<string, number>();

  /**
   * Of these rows, from `begin` on or told again, the ones that are not what was sent before: from the end as many as fit.
   * @param stable how many of the first rows are the same ones as before
   */
  choose(
    built: readonly [number, Row][],
    stable: number,
    begin: number,
  ): { rows: [number, Row][]; complete: boolean } {
    const chosen: [number, Row][] = [];
    let bytes = 0;
    let complete = begin <= stable;
    for (const entry of built.toReversed()) {
      const { key } = entry[1];
      const json = JSON.stringify(entry[1]);
      const mark = json.length * MARKS + textMark(json);
      if (entry[0] < stable && this.#sent.get(key) === mark) continue;
      this.#sent.delete(key);
      bytes += json.length;
      if (bytes <= MOST_BYTES) {
        chosen.push(entry);
        this.#sent.set(key, mark);
      } else if (entry[0] >= stable) complete = false;
    }
    for (const oldest of this.#sent.keys()) {
      if (this.#sent.size <= MOST_MARKS) break;
      this.#sent.delete(oldest);
    }
    return { rows: chosen.reverse(), complete };
  }
}
