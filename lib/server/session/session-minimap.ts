import { rowMarks } from "@/lib/log/map/row-marks";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { MinimapResponse } from "@/lib/wire/graph";
import type { RecordId } from "@/lib/wire/ids";
import { chooseBranch } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { rowLanes } from "./row-lanes";
import { foldsOf, rowList } from "./row-list";
import type { MinimapQuery } from "./session-queries";

/** Two pixels of a high screen. */
const MOST_BUCKETS = 600;

/** Where things stand in a thread's rows, whatever its length. */
export function minimapOf(session: OpenSession, query: MinimapQuery): MinimapResponse {
  const { revision } = session;
  const branch = chooseBranch(session, query, null);
  if (!branch) {
    return {
      revision,
      total: 0,
      buckets: 1,
      density: "0",
      prompts: [],
      errors: [],
      edits: [],
      compactions: [],
      finds: [],
      agents: [],
    };
  }
  const wanted = new Set(query.find.flatMap((id) => recordIfThere(session, id)));
  const list = rowList(session, branch, query.detail, foldsOf(query.fold, query.runs));
  const { density, ...marks } = rowMarks(
    session.table,
    list,
    rowLanes(session, branch, list),
    MOST_BUCKETS,
    wanted,
  );
  return { revision, total: list.count, ...marks, density: density.join("") };
}

/** What was found may be gone by now: then it has no mark. */
function recordIfThere(session: OpenSession, id: RecordId): number[] {
  try {
    return [session.find(id)];
  } catch (error) {
    if (isViewerError(error)) return [];
    throw error;
  }
}
