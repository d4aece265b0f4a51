import { at } from "@/lib/log/table/table";
import { liveBit } from "./live-steps";
import type { StepDraft } from "./step-draft";

const NONE = -1;

/**
 * Step → the step that its records are shown with: itself where the conversation passes, else the
 * nearest live step it hangs from; lines before the first node of a thread (modes, snapshots) go to
 * the thread's first live step.
 */
export function dropDeadEnds({ count, of, parent, thread, live }: StepDraft): Int32Array {
  const home = new Int32Array(count).fill(NONE);
  const isLive = (step: number) => (at(live, step) & liveBit(at(thread, step))) !== 0;
  const trail: number[] = [];
  for (let start = 0; start < count; start++) {
    let step = start;
    trail.length = 0;
    while (at(home, step) === NONE) {
      const up = at(parent, step);
      if (at(live, step) || up === NONE || at(thread, up) !== at(thread, step)) {
        home[step] = step;
        break;
      }
      trail.push(step);
      step = up;
    }
    for (const passed of trail) home[passed] = at(home, step);
  }
  const firstLive = new Map<number, number>();
  for (let record = 0; record < of.length; record++) {
    const step = at(of, record);
    const up = at(parent, step);
    const starts = up === NONE || at(thread, up) !== at(thread, step);
    if (isLive(step) && starts && !firstLive.has(at(thread, step))) firstLive.set(at(thread, step), step);
  }
  for (let step = 0; step < count; step++) {
    if (at(home, step) === step && !at(live, step)) home[step] = firstLive.get(at(thread, step)) ?? step;
  }
  for (let step = 0; step < count; step++) home[step] = at(home, at(home, step));
  return home;
}
