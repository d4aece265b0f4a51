import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import { comparablePath, isAbsolutePath } from "@/lib/format/text";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { openConfined } from "@/lib/server/disk/confined-file";
import { readRange } from "@/lib/server/disk/read-range";
import type { Surroundings } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "../open-session";
import { type Seen, wholeText } from "./file-text";

const MAX_BACKUP_BYTES = 16 << 20;

/**
 * A backup of a file as a snapshot names it. `name` begins with the hash of its path; `null` if the file did not exist.
 */
export type Backup = {
  record: number;
  path: string;
  parent: string | null;
  name: string | null;
  content: string | null;
  version: number | null;
  atMs: number;
};

/** The backups that a `file-history-…` record names. */
export function backupsOf(record: number, type: string, json: JsonObject): Backup[] {
  const listed =
    type === "file-history-delta"
      ? [[asString(json.trackingPath) ?? "", json.backup] as const]
      : Object.entries(asObject(asObject(json.snapshot)?.trackedFileBackups) ?? {});
  return listed.flatMap(([path, value]) => {
    const backup = asObject(value);
    const atMs = Date.parse(asString(backup?.backupTime) ?? "");
    if (!backup || Number.isNaN(atMs)) return [];
    return {
      record,
      path,
      parent: asString(backup.realParentDir),
      name: asString(backup.backupFileName),
      content: asString(backup.content),
      version: asNumber(backup.version),
      atMs,
    };
  });
}

/** Snapshots repeat the backups of files that have not changed since. */
export function firstOfEach(backups: readonly Backup[]): Backup[] {
  const first = new Map<string, Backup>();
  for (const backup of backups) {
    const key = JSON.stringify([
      backup.path,
      backup.version,
      backup.name,
      backup.version === null ? backup.atMs : 0,
    ]);
    const other = first.get(key);
    if (!other || backup.atMs < other.atMs) first.set(key, backup);
  }
  return [...first.values()];
}

/** The backups of one file. Their names begin with the hash of its path; a file that did not exist has no name. */
export function backupsOfFile(backups: readonly Backup[], around: Surroundings, path: string): Backup[] {
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const tracked = new Set(
    backups.filter(({ name }) => name?.startsWith(`${hash}@`)).map((backup) => backup.path),
  );
  return backups.filter((backup) => {
    if (backup.name !== null) return backup.name.startsWith(`${hash}@`);
    return tracked.has(backup.path) || placeOfBackup(backup, around) === normalized(path);
  });
}

/**
 * The path of a backup's file, as `normalized`. The backup gives it relative to the project's folder, or relative to
 * `parent`, which may already contain the folders that the path names.
 */
function placeOfBackup({ path, parent }: Backup, { projectPath }: Surroundings): string {
  if (isAbsolutePath(path)) return normalized(path);
  const own = comparablePath(parent ?? projectPath);
  const below = comparablePath(`${own}/${path}`).slice(own.length + 1);
  const inside = posix.dirname(below);
  const isOwn = parent !== null && inside !== "." && own.endsWith(`/${inside}`);
  return posix.join(isOwn ? own.slice(0, -inside.length) : own, below);
}

function normalized(path: string): string {
  return posix.normalize(comparablePath(path));
}

/** The content of a backup; `null` if its file no longer exists. */
export async function backedUp(
  session: OpenSession,
  around: Surroundings,
  backup: Backup,
): Promise<Seen | null> {
  if (backup.content !== null) return wholeText(backup.content);
  if (backup.name === null) return "absent";
  if (around.configRoot === null || !/^[0-9a-f]{16}@v\d+$/.test(backup.name)) return null;
  const path = join(around.configRoot, "file-history", around.stem, backup.name);
  try {
    const handle = await openConfined(around.configRoot, path);
    try {
      const { size } = await handle.stat();
      if (size > MAX_BACKUP_BYTES) return null;
      const text = new TextDecoder().decode(await readRange(handle, 0, size));
      const { redaction } = session;
      return wholeText(redaction?.redactText(text, redaction.isSettings(backup.name)) ?? text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isViewerError(error)) throw error;
    return null; // the client deletes old ones
  }
}
