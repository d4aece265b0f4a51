import type { Branch } from "@/lib/log/graph/branches";
import { lanesBeside, type RailLanes, railLanes } from "@/lib/log/map/rail-lanes";
import type { RowList } from "@/lib/log/rows/flatten";
import type { Row } from "@/lib/wire/rows";
import type { OpenSession } from "./open-session";

/** Lanes go with the list of rows that they stand beside. */
const lanesOf = new WeakMap<RowList, RailLanes>();

/** The lanes beside a list of a branch's rows, found once. */
export function rowLanes(session: OpenSession, branch: Branch, list: RowList): RailLanes {
  const lanes = lanesOf.get(list) ?? railLanes(session.table, session.graph, session.path(branch), list);
  lanesOf.set(list, lanes);
  return lanes;
}

/** Puts beside rows `from …` of a list what stands in the rail there. */
export function withLanes(lanes: RailLanes, from: number, rows: readonly Row[]): Row[] {
  const beside = lanesBeside(lanes, from, from + rows.length);
  return rows.map((row, index) => {
    const open = beside[index] ?? [];
    const spine = lanes.spine[from + index] ?? 0;
    if (open.length === 0 && spine === 0) return row;
    const drawn = { ...row, ...(open.length > 0 && { lanes: open }), ...(spine > 0 && { spine }) };
    const above = lanes.spine[from + index - 1] ?? 0;
    return drawn.kind === "fork" && above > 0 ? { ...drawn, spineAbove: above } : drawn;
  });
}
