const ROUNDS = 5;
const TIMES_LARGER = 16;

/** What `timeGrowth` may be at the most for work that is linear: half way, by ratio, from 16 to the 256 of a square. */
export const MAX_LINEAR_GROWTH = 64;

/**
 * How many times as long some work takes for sixteen times its size: about 16 where its time is linear, 256 where it
 * grows as the square. It is the processor's time that counts, and the least of several rounds, small and large by turns: a
 * busy machine changes little.
 */
export function timeGrowth(work: (size: number) => void, size: number): number {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  work(size);
  for (let round = 0; round < ROUNDS; round++) {
    small = Math.min(small, processorTime(work, size));
    large = Math.min(large, processorTime(work, TIMES_LARGER * size));
  }
  return large / small;
}

/** In microseconds. */
function processorTime(work: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
