import type { PreviousValues } from "@/lib/log/adding/previous-values";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import { findChains, type ItemList, listItems } from "@/lib/log/map/list-items";
import { ITEMS } from "@/lib/log/map/map-items";
import type { SessionTable } from "@/lib/log/table/session-table";

/** The map's items of a session that grows, gone on with two times of three; what is not local has them all listed again. */
export class FollowedItems {
  readonly #table: SessionTable;
  #last: ItemList | null = null;
  #calls = new Set<number>();
  #turn = 0;

  constructor(table: SessionTable) {
    this.#table = table;
  }

  /** The items as they are followed, and as they are listed anew; null while this growth waits for the next. */
  follow(
    { graph, agents, from }: GraphDelta,
    before: PreviousValues,
  ): { followed: object; anew: object; grown: boolean } | null {
    for (const call of before.calls.keys()) this.#calls.add(call);
    if (agents || from.length > 0) this.#last = null;
    if (this.#turn++ % 3 === 2) return null;
    const chains = findChains(this.#table, graph);
    const known = this.#last && { list: this.#last, calls: this.#calls };
    this.#last = listItems(this.#table, graph, chains, known);
    this.#calls = new Set();
    const anew = listItems(this.#table, graph, chains);
    return { followed: facts(this.#last), anew: facts(anew), grown: known !== null };
  }
}

function facts({ items }: ItemList): object {
  const names = Object.keys(ITEMS) as (keyof typeof ITEMS)[];
  return Object.fromEntries(names.map((name) => [name, [...items.columns[name].subarray(0, items.size)]]));
}
