import { asObject, asString } from "./json";
import type { OutcomeLine } from "./upgrade-outcome";

declare const current: unique symbol;

/** A line as clients write it today: the last step of `upgrade`. */
export type CurrentLine = OutcomeLine & { readonly [current]?: true };

/**
 * Snapshots whose backups are the files' contents, where today they name a file of `file-history/`
 * (`e2e/fixtures/older/projects`, the session of snapshots). The content stays with its backup.
 */
export function withBackups(line: OutcomeLine): CurrentLine {
  if (line.type !== "file-history-snapshot") return line;
  const snapshot = asObject(line.snapshot);
  const backups = Object.entries(asObject(snapshot?.trackedFileBackups) ?? {});
  if (!backups.some(([, backup]) => typeof backup === "string")) return line;
  const backupTime = asString(snapshot?.timestamp);
  const upgraded = backups.map(([path, backup]) => [
    path,
    typeof backup === "string"
      ? { backupFileName: null, version: null, backupTime, content: backup }
      : backup,
  ]);
  return { ...line, snapshot: { ...snapshot, trackedFileBackups: Object.fromEntries(upgraded) } };
}
