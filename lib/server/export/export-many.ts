import type { Rewriting } from "@/lib/redact/home-folder";
import type { Catalog } from "@/lib/server/library/catalog";
import { findSession } from "@/lib/server/library/find-session";
import { isViewerError, type ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { Annotation } from "@/lib/wire/annotations";
import { EXPORT_FORMATS } from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import { choose, WHOLE } from "./chosen-part";
import { type ExportDownload, type ExportSettings, exportSession } from "./export-session";
import type { Contents } from "./left-out";
import { type FileInZip, zipOf } from "./zip";

/**
 * How all sessions of a zip are exported. `redactionOf`: what is replaced in one, found as it is exported; `commentsOf`: the
 * comments that go along with it, in which that is replaced too.
 */
export type ManySettings = Pick<ExportSettings, "format"> &
  Contents & {
    redactionOf: ((id: SessionId) => Promise<Rewriting | null>) | null;
    commentsOf: ((id: SessionId, redaction: Rewriting | null) => Promise<readonly Annotation[]>) | null;
  };

/**
 * Sessions as a zip, each named by its id or by a beginning of it that no other has. Each is made when its turn comes.
 * One that cannot be exported is a text that says why. Throws `session-not-found` before anything is made.
 */
export function exportMany(
  catalog: Catalog,
  sessions: SessionQueries,
  wanted: readonly string[],
  settings: ManySettings,
): ExportDownload {
  const found = [...new Set(wanted.map((id) => findSession(catalog, id)))];
  const name = `backscroll-${found.length}-sessions.zip`;
  return { name, mediaType: "application/zip", pieces: zipOf(filesOf(catalog, sessions, found, settings)) };
}

async function* filesOf(
  catalog: Catalog,
  sessions: SessionQueries,
  found: readonly SessionSummary[],
  { format, redactionOf, commentsOf, thinking, tools, agents, images }: ManySettings,
): AsyncGenerator<FileInZip> {
  const taken = new Set<string>();
  for (const summary of found) {
    const { id } = summary;
    let name = nameOf({ ...summary, title: "" });
    try {
      await catalog.settle(id);
      const redaction = redactionOf ? await redactionOf(id) : null;
      name = nameOf(redaction ? { ...summary, title: redaction.redactText(summary.title) } : summary);
      const choice = await choose(sessions, id, { ...WHOLE, thinking, tools, agents, images });
      const comments = commentsOf && (await commentsOf(id, redaction));
      const file = await exportSession(sessions, catalog.sessionFiles(id), {
        ...{ format, redaction, choice, comments },
      });
      yield { path: unlike(taken, name, extensionOf(file.name)), pieces: file.pieces };
    } catch (error) {
      if (!isViewerError(error)) throw error;
      yield { path: unlike(taken, name, ".txt"), pieces: reason(error) };
    }
  }
}

async function* reason({ message, hint }: ViewerError): AsyncGenerator<string> {
  yield `${[message, hint].filter(Boolean).join(". ")}\n`;
}

/** What files of exports end with, the longer ones first: `.json` is also the end of others. A clone with agents is a zip. */
const EXTENSIONS = [...Object.values(EXPORT_FORMATS).map(({ extension }) => extension), "zip"]
  .map((extension) => `.${extension}`)
  .toSorted((a, b) => b.length - a.length);

/** `.md`, `.trace.json`: the part of a name after the id. */
function extensionOf(name: string): string {
  return EXTENSIONS.find((extension) => name.endsWith(extension)) ?? "";
}

const MAX_TITLE = 60;
/** File systems count bytes: 255 for a whole name, in UTF-8 on Linux. */
const MAX_TITLE_BYTES = 200;
/** Characters that Windows allows in no name, and invisible ones. */
const UNSAFE = /[<>:"/\\|?*\p{C}\p{Zl}\p{Zp}]+/gu;

/** The name of a session's file: its day, its title and the beginning of its id, as every system accepts it. */
export function nameOf({
  id,
  title,
  startedAtMs,
}: Pick<SessionSummary, "id" | "title" | "startedAtMs">): string {
  const uuid = /[0-9a-f]{8}(?=-[0-9a-f]{4}-)/.exec(id)?.[0];
  const words = beginningOf(title.replace(UNSAFE, " ").replace(/\s+/g, " ").trim()).trim();
  const name = [dayOf(startedAtMs), words, uuid ?? id.slice(0, 8)].filter(Boolean).join(" ");
  return name.replace(/[. ]+$/, "");
}

function beginningOf(title: string): string {
  let [bytes, beginning] = [0, ""];
  for (const character of Array.from(title).slice(0, MAX_TITLE)) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_TITLE_BYTES) break;
    beginning += character;
  }
  return beginning;
}

function dayOf(atMs: number | null): string {
  if (atMs === null) return "undated";
  const day = new Date(atMs);
  const two = (count: number) => String(count).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** A path that no other file has, also on systems that ignore case, or how an accent is spelled. */
export function unlike(taken: Set<string>, name: string, extension: string): string {
  const spelled = (path: string) => path.normalize("NFC").toLowerCase();
  let path = name + extension;
  for (let count = 2; taken.has(spelled(path)); count++) path = `${name} (${count})${extension}`;
  taken.add(spelled(path));
  return path;
}
