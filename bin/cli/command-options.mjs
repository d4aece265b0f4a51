import { resolve } from "node:path";
import { EXPORT_FORMAT_IDS, WITH_COMMENTS, WITH_LOGGED_PATHS } from "../../lib/wire/export-formats.mjs";
import { UsageError } from "./usage-error.mjs";

/*
 * The commands, and what each is given on the command line. Paths in it are absolute: a server that is started for a
 * command makes its own folder the current one.
 */

/**
 * What `backscroll archive` does. `status` asks the server, all others work on the archive's folder.
 *
 * @typedef {{ name: "archive", action: "verify" } | { name: "archive", action: "export" | "import", folder: string } | { name: "archive", action: "remove", words: string[], olderThanDays: number | null, yes: boolean }} ArchiveCommand
 * @typedef {{ name: "annotations", action: "export", output: string | undefined } | { name: "annotations", action: "import", file: string }} AnnotationsCommand
 * @typedef {{ name: "index" } | { name: "doctor", secrets: boolean, format: "text" | "json" | "sarif" } | { name: "archive", action: "status", json: boolean } | { name: "export", sessions: string[], query: string, output: string | undefined, isZip: boolean } | { name: "restore", session: string, to: string, project: string | null } | { name: "usage", query: string, project: string[] | null, by: string, json: boolean } | { name: "search", query: string, project: string[] | null, limit: number, json: boolean } | { name: "prompts", query: string, from: string | null, to: string | null, project: string[] | null, limit: number, json: boolean } | { name: "why", path: string, line: number, json: boolean } | { name: "files", session: string, path: string | null, at: string | null, output: string | undefined, to: string | null, json: boolean } | { name: "mcp", redact: boolean } | AnnotationsCommand} ServerCommand
 * @typedef {ServerCommand | ArchiveCommand} Command
 */

/** Flags of single commands, as `parseArgs` takes them. */
export const COMMAND_FLAGS = /** @type {const} */ ({
  format: { type: "string" },
  output: { type: "string", short: "o" },
  to: { type: "string" },
  by: { type: "string" },
  from: { type: "string" },
  project: { type: "string" },
  limit: { type: "string" },
  json: { type: "boolean" },
  "older-than": { type: "string" },
  yes: { type: "boolean" },
  redact: { type: "boolean" },
  tilde: { type: "boolean" },
  relative: { type: "boolean" },
  comments: { type: "boolean" },
  "no-redact": { type: "boolean" },
  branch: { type: "string" },
  turns: { type: "string" },
  records: { type: "string" },
  at: { type: "string" },
  without: { type: "string" },
  digest: { type: "string" },
  secrets: { type: "boolean" },
  sarif: { type: "boolean" },
});

/**
 * The commands that take each.
 *
 * @type {Record<keyof typeof COMMAND_FLAGS, readonly CommandName[]>}
 */
const TAKEN_BY = {
  format: ["export"],
  output: ["export", "annotations", "files"],
  to: ["export", "restore", "usage", "prompts", "files"],
  by: ["usage"],
  from: ["usage", "prompts"],
  project: ["search", "usage", "prompts", "restore"],
  limit: ["search", "prompts"],
  // `annotations` says itself that it writes nothing else.
  json: ["doctor", "archive", "search", "usage", "prompts", "why", "annotations", "files"],
  "older-than": ["archive"],
  yes: ["archive"],
  redact: ["export"],
  tilde: ["export"],
  relative: ["export"],
  comments: ["export"],
  "no-redact": ["mcp"],
  branch: ["export"],
  turns: ["export"],
  records: ["export"],
  at: ["files"],
  without: ["export"],
  digest: ["export"],
  secrets: ["doctor"],
  sarif: ["doctor"],
};

/**
 * @typedef {{ format?: string, output?: string, to?: string, json?: boolean, redact?: boolean, tilde?: boolean, relative?: boolean, comments?: boolean, branch?: string, turns?: string, records?: string, at?: string, without?: string, digest?: string, secrets?: boolean, sarif?: boolean, "no-redact"?: boolean, "older-than"?: string, yes?: boolean, by?: string, from?: string, project?: string, limit?: string }} Values
 */

