import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "@/lib/server/disk/file-fault";
import type { ArchiveSettings } from "@/lib/wire/archive";
import { ArchiveSettingsBody } from "@/lib/wire/requests";
import type { ListedFile } from "./files-to-keep";
import { projectFolderOf, slugOf } from "./kept-sessions";

const DEFAULTS: ArchiveSettings = { enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: null };
const DAY_MS = 86_400_000;

/** The rules that lie with an archive. Those of a file that makes no sense are the usual ones. Throws the system's errors. */
export function readArchiveSettings(folder: string): ArchiveSettings {
  try {
    const json: unknown = JSON.parse(readFileSync(settingsFile(folder), "utf8"));
    return ArchiveSettingsBody.safeParse(json).data ?? DEFAULTS;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return DEFAULTS;
    throw error;
  }
}

/** Throws the system's errors. */
export function writeArchiveSettings(folder: string, settings: ArchiveSettings): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${settingsFile(folder)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, settingsFile(folder));
}

function settingsFile(folder: string): string {
  return join(/*turbopackIgnore: true*/ folder, "settings.json");
}

/** Tells which of the files that were listed are to be kept by these rules. */
export function keptByRules(
  { leftOut, maxAgeDays }: ArchiveSettings,
  files: readonly ListedFile[],
): ListedFile[] {
  const oldestMs = maxAgeDays === null ? 0 : Date.now() - maxAgeDays * DAY_MS;
  const slugs = new Set(leftOut.map(slugOf));
  const isOut = ({ source }: ListedFile) => slugs.has(slugOf(projectFolderOf(source.path) ?? ""));
  // Todos, tasks and backups have the session's id in their names alone.
  const ids = new Set(files.filter(isOut).flatMap(({ source }) => source.path.match(SESSION_ID) ?? []));
  const hasId = ({ source }: ListedFile) =>
    ids.size > 0 && (source.path.match(SESSION_ID) ?? []).some((id) => ids.has(id));
  return files.filter((file) => file.stats.mtimeMs >= oldestMs && !isOut(file) && !hasId(file));
}

const SESSION_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
