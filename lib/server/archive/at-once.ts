/** While one waits for the disk or for another thread that packs it, the next is read; of short ones many share a batch. */
const MIN_AT_ONCE = 4;
const MAX_AT_ONCE = 64;
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

/**
 * Works on many items in their order, as many at once as are worth it. When one fails no further is begun, and it
 * rejects with that error when those under way have ended.
 * @param bytesOf how long an item is: of long ones only a few are worked on at once
 */
export async function workAtOnce<T>(
  items: Iterable<T>,
  bytesOf: (item: T) => number,
  work: (item: T) => Promise<void>,
  most = MAX_AT_ONCE,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    const one = work(item)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        running.delete(one);
        bytes -= bytesOf(item);
      });
    running.add(one);
    const isMuch = () => running.size >= MIN_AT_ONCE && bytes > MAX_BYTES_AT_ONCE;
    while (running.size >= most || isMuch()) await Promise.race(running);
    if (errors.length > 0) break;
  }
  await Promise.all(running);
  if (errors.length > 0) throw errors[0];
}
