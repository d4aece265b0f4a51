import { at, Table } from "../table";
import { ITEMS, ItemKind, type Items, join } from "./map-items";

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
  for (let i = 0; i < items.size; ) {
    const chain = items.get("chain", i);
    let to = i + 1;
    // A group ends before a prompt, so that no turn is torn.
    const goesOn = () => to - i < size || items.get("kind", to) !== ItemKind.turn;
    const joins = () => to < items.size && !at(keeps, to) && items.get("chain", to) === chain;
    if (!at(keeps, i)) while (joins() && goesOn()) to++;
    const item = itemAt(items, i);
    if (to - i > 1) {
      for (let next = i + 1; next < to; next++) join(item, itemAt(items, next));
      // By the record of its first item a group is found again.
      item.record = items.get("record", i);
      item.kind = ItemKind.group;
      item.holds = to - i;
    }
    folded.push(item);
    i = to;
  }
  return folded;
}

/** One item as an object of its own. */
export function itemAt(items: Items, index: number): { [Name in keyof typeof ITEMS]: number } {
  const item = {} as { [Name in keyof typeof ITEMS]: number };
  for (const name of Object.keys(ITEMS) as (keyof typeof ITEMS)[]) item[name] = items.get(name, index);
  return item;
}
