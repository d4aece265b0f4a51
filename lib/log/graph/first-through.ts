import { at } from "@/lib/log/table/table";
import type { Branch } from "./branches";
import { stepAbove } from "./step-above";
import type { Steps } from "./steps";

const NONE = -1;

/** The first of a thread's branches that passes through a step. Each step is looked at once, however many branches share it. */
export function firstThrough(steps: Steps, branches: readonly Branch[], wanted: number): Branch | null {
  const seen = new Uint8Array(steps.count);
  for (const branch of branches) {
    const thread = at(steps.thread, branch.leaf);
    for (let step = branch.leaf; step !== NONE && !seen[step]; step = stepAbove(steps, thread, step)) {
      if (step === wanted) return branch;
      seen[step] = 1;
    }
  }
  return null;
}
