import { runs } from "./runs";

const TIMES_LARGER = 32;
const MAX_ROUNDS = 25;
/** Of the small work in each round: all of them together take a fraction of the large work. */
const SMALL_TIMES = 8;

/** What `timeGrowth` may be at the most for work that is linear: between 32 and the 1,024 of a square, by ratio. */
export const MAX_LINEAR_GROWTH = 180;

/**
 * Characters of the smaller text for what searches texts: 2 KB and 64 KB in `npm test`, 8 KB and 256 KB in a soak. Of
 * 64 KB, too, work that grows as the square takes seconds.
 */
export const SMALL_TEXT = runs(1 << 11, 1 << 13);

/**
 * How many times as long some work takes for 32 times its size: about 32 where its time is linear, 1,024 where it grows
 * as the square. It is the processor's time that counts, and the least of several rounds, small and large by turns, until
 * the two are as linear work would have them: a machine that is busy, or is collecting garbage, only takes more rounds.
 */
export function timeGrowth(work: (size: number) => void, size: number): number {
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // The least of many: the first are not compiled yet, and a small time that is too long hides a square.
    for (let n = 0; n < SMALL_TIMES; n++) small = Math.min(small, processorTime(work, size));
    large = Math.min(large, processorTime(work, TIMES_LARGER * size));
    if (large / small < MAX_LINEAR_GROWTH) break;
  }
  return large / small;
}

/** In microseconds, and never none: the clock has steps. */
function processorTime(work: (size: number) => void, size: number): number {
  const before = process.cpuUsage();
  work(size);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
