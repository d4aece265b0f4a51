import { existsSync } from "node:fs";
import { faultCode } from "@/lib/server/disk/file-fault";
import { untilQuiet } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { Archive } from "./archive";
import { FILES_AT_ONCE, workAtOnce } from "./at-once";
import type { SourceFile } from "./keep-file";
import type { KeptFile } from "./manifest";

/** A file to keep, its known state in the archive, and what may be the same file at its former path. */
export type FileToKeep = { source: SourceFile; known: KeptFile | null; moved: KeptFile | null };

/** Its new state in the archive, or why it could not be read; null if it is gone. */
export type KeepResult = { kept: KeptFile } | { unread: string | null };

/** Keeps files together, and returns the result of each. Rejects with the store's errors. */
export async function keepGroup(archive: Archive, group: readonly FileToKeep[]): Promise<KeepResult[]> {
  const outcomes: KeepResult[] = [];
  await workAtOnce(
    group.entries(),
    async ([n, wanted], others) => {
      outcomes[n] = await keepOne(archive, wanted, others);
    },
    FILES_AT_ONCE,
  );
  return outcomes;
}

async function keepOne(
  archive: Archive,
  { source, known, moved }: FileToKeep,
  others: () => Promise<void>,
): Promise<KeepResult> {
  await untilQuiet();
  try {
    return { kept: await archive.keep(source, known, moved, others) };
  } catch (error) {
    if (isViewerError(error)) return { unread: error.code === "file-gone" ? null : error.message };
    // It was removed since it was listed.
    if (faultCode(error) === "ENOENT" && !existsSync(source.path)) return { unread: null };
    throw error;
  }
}
