/**
 * Pure work over a whole session, which stops after each step: on a server's thread others are answered between two
 * (`inSlices`), anywhere else it is done at once.
 */
export type InSteps<Result> = Generator<undefined, Result, undefined>;

/** Things that are looked at in a step: together less than a millisecond. */
const STEP_ITEMS = 256;

/** Whether a step ends with the item of this number. */
export function endsStep(item: number): boolean {
  return item % STEP_ITEMS === STEP_ITEMS - 1;
}

/** The result of such work, without a stop. */
export function atOnce<Result>(work: InSteps<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
