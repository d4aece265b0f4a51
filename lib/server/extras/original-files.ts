import { join, relative, sep } from "node:path";
import { isUnder } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import { slugOf } from "@/lib/server/disk/folder-entries";
import { namesIn, statOfPlainFile } from "@/lib/server/disk/kept-files";
import { fileBytes } from "@/lib/server/disk/read-range";
import type { SessionFiles, Surroundings } from "@/lib/server/library/session-files";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OriginalFile } from "@/lib/wire/session";
import { findExtras } from "./find-extras";

/**
 * A file of a session, on disk or kept. `path` is its path; `place` the path that the client gives it in its folder.
 */
export type SessionOriginal = { root: string; path: string; place: string };

/** The parts of the configuration folder that are a session's own: its project's notes are not. */
const OWN = new Set(["plan", "todos", "task", "file-history"]);
const MAX_DEPTH = 12;

/**
 * Every file that is a session's own, byte for byte as the client wrote it: logs, the contents of the session's folder,
 * todos, tasks, plans and file backups. Paths are those in the client's configuration folder, with `/`.
 */
export async function listOriginals(files: SessionFiles, around: Surroundings): Promise<OriginalFile[]> {
  const originals = await findOriginals(files, around);
  return originals.flatMap(({ path, place }) => {
    const bytes = sizeOf(path);
    return bytes === null ? [] : [{ path: place, bytes }];
  });
}

/** The bytes of one of them, up to its length when it was listed. Throws `original-not-found`. */
export async function readOriginal(
  files: SessionFiles,
  around: Surroundings,
  place: string,
): Promise<{ bytes: number; pieces: AsyncGenerator<Uint8Array> }> {
  const found = (await findOriginals(files, around)).find((one) => one.place === place);
  const bytes = found ? sizeOf(found.path) : null;
  if (!found || bytes === null)
    throw new ViewerError("original-not-found", "This session has no such file", {
      hint: "It may have been deleted since the files were listed.",
    });
  return { bytes, pieces: fileBytes(found.root, found.path, bytes) };
}

/** The same with their paths. */
export async function findOriginals(files: SessionFiles, around: Surroundings): Promise<SessionOriginal[]> {
  const { root, main, agents, folder } = files;
  const logs = [...(main.gone ? [] : [main]), ...agents].map(({ path }) => path);
  const metas = agents.flatMap(({ metaPath }) => metaPath ?? []);
  const beside = folder === null ? [] : filesBelow(folder);
  const extras = await findExtras(around, Number.POSITIVE_INFINITY);
  const originals = [
    ...[...logs, ...metas, ...beside].map((path) => ({ root, path })),
    ...extras.filter(({ kind }) => OWN.has(kind)),
  ];
  const byPlace = new Map<string, SessionOriginal>();
  for (const { root, path } of originals) {
    const place = placeOf(around, path);
    byPlace.set(place, { root, path, place });
  }
  return [...byPlace.values()];
}

/**
 * The path of a file in the client's folder. Logs from elsewhere get the path at which the client would look for them.
 */
function placeOf({ configRoot, root, folder, projectPath }: Surroundings, path: string): string {
  const parts =
    configRoot === null
      ? ["projects", slugOf(projectPath), relative(folder, path)]
      : isUnder(configRoot, path)
        ? [relative(configRoot, path)]
        : ["projects", relative(root, path)]; // that folder is a link
  return parts.join("/").replaceAll(sep, "/");
}

function filesBelow(top: string): string[] {
  const found: string[] = [];
  let level = [top];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const { files, folders } = namesIn(folder);
      for (const name of files) found.push(join(folder, name));
      for (const name of folders) next.push(join(folder, name));
    }
    level = next;
  }
  return found;
}

/** Null for a file that is gone or may not be read. */
function sizeOf(path: string): number | null {
  try {
    return statOfPlainFile(path)?.size ?? null;
  } catch (error) {
    if (isViewerError(error) || faultCode(error) !== null) return null;
    throw error;
  }
}