/**
 * Reads each from its flags and the words behind it. What it leaves of the words are paths.
 *
 * @satisfies {Record<string, (values: Values, words: string[]) => Command>}
 */
const READERS = {
  index: () => ({ name: /** @type {const} */ ("index") }),
  export: readExport,
  restore: readRestore,
  doctor: readDoctor,
  search: readSearch,
  usage: readUsage,
  prompts: readPrompts,
  why: readWhy,
  files: readFiles,
  archive: readArchiveCommand,
  annotations: readAnnotationsCommand,
  mcp: (/** @type {Values} */ values) => ({
    name: /** @type {const} */ ("mcp"),
    redact: values["no-redact"] !== true,
  }),
};

/** @typedef {keyof typeof READERS} CommandName */

/** What the first word of a command line may be. */
export const COMMAND_NAMES = Object.keys(READERS);

/**
 * Takes the command off the words of a command line, and reads it. The first word may be one; a file of that name is
 * given as `./index`.
 *
 * @param {Values} values the flags that were given
 * @param {string[]} words what is left of them afterwards are paths
 * @returns {Command | null} null where none is given
 * @throws {UsageError} on a flag of another command, or what is missing or malformed
 */
export function readCommand(values, words) {
  const name = /** @type {CommandName[]} */ (Object.keys(READERS)).find((command) => command === words[0]);
  if (name !== undefined) words.shift();
  for (const [flag, takers] of Object.entries(TAKEN_BY)) {
    if (values[/** @type {keyof Values} */ (flag)] === undefined) continue;
    if (name === undefined || !takers.includes(name))
      throw new UsageError(`--${flag} belongs to backscroll ${listed(takers)}.`);
  }
  return name === undefined ? null : READERS[name](values, words);
}

/** @param {readonly string[]} names */
const listed = (names) => names.join(", ").replace(/, (?=[^,]+$)/, " and ");

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readExport(values, words) {
  const session = readSession("export", words);
  const output = readOutput(values.output);
  if (values.to === undefined)
    return { name: "export", sessions: [session], query: readExportQuery(values), output, isZip: false };
  const ofOne = /** @type {const} */ (["output", "branch", "turns", "records", "digest"]).find(
    (flag) => values[flag] !== undefined,
  );
  if (ofOne)
    throw new UsageError(`--${ofOne} is for one session, and --to for a zip of several. Give one of them.`);
  const sessions = [session, ...words.splice(0)];
  const query = readExportQuery(values);
  return { name: "export", sessions, query, output: readOutput(values.to), isZip: true };
}

/**
 * The file that is written; undefined for standard output, which is also called `-`. A file of that name is `./-`.
 *
 * @param {string | undefined} file
 */
function readOutput(file) {
  return file === undefined || file === "-" ? undefined : resolve(file);
}

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readRestore({ to, project }, words) {
  const session = readSession("restore", words);
  if (to !== undefined)
    return {
      name: "restore",
      session,
      to: resolve(to),
      project: project === undefined ? null : resolve(project),
    };
  throw new UsageError(
    "say where to: backscroll restore SESSION --to FOLDER. It is never the client's by itself.",
  );
}

/**
 * @param {CommandName} name
 * @param {string[]} words
 */
function readSession(name, words) {
  const session = words.shift();
  if (session !== undefined) return session;
  throw new UsageError(`give the session to ${name}: backscroll ${name} SESSION.`);
}

/**
 * @param {Values} values
 * @returns {Command}
 */
function readDoctor({ json, secrets = false, sarif }) {
  if (sarif && (json || !secrets)) throw new UsageError("--sarif belongs to --secrets, without --json.");
  return { name: "doctor", secrets, format: sarif ? "sarif" : json ? "json" : "text" };
}

/**
 * @param {Values} values
 * @param {string[]} words those of the query
 * @returns {Command}
 */
function readSearch({ project, limit = "20", json = false }, words) {
  const query = words.splice(0).join(" ").trim();
  if (query === "")
    throw new UsageError("say what to look for: backscroll search QUERY, in the words of the search page.");
  return { name: "search", query, project: namesOfProject(project), limit: readLimit(limit), json };
}

