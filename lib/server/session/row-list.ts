import type { Branch } from "@/lib/log/graph/branches";
import type { RowList } from "@/lib/log/rows/flatten";
import { Level } from "@/lib/log/table/kinds";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import type { KeyedFolds } from "./laid-out-branches";
import type { OpenSession } from "./open-session";

/** Which turns and which runs of calls a reader has folded. */
export type ReaderFolds = KeyedFolds & {
  /** The runs that are open among the folded ones, by their first row's key; `null`: none is folded. */
  runs: readonly string[] | null;
};

/** Folded turns as a set, and the runs beside them. */
export function foldsOf(fold: readonly number[], runs: readonly string[] | null = null): ReaderFolds {
  const turns = new Set(fold);
  return { has: (turn) => turns.has(turn), key: [...turns].sort((a, b) => a - b).join(","), runs };
}

/** The rows of a branch as a reader sees them: those of a detail, without what is folded. */
export function rowList(session: OpenSession, branch: Branch, detail: Detail, folds: ReaderFolds): RowList {
  const { runs } = folds;
  // Who asks for everything wants every row, and no call is shown below this detail.
  if (runs === null || detail !== "tools") return session.rows(branch, Level[detail], folds);
  return session.foldedRows(branch, Level[detail], folds, runs.join(" "), () => {
    const open = new Set(runs.flatMap((run) => blockOf(session, run)));
    return (block) => open.has(block);
  });
}

/** The block of a row's key, if the log still has it. */
function blockOf(session: OpenSession, key: string): number[] {
  const [id = "", place] = key.split(".");
  try {
    const first = session.table.records.get("firstBlock", session.find(id as RecordId));
    return [first + Number(place)];
  } catch (error) {
    if (isViewerError(error)) return [];
    throw error;
  }
}
