import { setFlagsFromString } from "node:v8";

/** How much a heap may grow over what lives in it before it is cleaned up, in per cent. */
const GROWTH = 50;

/**
 * Keeps the memory of the server near what it needs. Reading and following files makes much that is soon
 * garbage, and left alone V8 lets a heap grow to four times what lives in it: under 10,000 lines a second some
 * 150 MB more, for a few per cent less work.
 */
export function keepHeapLean(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
