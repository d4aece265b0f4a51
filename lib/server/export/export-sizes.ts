import type { SessionFiles } from "@/lib/server/library/session-files";
import { nextSlice } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import {
  EXPORT_FORMAT_IDS,
  type ExportFormat,
  WITH_COMMENTS,
  WITH_LOGGED_PATHS,
} from "@/lib/wire/export-formats.mjs";
import type { ExportSize, ExportSizesResponse } from "@/lib/wire/session";
import { type ExportDownload, type ExportSettings, exportSession } from "./export-session";
import { settled } from "./html/log-reader";

/** How long each format is written to be measured. */
const MAX_MS = 500;

/**
 * How large a session's export is in each of these formats. It is written and thrown away, for a moment: of a larger one only the
 * bytes so far are known. A format that cannot hold the chosen part is missing.
 * @param settings `shortened`: what is replaced instead in the formats whose paths can be shortened
 * @param signal nobody waits any more once it aborts: what is measured by then is answered
 */
export async function exportSizes(
  sessions: SessionQueries,
  files: SessionFiles,
  { shortened, ...settings }: Omit<ExportSettings, "format"> & { shortened?: ExportSettings["redaction"] },
  {
    signal,
    formats = EXPORT_FORMAT_IDS,
    maxMs = MAX_MS,
  }: { signal: AbortSignal; formats?: readonly ExportFormat[]; maxMs?: number },
): Promise<ExportSizesResponse> {
  const sizes: ExportSizesResponse["sizes"] = {};
  for (const format of formats) {
    if (signal.aborted) break;
    try {
      const redaction = WITH_LOGGED_PATHS.includes(format)
        ? settings.redaction
        : (shortened ?? settings.redaction);
      const comments = WITH_COMMENTS.includes(format) ? (settings.comments ?? null) : null;
      const download = await exportSession(sessions, files, {
        ...settings,
        redaction: redaction ?? null,
        comments,
        format,
      });
      // What needs no writing is known.
      const isCopied = format === "log" && !settings.redaction;
      sizes[format] = isCopied
        ? { bytes: await bytesOfLogs(sessions, files), isWhole: true }
        : await measured(download, performance.now() + maxMs, signal);
    } catch (error) {
      // Whoever downloads it is told why.
      if (!isViewerError(error)) throw error;
    }
  }
  return { sizes };
}

async function bytesOfLogs(sessions: SessionQueries, files: SessionFiles): Promise<number> {
  const { logs } = await settled(() => sessions.detail(files.id));
  const copied = files.main.gone ? logs : logs.slice(0, 1);
  return copied.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function measured(
  { pieces }: ExportDownload,
  untilMs: number,
  signal: AbortSignal,
): Promise<ExportSize> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (performance.now() > untilMs || signal.aborted) return { bytes, isWhole: false };
    await nextSlice();
  }
  return { bytes, isWhole: true };
}
