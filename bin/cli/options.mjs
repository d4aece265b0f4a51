import { delimiter, resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXPORT_FORMAT_IDS } from "../../lib/wire/export-formats.mjs";
import { UsageError } from "./usage-error.mjs";

/** The first argument may be a command; a file of that name is given as `./index`. */
const COMMANDS = /** @type {const} */ ([
  "index",
  "export",
  "restore",
  "doctor",
  "search",
  "usage",
  "why",
  "archive",
  "annotations",
  "mcp",
]);

const FLAGS = /** @type {const} */ ({
  port: { type: "string" },
  host: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "base-path": { type: "string" },
  "claude-dir": { type: "string", multiple: true },
  "data-dir": { type: "string" },
  "archive-dir": { type: "string" },
  "no-archive": { type: "boolean" },
  prices: { type: "string" },
  token: { type: "string" },
  "new-token": { type: "boolean" },
  "no-open": { type: "boolean" },
  demo: { type: "boolean" },
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
  "no-redact": { type: "boolean" },
  branch: { type: "string" },
  turns: { type: "string" },
  records: { type: "string" },
  without: { type: "string" },
  digest: { type: "string" },
  secrets: { type: "boolean" },
  sarif: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});

/** Where it serves when nothing else is asked for. */
export const USUAL = { port: 4747, host: "127.0.0.1", basePath: "" };

/**
 * What a command does. Paths in it are absolute: a server that is started for it makes its own folder the current one.
 *
 * What `backscroll archive` does. `status` asks the server, all others work on the archive's folder.
 *
 * @typedef {{ name: "archive", action: "verify" } | { name: "archive", action: "export" | "import", folder: string } | { name: "archive", action: "remove", words: string[], olderThanDays: number | null, yes: boolean }} ArchiveCommand
 * @typedef {{ name: "annotations", action: "export", output: string | undefined } | { name: "annotations", action: "import", file: string }} AnnotationsCommand
 * @typedef {{ name: "index" } | { name: "doctor", secrets: boolean, format: "text" | "json" | "sarif" } | { name: "archive", action: "status", json: boolean } | { name: "export", sessions: string[], query: string, output: string | undefined, isZip: boolean } | { name: "restore", session: string, to: string } | { name: "usage", query: string, project: string[] | null, by: string, json: boolean } | { name: "search", query: string, project: string[] | null, limit: number, json: boolean } | { name: "why", path: string, line: number, json: boolean } | { name: "mcp", redact: boolean } | AnnotationsCommand} ServerCommand
 * @typedef {ServerCommand | ArchiveCommand} Command
 */

/**
 * The settings from the command line and the environment; a flag takes precedence over its variable.
 *
 * @typedef {object} Options
 * @property {number} port 0 takes any free one
 * @property {string} host
 * @property {string[]} allowHosts
 * @property {string} basePath the path below which a reverse proxy serves it, like `/logs`; empty: none
 * @property {string[]} claudeDirs empty means the usual places
 * @property {string[]} paths loose logs or folders of logs
 * @property {string | undefined} dataDir
 * @property {string | undefined} archiveDir
 * @property {boolean} archive whether anything is kept
 * @property {string | undefined} prices a table of prices of one's own
 * @property {string | undefined} token
 * @property {boolean} newToken
 * @property {boolean} open
 * @property {boolean} demo
 * @property {Command | null} command null serves
 * @property {boolean} help
 * @property {boolean} version
 *
 * @param {string[]} args without node and script
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Options}
 * @throws {UsageError} on anything unknown or malformed
 */
