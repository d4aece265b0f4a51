/**
 * How often a random test runs: `npm test` runs a sample that is the same each time, `npm run soak` many more of
 * another seed. Every test that asks here is one of the soak tests.
 */
const SOAK_SEED = process.env.BACKSCROLL_SEED;

/** How many sequences, rounds or kills: `sample` in `npm test`, `soak` in `npm run soak`. */
export function runs(sample: number, soak: number): number {
  return SOAK_SEED === undefined ? sample : soak;
}

/**
 * Of many of one kind, as the sessions of a recording: every `nth` in `npm test`, all of them in a soak. With another
 * `from` it is others, so that recordings of the same scenarios together have all of those.
 */
export function sampleOf<Item>(items: readonly Item[], nth: number, from = 0): Item[] {
  return items.filter((_, index) => (index + from) % runs(nth, 1) === 0);
}

/** Options of `fc.assert`. `seed`: that of the sample. In a soak a failure ends the run without being made smaller. */
export function sampled(
  seed: number,
  sample: number,
  soak: number,
): { numRuns: number; seed: number; endOnFailure: boolean } {
  return {
    numRuns: runs(sample, soak),
    seed: SOAK_SEED === undefined ? seed : Number(SOAK_SEED),
    endOnFailure: SOAK_SEED !== undefined,
  };
}

/** Numbers below a limit, the same after each start in `npm test`. */
export function seededRandom(seed: number): (below: number) => number {
  let state = (SOAK_SEED === undefined ? seed : Number(SOAK_SEED) + seed) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state % Math.max(1, below);
  };
}
