/** The size of a group, in bytes and files. While one group waits for other threads or the disk, the next is begun. */
const MAX_GROUP_BYTES = 16 * 1024 * 1024;
const MAX_GROUP = 256;
export const GROUPS_AT_ONCE = 2;
/** The number of files of a group in progress: each has a piece of memory until it is packed. */
export const FILES_AT_ONCE = 6;

/**
 * Works on many items in order, at most `most` at once. When one fails no further is begun, and it rejects with that
 * error when those in progress have ended.
 * @param work may wait for `others` once: until every item has reached that point, or has ended. An item that waits
 * makes room for the next.
 */
export async function workAtOnce<T>(
  items: Iterable<T>,
  work: (item: T, others: () => Promise<void>) => Promise<void>,
  most: number,
): Promise<void> {
  const errors: unknown[] = [];
  const begun: Promise<void>[] = [];
  let busy = 0;
  let onRoom: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const run = async (item: T) => {
    let isBusy = true;
    busy += 1;
    const makeRoom = () => {
      if (isBusy) busy -= 1;
      isBusy = false;
      onRoom();
      return all;
    };
    await work(item, makeRoom).catch((error: unknown) => void errors.push(error));
    void makeRoom();
  };
  const room = () =>
    new Promise<void>((resolve) => {
      onRoom = resolve;
    });
  for (const item of items) {
    begun.push(run(item));
    while (busy >= most) await room();
    if (errors.length > 0) break;
  }
  while (busy > 0) await room();
  goOn();
  await Promise.all(begun);
  if (errors.length > 0) throw errors[0];
}

/**
 * Items in order, in groups: many short ones, or a single long one.
 * @param bytesOf the length of an item
 */
export function inGroups<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const groups: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    const group = groups.at(-1);
    if (group && bytes <= MAX_GROUP_BYTES && group.length < MAX_GROUP) group.push(item);
    else {
      groups.push([item]);
      bytes = bytesOf(item);
    }
  }
  return groups;
}