export function readOptions(args, env) {
  const { values, positionals } = parse(args);
  const { help = false, version = false } = values;
  // Whoever asks for help may have all else wrong.
  if (help || version) return { ...readOptions([], {}), help, version };
  const name = COMMANDS.find((command) => command === positionals[0]) ?? null;
  if (name !== null) positionals.shift();
  const command = readCommand(name, values, positionals);
  const token = values.token ?? (env.BACKSCROLL_TOKEN || undefined);
  const newToken = values["new-token"] ?? isOn(env, "BACKSCROLL_NEW_TOKEN");
  if (token !== undefined && newToken)
    throw new UsageError("--token and --new-token exclude each other. Give one of them.");
  return {
    port: readPort(values.port ?? (env.BACKSCROLL_PORT || String(USUAL.port))),
    host: readHost(values.host ?? (env.BACKSCROLL_HOST || USUAL.host)),
    allowHosts: (values["allow-host"] ?? split(env.BACKSCROLL_ALLOW_HOST, ",")).map(readAllowHost),
    basePath: readBasePath(values["base-path"] ?? env.BACKSCROLL_BASE_PATH ?? USUAL.basePath),
    claudeDirs: values["claude-dir"] ?? split(env.BACKSCROLL_CLAUDE_DIR, delimiter),
    paths: positionals,
    dataDir: values["data-dir"] ?? (env.BACKSCROLL_DATA_DIR || undefined),
    archiveDir: values["archive-dir"] ?? (env.BACKSCROLL_ARCHIVE_DIR || undefined),
    archive: !(values["no-archive"] ?? isOn(env, "BACKSCROLL_NO_ARCHIVE")),
    prices: values.prices ?? (env.BACKSCROLL_PRICES || undefined),
    token: token === undefined ? undefined : readToken(token),
    newToken,
    open: !(values["no-open"] ?? isOn(env, "BACKSCROLL_NO_OPEN")),
    command,
    demo: values.demo ?? isOn(env, "BACKSCROLL_DEMO"),
    help,
    version,
  };
}

/**
 * @param {(typeof COMMANDS)[number] | null} name
 * @param {{ format?: string, output?: string, to?: string, json?: boolean, redact?: boolean, branch?: string, turns?: string, records?: string, without?: string, digest?: string, secrets?: boolean, sarif?: boolean, "no-redact"?: boolean, "older-than"?: string, yes?: boolean, by?: string, from?: string, project?: string, limit?: string }} values
 * @param {string[]} positionals what is left of them afterwards are paths
 * @returns {Command | null}
 */
function readCommand(name, values, positionals) {
  const { json, secrets, sarif } = values;
  const output = values.output === undefined ? undefined : resolve(values.output);
  // Of usage it is a day.
  const to = values.to === undefined ? undefined : resolve(values.to);
  const given = EXPORT_FLAGS.find((flag) => values[flag] !== undefined);
  const isOutput = name === "annotations" && given === "output";
  if (name !== "export" && given && !isOutput)
    throw new UsageError(`--${given} belongs to backscroll export SESSION.`);
  if (name !== "doctor" && (secrets || sarif))
    throw new UsageError("--secrets and --sarif belong to backscroll doctor.");
  if (name !== "restore" && name !== "export" && name !== "usage" && to !== undefined)
    throw new UsageError("--to belongs to backscroll restore, export and usage.");
  const ofUsage = /** @type {const} */ (["by", "from"]).find((flag) => values[flag] !== undefined);
  if (name !== "usage" && ofUsage) throw new UsageError(`--${ofUsage} belongs to backscroll usage.`);
  if (name !== "usage" && name !== "search" && values.project !== undefined)
    throw new UsageError("--project belongs to backscroll usage and search.");
  if (name !== "search" && values.limit !== undefined)
    throw new UsageError("--limit belongs to backscroll search.");
  if (name !== "mcp" && values["no-redact"]) throw new UsageError("--no-redact belongs to backscroll mcp.");
  const isRemoval = name === "archive" && positionals[0] === "remove";
  if (!isRemoval && (values["older-than"] !== undefined || values.yes))
    throw new UsageError("--older-than and --yes belong to backscroll archive remove.");
  if (name === "annotations") return readAnnotationsCommand({ output, json }, positionals);
  if (name === "archive") return readArchiveCommand(values, positionals);
  if (name === "usage") return readUsage(values);
  if (name === "search") return readSearch(values, positionals);
  if (name === "why") return readWhy(positionals, json ?? false);
  if (name !== "doctor" && json)
    throw new UsageError("--json belongs to backscroll doctor, archive, search, usage and why.");
  if (name === "mcp") return { name, redact: values["no-redact"] !== true };
  if (name === null || name === "index") return name && { name };
  if (name === "doctor") {
    if (sarif && (json || !secrets)) throw new UsageError("--sarif belongs to --secrets, without --json.");
    return { name, secrets: secrets ?? false, format: sarif ? "sarif" : json ? "json" : "text" };
  }
  const session = positionals.shift();
  if (session === undefined) throw new UsageError(`give the session to ${name}: backscroll ${name} SESSION.`);
  if (name === "restore") {
    if (to) return { name, session, to };
    throw new UsageError(
      "say where to: backscroll restore SESSION --to FOLDER. It is never the client's by itself.",
    );
  }
  if (to === undefined)
    return { name, sessions: [session], query: readExportQuery(values), output, isZip: false };
  const ofOne = /** @type {const} */ (["output", "branch", "turns", "records", "digest"]).find(
    (flag) => values[flag] !== undefined,
  );
  if (ofOne)
    throw new UsageError(`--${ofOne} is for one session, and --to for a zip of several. Give one of them.`);
  const sessions = [session, ...positionals.splice(0)];
  return { name, sessions, query: readExportQuery(values), output: to, isZip: true };
}

