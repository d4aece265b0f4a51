import { exportQuery } from "@/lib/client/download-export";
import {
  EXPORT_FORMAT_IDS,
  type ExportFormat,
  WHOLE_ONLY,
  WITH_COMMENTS,
  WITH_LOGGED_PATHS,
} from "@/lib/wire/export-formats.mjs";
import type { SessionId } from "@/lib/wire/ids";

/**
 * How the files of an export are written. `kept`: names of secrets that stay in them, like `email 2`; `comments`: with the
 * comments on what they hold.
 */
export type ExportOptions = {
  comments: boolean;
  redact: boolean;
  kept: ReadonlySet<string>;
  tilde: boolean;
  relative: boolean;
};

type AskedValues = Readonly<Record<string, string | null>>;

/**
 * What is asked of the server for a part of a session in any format.
 * @param part the part's own query, as `queryOfPart` says it; null while no part is chosen
 */
export function askedExport(
  { comments, redact, kept, tilde, relative }: ExportOptions,
  part: AskedValues | null,
) {
  const except = [...kept].map((name) => name.replace(" ", ".")).join(",");
  return {
    redact: redact ? "1" : null,
    except: (redact && except) || null,
    tilde: tilde ? "1" : null,
    relative: relative ? "1" : null,
    comments: comments ? "1" : null,
    ...part,
  };
}

/** The formats that a part can have: some are a session as it was written, or nothing. */
export function formatsOfPart(part: AskedValues | null): ExportFormat[] {
  const isWhole = part === null || Object.values(part).every((value) => value === null);
  return EXPORT_FORMAT_IDS.filter((format) => isWhole || !WHOLE_ONLY.includes(format));
}

/**
 * The path and query of a file; of a format that keeps paths as they were logged without what would change them, and of one
 * that has no place for comments without those.
 */
export function exportPath(id: SessionId, format: ExportFormat, asked: AskedValues): string {
  const query = exportQuery({
    format,
    ...asked,
    ...(WITH_LOGGED_PATHS.includes(format) && { tilde: null, relative: null }),
    ...(!WITH_COMMENTS.includes(format) && { comments: null }),
  });
  return `/api/sessions/${encodeURIComponent(id)}/export?${query}`;
}
