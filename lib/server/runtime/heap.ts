import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives the system back what this thread's heap no longer needs, after work that has made much garbage and that nothing
 * follows: V8 alone keeps the room for more of the same, after 1 GB of logs 40 MB (Node 20) to 230 MB (Node 24). The
 * thread stands still for some 100 ms.
 * @param minBytes does nothing where it holds less, with the buffers outside of its heap
 * @returns false where it did nothing
 */
export function returnSpareMemory(minBytes: number): boolean {
  if (heldBytes() < minBytes) return false;
  const collect = garbageCollector();
  if (HAS_FLAVORS) collect({ type: "major", flavor: "last-resort" });
  else {
    setFlagsFromString("--compact-on-every-full-gc");
    collect();
    setFlagsFromString("--no-compact-on-every-full-gc");
  }
  return true;
}

/**
 * Collects what this thread has just made, which takes a few milliseconds. V8 makes the room for that smaller with a
 * collection before which little was made for five seconds: up to Node 20 the one of `returnSpareMemory` may come too
 * soon after the work, and left 34 MB of it. Later ones need no second one.
 */
export function returnYoungMemory(): void {
  if (!HAS_FLAVORS) garbageCollector()({ type: "minor" });
}

/** The memory of this thread's heap, and of the buffers outside of it. */
export function heldBytes(): number {
  const { total_physical_size, external_memory } = getHeapStatistics();
  return total_physical_size + external_memory;
}

/** From V8 12 on, so from Node 22: pages of the heap that were freed are kept in a pool, which only this one empties. */
const HAS_FLAVORS = Number.parseInt(process.versions.v8, 10) >= 12;

type Collect = (options?: { type: "major"; flavor: "last-resort" } | { type: "minor" }) => void;

/** Contexts that are made while the flag is set have it. */
function garbageCollector(): Collect {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as Collect;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
