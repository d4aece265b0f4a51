import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { membersOf, type Steps } from "./steps";

const NONE = -1;

/**
 * How a fork's own lines rank a branch: 1 where they call it active, −1 where they call it inactive, 0 where
 * they say nothing, as in every version since 1.0. The line nearest to the leaf decides.
 */
export function forkRank(table: SessionTable, steps: Steps, leaf: number): number {
  for (let step = leaf; step !== NONE; step = at(steps.parent, step)) {
    for (const record of membersOf(steps, step)) {
      const flags = table.records.get("flags", record);
      if (flags & Flag.activeFork) return 1;
      if (flags & Flag.inactiveFork) return -1;
    }
  }
  return 0;
}

/** True when any line of the session says which branch of a fork is active. */
export function ranksForks({ records }: SessionTable): boolean {
  const flags = records.columns.flags;
  for (let record = 0; record < records.size; record++)
    if ((flags[record] as number) & (Flag.activeFork | Flag.inactiveFork)) return true;
  return false;
}
