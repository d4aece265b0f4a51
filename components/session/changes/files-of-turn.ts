import type { RecordId } from "@/lib/wire/ids";
import type { FileEntry } from "@/lib/wire/session";

export type FileChanges = {
  path: string;
  added: number;
  removed: number;
  changes: { recordId: RecordId; block: number; turn: number }[];
};

/** The files that a turn changed, or (`null`) the session, by path, with the calls that did, in order. */
export function filesOfTurn(files: readonly FileEntry[], turn: number | null): FileChanges[] {
  return files
    .map(({ path, added, removed, recordIds, blocks, turns }) => ({
      path,
      added,
      removed,
      changes: recordIds
        .map((recordId, index) => ({ recordId, block: blocks[index] ?? 0, turn: turns[index] ?? 0 }))
        .filter((change) => turn === null || change.turn === turn),
    }))
    .filter(({ changes }) => changes.length > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
