import type { HitItem } from "./search-groups";

/** The hit after this one, or before it; outside of the list past its ends. `index`: -1 for none. */
export function stepHit(items: readonly HitItem[], index: number, by: 1 | -1): number {
  let next = index < 0 && by < 0 ? items.length : index;
  do next += by;
  while (isHead(items[next]));
  return next;
}

/** The first hit of the next session, or of this one or the one before; `null` where there is none. */
export function firstOfSession(items: readonly HitItem[], index: number, by: 1 | -1): number | null {
  const firstOf = (head: number) => (isHead(items[head]) ? head + 1 : head);
  const heads = items.flatMap((item, at) => (item.kind === "session" ? [at] : []));
  const place = heads.findLastIndex((at) => at <= index);
  const atFirst = index === firstOf(heads[place] ?? 0);
  const head = heads[place + (by === 1 ? 1 : atFirst ? -1 : 0)];
  return head === undefined ? null : firstOf(head);
}

/** A heading that is no hit itself is skipped. */
function isHead(item: HitItem | undefined): boolean {
  return item?.kind === "session" && item.hit === null;
}
