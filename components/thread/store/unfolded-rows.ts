import type { RowState, Unfolded } from "@/components/content/row-state";

const MAX_ROWS = 200;
const MAX_PARTS = 1_000;

/**
 * What was unfolded in each row of a thread, by the row's key: rows far out of view are not in the page. Of more rows,
 * or more parts of a row, than can be kept, those that were unfolded first fold again.
 */
export class UnfoldedRows {
  readonly #rows = new Map<string, Map<string, Unfolded>>();

  of = (key: string): RowState => ({
    get: (part) => this.#rows.get(key)?.get(part),
    set: (part, value) => {
      const parts = this.#rows.get(key) ?? new Map<string, Unfolded>();
      this.#rows.delete(key);
      this.#rows.set(key, parts);
      parts.delete(part);
      parts.set(part, value);
      dropFirst(parts, MAX_PARTS);
      dropFirst(this.#rows, MAX_ROWS);
    },
  });

  /** The row was closed. */
  drop(key: string): void {
    this.#rows.delete(key);
  }
}

function dropFirst(map: Map<string, unknown>, most: number): void {
  const [first] = map.keys();
  if (map.size > most && first !== undefined) map.delete(first);
}
