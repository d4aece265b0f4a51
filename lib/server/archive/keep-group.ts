import { existsSync } from "node:fs";
import { faultCode } from "@/lib/server/disk/file-fault";
import { untilQuiet } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { Archive } from "./archive";
import { FILES_AT_ONCE, workAtOnce } from "./at-once";
import type { SourceFile } from "./keep-file";
import type { KeptFile } from "./manifest";

/** A file to keep, what is known to be kept of it, and what may be the same file where it lay before. */
export type Wanted = { source: SourceFile; known: KeptFile | null; moved: KeptFile | null };

/** What is kept of it then, or why it could not be read; null where it is gone. */
export type Outcome = { kept: KeptFile } | { unread: string | null };

/** Keeps files together, and tells of each what came of it. Rejects with what the store throws. */
export async function keepGroup(archive: Archive, group: readonly Wanted[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
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
  { source, known, moved }: Wanted,
  others: () => Promise<void>,
): Promise<Outcome> {
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
