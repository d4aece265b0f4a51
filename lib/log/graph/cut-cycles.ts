const NONE = -1;
const UNSEEN = 0;
const WALKED = 1;
const DONE = 2;

/** Cuts every cycle of a parent list where a walk up closes it, so that every walk ends at a root. In place, one pass. */
export function cutCycles(parents: Int32Array): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let node = start;
    while (node !== NONE && state[node] === UNSEEN) {
      state[node] = WALKED;
      const up = parents[node] as number;
      if (up !== NONE && state[up] === WALKED) {
        parents[node] = NONE;
        break;
      }
      node = up;
    }
    for (let walked = start; walked !== NONE && state[walked] === WALKED; walked = parents[walked] as number)
      state[walked] = DONE;
  }
}
