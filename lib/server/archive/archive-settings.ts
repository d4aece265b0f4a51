import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isMissing } from "@/lib/server/disk/file-fault";
import { isSlugOf } from "@/lib/server/disk/folder-entries";
import { makeFolders } from "@/lib/server/disk/make-folders.mjs";
import { renameHeld, writeDraft } from "@/lib/server/disk/rename-held.mjs";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ArchiveSettings } from "@/lib/wire/archive";
import { ArchiveSettingsBody } from "@/lib/wire/requests/archive";
import type { ListedFile } from "./files-to-keep";
import { belowRoot, projectFolderOf, projectsIn, sessionIdsIn } from "./kept-sessions";
import type { KeptFile } from "./manifest";

const DEFAULTS: ArchiveSettings = { enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: null };
const DAY_MS = 86_400_000;

/**
 * The rules stored with an archive. Throws the system's errors, and `archive-settings-damaged` for an invalid file:
 * with the default rules, files would be kept that the owner left out.
 */
export function readArchiveSettings(folder: string): ArchiveSettings {
  try {
    const json: unknown = JSON.parse(readFileSync(settingsFile(folder), "utf8"));
    const { data } = ArchiveSettingsBody.safeParse(json);
    if (data) return data;
  } catch (error) {
    if (isMissing(error)) return DEFAULTS;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ViewerError(
    "archive-settings-damaged",
    "New lines are not kept: the archive’s settings are not valid",
    {
      status: 409,
      path: settingsFile(folder),
      hint: `Correct ${settingsFile(folder)}, or remove it to keep everything.`,
    },
  );
}

/** Throws the system's errors. */
export function writeArchiveSettings(folder: string, settings: ArchiveSettings): void {
  makeFolders(folder, 0o700);
  const draft = `${settingsFile(folder)}.${process.pid}`;
  writeDraft(draft, `${JSON.stringify(settings, null, 2)}\n`);
  renameHeld(draft, settingsFile(folder));
}

function settingsFile(folder: string): string {
  return join(/*turbopackIgnore: true*/ folder, "settings.json");
}

/**
 * Chooses which of the listed files are to be kept by these rules.
 * @param kept what is kept already: it shows the project of sessions whose logs are gone
 */
export function keptByRules(
  { leftOut, maxAgeDays }: ArchiveSettings,
  files: readonly ListedFile[],
  kept: Iterable<KeptFile>,
): ListedFile[] {
  const oldestMs = maxAgeDays === null ? 0 : Date.now() - maxAgeDays * DAY_MS;
  const isYoung = ({ stats }: ListedFile) => stats.mtimeMs >= oldestMs;
  if (leftOut.length === 0) return files.filter(isYoung);
  const isLeftOut = (project: string) => leftOut.some((directory) => isSlugOf(project, directory));
  const out = new Set<string>();
  const known = new Set<string>();
  const note = (ids: readonly string[], isOut: boolean) => {
    for (const id of ids) (isOut ? out : known).add(id);
  };
  for (const file of files) note(isOfProject(file) ? idsOf(file) : [], projectsOf(file).some(isLeftOut));
  for (const file of kept) {
    const project = file.kind === "log" ? projectFolderOf(file) : null;
    if (project !== null) note(sessionIdsIn(belowRoot(file)), isLeftOut(project));
  }
  return files.filter((file) => {
    const ids = idsOf(file);
    if (!isYoung(file) || projectsOf(file).some(isLeftOut) || ids.some((id) => out.has(id))) return false;
    // Todos, tasks and backups have the session's id only in their names. Without its log they may be of any project.
    return isOfProject(file) || ids.length === 0 || ids.some((id) => known.has(id));
  });
}

function isOfProject({ folder }: ListedFile): boolean {
  return folder === null || folder === "projects" || folder === "conversations";
}

/** The folders in a file's path that may be its project's: one, except for a folder that was named for its logs. */
function projectsOf(file: ListedFile): string[] {
  const { folder, source } = file;
  if (folder === null) return projectsIn(source.path);
  const [project, ...below] = relative(source.within, source.path).split(sep);
  return isOfProject(file) && project !== undefined && below.length > 0 ? [project] : [];
}

function idsOf({ source: { within, path } }: ListedFile): string[] {
  return sessionIdsIn(relative(within, path));
}
