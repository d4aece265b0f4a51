import { at } from "@/lib/log/table/table";
import { memberAfter, membersOf, type Steps } from "./steps";

const NONE = -1;

/**
 * Puts the records of a step in reading order: as they stand in the file, but a record whose parent
 * is in the step comes behind it. 2.1.110 (tui-todo) writes the last of five parallel calls first.
 */
export function orderMembers(steps: Steps, parents: Int32Array): void {
  const { count, of, first } = steps;
  for (let step = 0; step < count; step++) {
    let ordered = true;
    for (let record = at(first, step); record !== NONE && ordered; record = memberAfter(steps, record)) {
      const up = at(parents, record);
      ordered = up === NONE || up < record || at(of, up) !== step;
    }
    if (!ordered)
      linkMembers(
        steps,
        step,
        parentsFirst([...membersOf(steps, step)], parents, (record) => at(of, record) === step),
      );
  }
}

/** Makes these the records of a step, in this order. */
export function linkMembers({ first, next }: Steps, step: number, records: readonly number[]): void {
  let after = NONE;
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i] as number;
    next[record] = after;
    after = record;
  }
  first[step] = after;
}

/** `resolveParents` guarantees that the walk up ends. */
function parentsFirst(
  list: readonly number[],
  parents: Int32Array,
  isHere: (record: number) => boolean,
): number[] {
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
  return order;
}