/**
 * @param {Values} values
 * @param {string[]} words those of the query
 * @returns {Command}
 */
function readPrompts({ project, from, to, limit = "50", json = false }, words) {
  const query = words.splice(0).join(" ").trim();
  return {
    name: "prompts",
    query,
    from: from ?? null,
    to: to ?? null,
    project: namesOfProject(project),
    limit: readLimit(limit),
    json,
  };
}

/** @param {string} limit */
function readLimit(limit) {
  if (/^[1-9]\d{0,3}$/.test(limit)) return Number(limit);
  throw new UsageError(`"${limit}" is no number of results. Give --limit a number from 1 to 9999.`);
}

/**
 * What a project may be called that was given on the command line: it may be an id, or a folder.
 *
 * @param {string | undefined} project
 */
const namesOfProject = (project) => (project === undefined ? null : [project, resolve(project)]);

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readWhy({ json = false }, words) {
  const [, path, line] = /^(.+):([1-9]\d{0,8})$/.exec(words.shift() ?? "") ?? [];
  if (path === undefined) throw new UsageError("give a line of a file: backscroll why PATH:LINE.");
  return { name: "why", path: resolve(path), line: Number(line), json };
}

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readFiles({ at, output, to, json = false }, words) {
  const session = readSession("files", words);
  const path = words.shift() ?? null;
  if (at !== undefined && !/^[a-z0-9]+~[0-9a-z]+(\.\d{1,6}(:before|:after)?)?$/.test(at))
    throw new UsageError(
      `"${at}" names no record. Give --at one, like m~1k9: a row’s link names its record.`,
    );
  if (to !== undefined && (path !== null || output !== undefined || json))
    throw new UsageError(
      "--to FOLDER takes all files that the session changed. Give a file’s path with --output FILE.",
    );
  if (path === null && to === undefined && (at !== undefined || output !== undefined))
    throw new UsageError("give the file: backscroll files SESSION PATH, or --to FOLDER for all of them.");
  return {
    name: "files",
    session,
    path,
    at: at ?? null,
    output: readOutput(output),
    to: to === undefined ? null : resolve(to),
    json,
  };
}

/** What can be left out of an export. */
const LEFT_OUT = ["thinking", "tools", "agents", "images"];

/**
 * The query with which the API is asked for an export.
 *
 * @param {Values} values
 */
function readExportQuery({
  format,
  redact,
  tilde,
  relative,
  comments,
  branch,
  turns,
  records,
  without,
  digest,
}) {
  if (format === undefined || !EXPORT_FORMAT_IDS.some((one) => one === format)) {
    throw new UsageError(`give --format one of ${EXPORT_FORMAT_IDS.join(", ")}.`);
  }
  if (turns !== undefined && !/^[1-9]\d{0,6}(-[1-9]\d{0,6})?$/.test(turns))
    throw new UsageError(
      `"${turns}" names no turns. Give --turns a number, like 3, or the first and the last, like 3-7.`,
    );
  if (
    records !== undefined &&
    !/^[a-z0-9]+~[0-9a-z]+(\.\.[a-z0-9]+~[0-9a-z]+|(,[a-z0-9]+~[0-9a-z]+)*)$/.test(records)
  )
    throw new UsageError(
      `"${records}" names no records. Give --records the first and the last, like m~1k9..m~2ab, or single ones, like m~1k9,m~2ab: a row’s link names its record.`,
    );
  if ((tilde || relative) && WITH_LOGGED_PATHS.some((one) => one === format))
    throw new UsageError(
      `what Claude Code reads has its paths as they were logged: --${tilde ? "tilde" : "relative"} does not go with --format ${format}.`,
    );
  if (comments && !WITH_COMMENTS.some((one) => one === format))
    throw new UsageError(
      `--comments goes with --format ${WITH_COMMENTS.join(" or ")}: others have no place for them.`,
    );
  const leftOut = (without ?? "").split(",").filter(Boolean);
  const unknown = leftOut.find((one) => !LEFT_OUT.includes(one));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" cannot be left out. Give --without any of ${LEFT_OUT.join(", ")}, with commas between them.`,
    );
  if (digest !== undefined && !/^[1-9]\d{0,5}$/.test(digest))
    throw new UsageError(
      `"${digest}" is no number of turns. Give --digest how many of the last turns stay as they are.`,
    );
  const query = new URLSearchParams({ format });
  if (redact) query.set("redact", "1");
  if (tilde) query.set("tilde", "1");
  if (relative) query.set("relative", "1");
  if (comments) query.set("comments", "1");
  if (branch !== undefined) query.set("branch", branch);
  if (turns !== undefined) query.set("turns", turns);
  if (records !== undefined) query.set("records", records);
  if (digest !== undefined) query.set("digest", digest);
  for (const one of leftOut) query.set(one, "0");
  return query.toString();
}

