import type { Steps } from "./steps";
import { at } from "./table";

const NONE = -1;

/**
 * Puts the records of a step in reading order: as they stand in the file, but a record whose parent
 * is in the step comes behind it. 2.1.110 (tui-todo) writes the last of five parallel calls first.
 */
export function orderMembers(steps: Steps, parents: Int32Array): void {
  const { count, of, memberStart, members } = steps;
  for (let step = 0; step < count; step++) {
    const from = at(memberStart, step);
    const to = at(memberStart, step + 1);
    let ordered = true;
    for (let i = from; i < to && ordered; i++) {
      const up = at(parents, at(members, i));
      ordered = up === NONE || up < at(members, i) || at(of, up) !== step;
    }
    if (!ordered)
      members.set(
        parentsFirst(members.slice(from, to), parents, (record) => at(of, record) === step),
        from,
      );
  }
}

/** `resolveParents` guarantees that the walk up ends. */
function parentsFirst(
  list: Int32Array,
  parents: Int32Array,
  isHere: (record: number) => boolean,
): Int32Array {
  const placed = new Set<number>();
  const order: number[] = [];
  const waiting: number[] = [];
  for (const start of list) {
    for (
      let record = start;
      record !== NONE && isHere(record) && !placed.has(record);
      record = at(parents, record)
    ) {
      placed.add(record);
      waiting.push(record);
    }
    while (waiting.length > 0) order.push(waiting.pop() as number);
  }
  return Int32Array.from(order);
}
