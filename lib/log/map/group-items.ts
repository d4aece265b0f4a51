import { at, Table } from "@/lib/log/table/table";
import { ITEMS, ItemKind, type Items } from "./map-items";

/** Turns at the end of a line that stay apart: where a session is read most. */
const LAST_ITEMS = 24;

/**
 * Folds runs of turns into groups until about `most` items are left. What a branch, an agent or a
 * compaction touches stays apart while there is room for it; after that it is folded as well.
 */
export function groupItems(items: Items, most: number): Items {
  if (items.size <= most) return items;
  const keeps = keptApart(items);
  let kept = 0;
  for (let i = 0; i < items.size; i++) kept += at(keeps, i);
  // Every kept item may stand between two groups of its own.
  const room = most - kept * 2;
  if (room >= most / 8) return fold(items, keeps, Math.ceil((items.size - kept) / room));
  return fold(items, new Uint8Array(items.size), Math.ceil(items.size / most));
}

function keptApart(items: Items): Uint8Array {
  const keeps = new Uint8Array(items.size);
  let left = 0;
  for (let i = items.size - 1; i >= 0; i--) {
    const isLast = i === items.size - 1 || items.get("chain", i + 1) !== items.get("chain", i);
    if (isLast) left = items.get("chain", i) === 0 ? LAST_ITEMS : 1;
    const event = items.get("pinned", i) === 1 || items.get("kind", i) === ItemKind.compaction;
    if (event || left-- > 0) keeps[i] = 1;
  }
  return keeps;
}

/** Groups of at most `size` items, each beginning with a prompt where there is one in reach. */
function fold(items: Items, keeps: Uint8Array, size: number): Items {
  const folded: Items = new Table(ITEMS);
  /** Items from here on are still to be taken over as they are. */
  let alone = 0;
  for (let i = 0; i < items.size; ) {
    const chain = items.get("chain", i);
    let to = i + 1;
    // A group ends before a prompt, so that no turn is torn.
    const goesOn = () => to - i < size || items.get("kind", to) !== ItemKind.turn;
    const joins = () => to < items.size && !at(keeps, to) && items.get("chain", to) === chain;
    if (!at(keeps, i)) while (joins() && goesOn()) to++;
    if (to - i > 1) {
      // By the record of its first item a group is found again.
      folded.append(items, alone, i + 1);
      alone = to;
      addUp(items, i + 1, to, folded);
      folded.set("kind", folded.size - 1, ItemKind.group);
      folded.set("holds", folded.size - 1, to - i);
    }
    i = to;
  }
  folded.append(items, alone, items.size);
  return folded;
}

const SUMS = ["turns", "rows", "calls", "errors", "denied", "edits", "agents"] as const;

/** Adds items to the last one of a list, which then reaches to their end. */
function addUp({ columns }: Items, from: number, to: number, into: Items): void {
  const last = into.size - 1;
  for (const name of SUMS) {
    let sum = into.get(name, last);
    for (let item = from; item < to; item++) sum += at(columns[name], item);
    into.set(name, last, sum);
  }
  for (let item = from; item < to; item++) {
    if (at(columns.pinned, item)) into.set("pinned", last, 1);
    if (Number.isNaN(into.get("startMs", last))) into.set("startMs", last, at(columns.startMs, item));
    const ms = at(columns.endMs, item);
    if (!(ms <= into.get("endMs", last)) && !Number.isNaN(ms)) into.set("endMs", last, ms);
  }
  into.set("to", last, at(columns.to, to - 1));
}
