import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import type { LogFile } from "@/lib/server/library/session-files";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import { isContinued } from "@/lib/server/scan/file-identity";
import type { StoredFile } from "@/lib/server/scan/stored-session";
import type { SessionId } from "@/lib/wire/ids";

/**
 * How far the logs of a session were read, by their keys, and what identifies them up to there. All states of a session
 * that grows share it: it is true of the last one. Empty where that is not known.
 */
export type LogsRead = ReadonlyMap<string, StoredFile>;

export const NOTHING_READ: LogsRead = new Map();

/** What is known of a session's logs after a scan of them. */
export function logsRead(files: readonly StoredFile[]): Map<string, StoredFile> {
  return new Map(files.map((file) => [file.key, file]));
}

/** `log-rewritten`: a log was cut or replaced since its session was read, so that no place in it can be relied on. */
export class LogRewritten extends ViewerError {
  readonly sessionId: SessionId;

  constructor(sessionId: SessionId, path: string) {
    super("log-rewritten", "The log was cut or written anew while it was read", {
      path,
      status: 409,
      hint: "Ask again: it is read anew.",
    });
    this.sessionId = sessionId;
  }
}

/** True for an answer that failed because its session must be read anew. */
export function isLogRewritten(error: unknown): error is LogRewritten {
  return isViewerError(error) && error.code === "log-rewritten";
}

/**
 * Throws `LogRewritten` if an open log is no longer what its session was read from, or has grown from that. To be called
 * after a read: what was read before belongs to the session if this still does. A log that is only kept does not change.
 */
export function checkLogAsRead(id: SessionId, read: LogsRead, log: LogFile, file: OpenFile): void {
  const stored = read.get(log.key);
  if (!stored || stored.bytes === 0) return;
  // What is kept is unpacked for each read: its length tells whether it is all that there was.
  const isSame = file.prepare ? file.stat().size >= stored.bytes : isContinued(stored, file);
  if (!isSame) throw new LogRewritten(id, log.path);
}

/** The same of a log that is not open. Throws what `openConfinedSync` throws, too. */
export function checkClosedLogAsRead(id: SessionId, root: string, read: LogsRead, log: LogFile): void {
  const file = openConfinedSync(root, log.path);
  try {
    checkLogAsRead(id, read, log, file);
  } finally {
    file.close();
  }
}