/** By what usage is added up; the API checks it again. */
const USAGE_BY = ["day", "week", "month", "project", "model", "branch", "agent", "tool", "session", "prompt"];

/**
 * @param {Values} values
 * @returns {Command}
 */
function readUsage({ by = "day", from, to, project, json = false }) {
  if (!USAGE_BY.includes(by)) throw new UsageError(`give --by one of ${USAGE_BY.join(", ")}.`);
  const query = new URLSearchParams({ by });
  for (const [name, value] of Object.entries({ from, to })) if (value !== undefined) query.set(name, value);
  return { name: "usage", query: query.toString(), project: namesOfProject(project), by, json };
}

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readAnnotationsCommand({ output, json }, words) {
  const [action, file, ...more] = words.splice(0);
  if (json) throw new UsageError("what backscroll annotations export writes is JSON already.");
  if (action === "export" && file === undefined)
    return { name: "annotations", action, output: readOutput(output) };
  if (action === "import" && file !== undefined && more.length === 0 && output === undefined)
    return { name: "annotations", action, file: resolve(file) };
  throw new UsageError(
    "say what to do: backscroll annotations export [--output FILE], or backscroll annotations import FILE.",
  );
}

/**
 * @param {Values} values
 * @param {string[]} words
 * @returns {Command}
 */
function readArchiveCommand({ json = false, "older-than": olderThan, yes = false }, words) {
  const action = ARCHIVE_ACTIONS.find((one) => one === words[0]) ?? null;
  if (action !== "remove" && (olderThan !== undefined || yes))
    throw new UsageError("--older-than and --yes belong to backscroll archive remove.");
  if (action === null) return { name: "archive", action: "status", json };
  if (json) throw new UsageError("--json belongs to backscroll archive alone.");
  const targets = words.splice(0).slice(1);
  if (action === "verify") {
    if (targets.length === 0) return { name: "archive", action };
    throw new UsageError(
      "archive verify reads the archive that is in use. Give another with --archive-dir DIR.",
    );
  }
  if (action === "remove") return readRemoval(targets, olderThan, yes);
  const [folder] = targets;
  if (folder === undefined || targets.length > 1)
    throw new UsageError(`give one folder: backscroll archive ${action} DIR.`);
  return { name: "archive", action, folder: resolve(folder) };
}

const ARCHIVE_ACTIONS = /** @type {const} */ (["verify", "export", "import", "remove"]);

/**
 * @param {string[]} words
 * @param {string | undefined} olderThan
 * @param {boolean} yes
 * @returns {ArchiveCommand}
 */
function readRemoval(words, olderThan, yes) {
  if (words.length === 0 && olderThan === undefined) {
    throw new UsageError(
      "say what to remove: ids of sessions, folders of projects, or --older-than DAYS for all of that age.",
    );
  }
  if (words.includes(""))
    throw new UsageError(
      "an empty word would name every session. Give ids of sessions, or folders of projects.",
    );
  if (olderThan !== undefined && !/^\d{1,5}$/.test(olderThan))
    throw new UsageError(`"${olderThan}" is no number of days. Give --older-than one from 0 to 99999.`);
  const olderThanDays = olderThan === undefined ? null : Number(olderThan);
  // A terminal completes the name of a folder with a slash.
  const named = words.map((word) => (/[\\/]|^\.{1,2}$/.test(word) ? resolve(word) : word));
  return { name: "archive", action: "remove", words: named, olderThanDays, yes };
}
