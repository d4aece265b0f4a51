import type { SessionId } from "@/lib/wire/ids";

/** So much waits at the threads that scan, which then never wait for us, however small the sessions are. */
const AHEAD_BYTES = 8 << 20;
const LEAST_AHEAD = 4;
const MOST_AHEAD = 32;

/** What is scanned; `next` is null at the end. */
type Source = { next(): Promise<SessionId | null>; bytesOf(id: SessionId): number };

/** Scans one session after another without waiting for each to end, as many at once as are worth it. */
export async function scanAhead(
  { next, bytesOf }: Source,
  scan: (id: SessionId) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let aheadBytes = 0;
  for (let id = await next(); id !== null; id = await next()) {
    const bytes = bytesOf(id);
    aheadBytes += bytes;
    const scanning = scan(id).finally(() => {
      running.delete(scanning);
      aheadBytes -= bytes;
    });
    running.add(scanning);
    while (running.size >= MOST_AHEAD || (running.size >= LEAST_AHEAD && aheadBytes > AHEAD_BYTES))
      await Promise.race(running);
  }
  await Promise.all(running);
}