/**
 * @param {{ project?: string, limit?: string, json?: boolean }} values
 * @param {string[]} positionals the words of the query
 * @returns {Command}
 */
function readSearch({ project, limit = "20", json = false }, positionals) {
  const query = positionals.splice(0).join(" ").trim();
  if (query === "")
    throw new UsageError("say what to look for: backscroll search QUERY, in the words of the search page.");
  if (!/^[1-9]\d{0,3}$/.test(limit))
    throw new UsageError(`"${limit}" is no number of results. Give --limit a number from 1 to 9999.`);
  return { name: "search", query, project: namesOfProject(project), limit: Number(limit), json };
}

/**
 * What a project may be called that was given on the command line: it may be an id, or a folder.
 *
 * @param {string | undefined} project
 */
const namesOfProject = (project) => (project === undefined ? null : [project, resolve(project)]);

/**
 * @param {string[]} positionals
 * @param {boolean} json
 * @returns {Command}
 */
function readWhy(positionals, json) {
  const [, path, line] = /^(.+):([1-9]\d{0,8})$/.exec(positionals.shift() ?? "") ?? [];
  if (path === undefined) throw new UsageError("give a line of a file: backscroll why PATH:LINE.");
  return { name: "why", path: resolve(path), line: Number(line), json };
}

const EXPORT_FLAGS = /** @type {const} */ ([
  "format",
  "output",
  "redact",
  "branch",
  "turns",
  "records",
  "without",
  "digest",
]);

/** What can be left out of an export. */
const LEFT_OUT = ["thinking", "tools"];

/**
 * The query with which the API is asked for an export.
 *
 * @param {{ format?: string, redact?: boolean, branch?: string, turns?: string, records?: string, without?: string, digest?: string }} values
 */
function readExportQuery({ format, redact, branch, turns, records, without, digest }) {
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
  const leftOut = split(without, ",");
  const unknown = leftOut.find((one) => !LEFT_OUT.includes(one));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" cannot be left out. Give --without ${LEFT_OUT.join(", or ")}, or both with a comma.`,
    );
  if (digest !== undefined && !/^[1-9]\d{0,5}$/.test(digest))
    throw new UsageError(
      `"${digest}" is no number of turns. Give --digest how many of the last turns stay as they are.`,
    );
  const query = new URLSearchParams({ format });
  if (redact) query.set("redact", "1");
  if (branch !== undefined) query.set("branch", branch);
  if (turns !== undefined) query.set("turns", turns);
  if (records !== undefined) query.set("records", records);
  if (digest !== undefined) query.set("digest", digest);
  for (const one of leftOut) query.set(one, "0");
  return query.toString();
}

/** By what usage is added up; the API checks it again. */
const USAGE_BY = ["day", "week", "month", "project", "model", "branch", "agent", "tool", "session"];

/**
 * @param {{ by?: string, from?: string, to?: string, project?: string, json?: boolean }} values
 * @returns {ServerCommand}
 */
function readUsage({ by = "day", from, to, project, json = false }) {
  if (!USAGE_BY.includes(by)) throw new UsageError(`give --by one of ${USAGE_BY.join(", ")}.`);
  const query = new URLSearchParams({ by });
  for (const [name, value] of Object.entries({ from, to })) if (value !== undefined) query.set(name, value);
  return { name: "usage", query: query.toString(), project: namesOfProject(project), by, json };
}

/**
 * @param {{ output?: string, json?: boolean }} values
 * @param {string[]} positionals
 * @returns {Command}
 */
function readAnnotationsCommand({ output, json }, positionals) {
  const [action, file, ...more] = positionals.splice(0);
  if (json) throw new UsageError("what backscroll annotations export writes is JSON already.");
  if (action === "export" && file === undefined) return { name: "annotations", action, output };
  if (action === "import" && file !== undefined && more.length === 0 && output === undefined)
    return { name: "annotations", action, file: resolve(file) };
  throw new UsageError(
    "say what to do: backscroll annotations export [--output FILE], or backscroll annotations import FILE.",
  );
}

/**
 * @param {{ json?: boolean, "older-than"?: string, yes?: boolean }} values
 * @param {string[]} positionals
 * @returns {Command}
 */
