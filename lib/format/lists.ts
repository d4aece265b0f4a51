/**
 * The first place in `from … to` at which `isReached` holds; `to` if there is none. Once it holds, it must hold at all
 * later places: then a few calls are enough.
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

/** Adds an item to the list under a key of a map, and starts that list with the first item. */
export function addTo<Key, One>(lists: Map<Key, One[]>, key: Key, one: One): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

/** Puts an entry at the end of a map, and drops the oldest entries while there are more than `most`. */
export function putLatest<Key, One>(kept: Map<Key, One>, key: Key, one: One, most: number): void {
  kept.delete(key);
  kept.set(key, one);
  for (const oldest of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(oldest);
  }
}

/** True for lists of the same items in the same order. */
export function isSameList<One>(one: readonly One[], other: readonly One[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}

/** The set with this key added, or removed if it was in the set. */
export function toggled<Key>(keys: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
