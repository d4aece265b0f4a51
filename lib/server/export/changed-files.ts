import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { FileAt } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";
import {
  foldersOf,
  IS_FOLDER,
  OUTSIDE,
  placeBelow,
  whyUnknown,
  whyUnwritable,
} from "@/lib/wire/recovered-files.mjs";
import { unlike } from "./export-many";
import type { ExportDownload } from "./export-session";
import { settled } from "./html/log-reader";
import { type FileInZip, zipOf } from "./zip";

/**
 * All files that a session changed, by their paths in its project, as they were when a record was written, or as they
 * ended: a zip. What is not whole in the logs, is outside of the project, or cannot be written is not in it but in a list
 * there.
 * @param at a record or a version of a file; `null` for the end
 * @throws ViewerErrors before anything is made: `file-not-touched` where it changed no file of its project,
 *   `record-not-found`
 */
export async function exportChangedFiles(
  sessions: SessionQueries,
  id: SessionId,
  at: string | null,
): Promise<ExportDownload> {
  const { project } = await settled(() => sessions.detail(id));
  const touched = await settled(() => sessions.touchedFiles(id));
  const paths = touched.filter(({ changes }) => changes > 0).map(({ path }) => path);
  const first = paths.find((path) => placeBelow(project.path, path) !== null);
  if (first === undefined)
    throw new ViewerError("file-not-touched", "This session changed no file of its project", {
      hint: "The changes list those outside of it, one by one.",
    });
  const read = (path: string) => settled(() => sessions.file(id, { path, at, against: null, blame: false }));
  await read(first);
  return {
    name: `${id}-files.zip`,
    mediaType: "application/zip",
    pieces: zipOf(filesOf(project.path, paths, read)),
  };
}

async function* filesOf(
  project: string,
  paths: readonly string[],
  read: (path: string) => Promise<FileAt>,
): AsyncGenerator<FileInZip> {
  const taken = new Set<string>();
  const left: string[] = [];
  const places = paths.map((path) => placeBelow(project, path));
  const folders = foldersOf(places.flatMap((place) => (place ? [place] : [])));
  for (const [index, path] of paths.entries()) {
    const place = places[index];
    const why = place ? whyUnwritable(path, place) : OUTSIDE;
    if (!place || why !== null) {
      left.push(`${path} ${why}`);
      continue;
    }
    const file = await read(path);
    if (file.exists === false) continue;
    const name = place.join("/");
    const whyNot = whyUnknown(file) ?? (folders.has(name) ? IS_FOLDER : null);
    if (whyNot === null) yield { path: unlike(taken, name, ""), pieces: textOf(file.content ?? "") };
    else left.push(`${path} ${whyNot}`);
  }
  if (left.length > 0)
    yield { path: unlike(taken, "left-out", ".txt"), pieces: textOf(`Left out:\n\n${left.join("\n")}\n`) };
}

async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}