function readArchiveCommand({ json = false, "older-than": olderThan, yes = false }, positionals) {
  const action = ARCHIVE_ACTIONS.find((one) => one === positionals[0]) ?? null;
  if (action === null) return { name: "archive", action: "status", json };
  if (json) throw new UsageError("--json belongs to backscroll archive alone.");
  const words = positionals.splice(0).slice(1);
  if (action === "verify") {
    if (words.length === 0) return { name: "archive", action };
    throw new UsageError(
      "archive verify reads the archive that is in use. Give another with --archive-dir DIR.",
    );
  }
  if (action === "remove") return readRemoval(words, olderThan, yes);
  const [folder] = words;
  if (folder === undefined || words.length > 1)
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
  if (words.includes("")) throw new UsageError("an empty word would name every session.");
  if (olderThan !== undefined && !/^\d{1,5}$/.test(olderThan))
    throw new UsageError(`"${olderThan}" is no number of days.`);
  const olderThanDays = olderThan === undefined ? null : Number(olderThan);
  // A terminal completes the name of a folder with a slash.
  const named = words.map((word) => (/[\\/]|^\.{1,2}$/.test(word) ? resolve(word) : word));
  return { name: "archive", action: "remove", words: named, olderThanDays, yes };
}

/** @param {string[]} args */
function parse(args) {
  try {
    const parsed = parseArgs({ args, options: FLAGS, allowPositionals: true });
    for (const [name, value] of Object.entries(parsed.values)) refuseEmpty(name, value);
    return parsed;
  } catch (cause) {
    const code = /** @type {NodeJS.ErrnoException} */ (cause).code;
    if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) throw cause;
    const reason = /** @type {Error} */ (cause).message.split(/[.\n]/)[0];
    throw new UsageError(`${reason}. See backscroll --help.`);
  }
}

/**
 * A shell makes an empty text of a variable that is not set. As a folder it would be the current one, and as a day none.
 *
 * @param {string} name
 * @param {unknown} value
 */
function refuseEmpty(name, value) {
  // An empty path to serve below is the root.
  if (name === "base-path" || ![value].flat().includes("")) return;
  throw new UsageError(`--${name} is given nothing. Give it a value, or leave it out.`);
}

/** @param {string} text */
function readPort(text) {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`"${text}" is not a port. Give --port a number from 0 to 65535.`);
}

/** @param {string} text */
function readHost(text) {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw new UsageError(`"${text}" is not an address. Give --host an IP address or a name of this machine.`);
}

/** @param {string} text */
function readAllowHost(text) {
  if (/^([\w.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i.test(text)) return text;
  throw new UsageError(
    `"${text}" is not a host name. Give --allow-host a NAME or NAME:PORT, without http://.`,
  );
}

/** @param {string} text "" and "/" are the root */
function readBasePath(text) {
  if (text === "" || text === "/") return "";
  const parts = text.slice(1).split("/");
  const isPlain = parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.\.?$/.test(part));
  if (text.startsWith("/") && isPlain) return text;
  throw new UsageError(
    `"${text}" is not a path to serve below. Give --base-path one that begins with / and does not end with it, like /logs, of A-Z a-z 0-9 - _ . ~ and without "..".`,
  );
}

/** @param {string} text */
function readToken(text) {
  if (/^[A-Za-z0-9_.~-]{16,}$/.test(text)) return text;
  throw new UsageError(
    "the token is too short or holds other characters. Give 16 or more of A-Z a-z 0-9 - _ . ~",
  );
}

/**
 * @param {string | undefined} text
 * @param {string} separator
 */
const split = (text, separator) => (text ? text.split(separator).filter(Boolean) : []);

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} name
 */
const isOn = (env, name) => !["", "0", "false", undefined].includes(env[name]);

/**
 * The flags and paths with which another run reads the same logs and the same data folder.
 *
 * @param {Pick<Options, "claudeDirs" | "dataDir" | "archiveDir" | "paths">} options
 * @returns {string[]}
 */
export function readingFlags({ claudeDirs, dataDir, archiveDir, paths }) {
  return [
    ...claudeDirs.flatMap((dir) => ["--claude-dir", resolve(dir)]),
    ...(dataDir === undefined ? [] : ["--data-dir", resolve(dataDir)]),
    ...(archiveDir === undefined ? [] : ["--archive-dir", resolve(archiveDir)]),
    ...paths.map((path) => resolve(path)),
  ];
}
