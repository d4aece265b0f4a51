/**
 * The first place from `from` on, and before `to`, at which `isReached` holds; `to` where it holds at none. It must hold at
 * all places behind one at which it does: then a few looks are enough.
 */
export function firstPlace(from: number, to: number, isReached: (place: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Adds to the list that a map has under a key, which begins with the first. */
export function addTo<Key, One>(lists: Map<Key, One[]>, key: Key, one: One): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

/** The set with this key in it, or without it where it was in. */
export function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
