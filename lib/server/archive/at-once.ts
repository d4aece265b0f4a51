/** So much is worked on together; while one group waits for other threads or the disk, the next is begun. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;
const MAX_GROUP = 256;
export const GROUPS_AT_ONCE = 2;

/**
 * Works on many items in their order, several at once. When one fails no further is begun, and it rejects with that
 * error when those under way have ended.
 */
export async function workAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
  most: number,
): Promise<void> {
  const errors: unknown[] = [];
  let running = 0;
  let onEnd: () => void = () => undefined;
  const run = async (item: T) => {
    running += 1;
    await work(item).catch((error: unknown) => void errors.push(error));
    running -= 1;
    onEnd();
  };
  const oneEnds = () =>
    new Promise<void>((resolve) => {
      onEnd = resolve;
    });
  for (const item of items) {
    void run(item);
    while (running >= most) await oneEnds();
    if (errors.length > 0) break;
  }
  while (running > 0) await oneEnds();
  if (errors.length > 0) throw errors[0];
}

/**
 * Items in their order, in groups: many short ones, or one that is long.
 * @param bytesOf how long an item is
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

/** One of those that wait for each other. `isReady`: the others need not wait for it any more. */
export type Member = { isReady: () => void; others: () => Promise<void> };

/** Several that all come to one point before the first goes on from there. */
export class Together {
  #left: number;
  #open: () => void = () => undefined;
  readonly #all: Promise<void>;

  /** @param count as many as `member` is called, each of which gets ready in any case */
  constructor(count: number) {
    this.#left = count;
    this.#all = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  member(): Member {
    let isCounted = false;
    const isReady = () => {
      if (!isCounted) this.#left -= 1;
      isCounted = true;
      if (this.#left === 0) this.#open();
    };
    const others = () => {
      isReady();
      return this.#all;
    };
    return { isReady, others };
  }
}
