import { setFlagsFromString } from "node:v8";

/** How much a heap may grow over what lives in it before it is cleaned up, in per cent. */
const GROWTH = 50;

let isLean = false;

/**
 * Keeps the memory of a server that people watch near what it needs. Following files makes much that is soon
 * garbage, and left alone V8 lets a heap grow to four times of what lives in it: under 10,000 lines a second some
 * 150 MB more, for a few per cent less work.
 */
export function keepHeapLean(): void {
  if (isLean) return;
  isLean = true;
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
