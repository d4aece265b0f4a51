/**
 * What a session can be exported as, in the order in which formats are listed. The command line reads this before
 * anything has been built, so it is plain JavaScript; a package has it too (`files` in package.json).
 *
 * `name` and `about` are for the reader, `extension` ends a download's file name.
 */
export const EXPORT_FORMATS = /** @type {const} */ ({
  html: {
    name: "HTML",
    about: "self-contained, works offline",
    extension: "html",
    mediaType: "text/html; charset=utf-8",
  },
  md: {
    name: "Markdown",
    about: "prompts, answers, a line for each tool call, agents at the end",
    extension: "md",
    mediaType: "text/markdown; charset=utf-8",
  },
  json: {
    name: "JSON",
    about: "the session, its rows and its agents’ as the API gives them",
    extension: "json",
    mediaType: "application/json",
  },
  messages: {
    name: "Messages",
    about: "what the model would be sent next",
    extension: "messages.json",
    mediaType: "application/json",
  },
  trace: {
    name: "Trace",
    about: "where the time went, for Perfetto or chrome://tracing",
    extension: "trace.json",
    mediaType: "application/json",
  },
  jsonl: {
    name: "Clone",
    about: "a log with new ids that Claude Code can resume; a zip where there are agents",
    extension: "jsonl",
    mediaType: "application/jsonl",
  },
  log: {
    name: "Original log",
    about: "the main log, byte for byte",
    extension: "jsonl",
    mediaType: "application/jsonl",
  },
});

/** @typedef {keyof typeof EXPORT_FORMATS} ExportFormat */

/** The formats as the API and the command line name them. */
export const EXPORT_FORMAT_IDS = /** @type {ExportFormat[]} */ (Object.keys(EXPORT_FORMATS));

/**
 * The formats that Claude Code reads: in these every path stays as it was logged.
 *
 * @type {readonly ExportFormat[]}
 */
export const WITH_LOGGED_PATHS = ["jsonl", "log"];

/**
 * The formats that are a session as it was written, or nothing.
 *
 * @type {readonly ExportFormat[]}
 */
export const WHOLE_ONLY = ["log"];

/**
 * The formats that may hold the comments on a session.
 *
 * @type {readonly ExportFormat[]}
 */
export const WITH_COMMENTS = ["html", "md", "json"];

/** The most sessions that one export holds. */
export const MAX_EXPORTED_SESSIONS = 500;
