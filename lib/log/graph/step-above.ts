import { at } from "@/lib/log/table/table";
import type { Steps } from "./steps";

const NONE = -1;

/**
 * The step above this one on a thread's way, -1 where the way begins: the main thread may pass through an
 * agent's file, an agent's way stays in its thread.
 */
export function stepAbove({ parent, thread }: Steps, of: number, step: number): number {
  const up = at(parent, step);
  return up !== NONE && (of === 0 || at(thread, up) === of) ? up : NONE;
}
