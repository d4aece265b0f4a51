import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionSummary } from "@/lib/wire/library";

/** What a reader is told of a session that could not be scanned. A bug goes to the terminal, too: it must not keep others from being scanned. */
export function scanFailure(error: unknown): SessionSummary["problem"] {
  if (isViewerError(error)) return { code: error.code, message: error.message, hint: error.hint };
  console.error(error);
  return {
    code: "scan-failed",
    message: "Backscroll failed to scan this session",
    hint: "This is a bug. The terminal that runs Backscroll shows where.",
  };
}
