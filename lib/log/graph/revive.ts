import { at } from "@/lib/log/table/table";
import { liveBit } from "./live-steps";
import { linkMembers } from "./order-members";
import { membersOf, type Steps } from "./steps";

const NONE = -1;

/**
 * Makes steps of dead ends from which something hangs now; they take along what hung from them.
 * @param dead the lowest first
 * @param crossed records from which another thread's step hangs: they stay where they are
 * @returns the last record of every step that has others now; null where more would have to move
 */
export function revive(
  steps: Steps,
  parents: Int32Array,
  dead: readonly number[],
  crossed: ReadonlySet<number>,
): Map<number, number> | null {
  const threadOf = (record: number) => at(steps.thread, at(steps.own, record));
  const top = dead.at(-1) as number;
  const home = at(steps.of, top);
  const stem = at(parents, top);
  // A root that comes to life may be the one that takes in the stray lines of its thread.
  if (stem === NONE || threadOf(stem) !== threadOf(top)) return null;
  if (dead.some((record) => at(steps.of, record) !== home)) return null;
  for (const record of dead) steps.live[at(steps.own, record)] = liveBit(threadOf(top));
  const shared = new Map<number, number[]>([[home, []]]);
  for (const member of [...membersOf(steps, home)]) {
    const step = homeOf(steps, parents, member, home);
    if (step !== home && crossed.has(member)) return null;
    steps.of[member] = step;
    const list = shared.get(step);
    if (list) list.push(member);
    else shared.set(step, [member]);
  }
  for (const [step, members] of shared) linkMembers(steps, step, members);
  for (const record of dead) steps.parent[at(steps.own, record)] = at(steps.of, at(parents, record));
  return new Map([...shared].map(([step, members]) => [step, members.at(-1) ?? NONE]));
}

/** Where a member of `home` belongs once some of its dead ends live. Those above it have their place already. */
function homeOf(steps: Steps, parents: Int32Array, member: number, home: number): number {
  const own = at(steps.own, member);
  if (at(steps.live, own) !== 0) return own;
  const up = at(parents, member);
  const stays = up === NONE || at(steps.thread, at(steps.own, up)) !== at(steps.thread, own);
  return stays ? home : at(steps.of, up);
}
