import { delimiter, resolve } from "node:path";
import { parseArgs } from "node:util";
import { COMMAND_FLAGS } from "./command-options/flags.mjs";
import { readCommand } from "./command-options/read-command.mjs";
import { nearestName } from "./suggestion.mjs";
import { UsageError } from "./usage-error.mjs";

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
  ...COMMAND_FLAGS,
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});

/** The commands whose words are a query. */
const QUERIED = ["search", "sessions", "prompts"];

/** Where it serves when nothing else is asked for. */
export const USUAL = { port: 4747, host: "127.0.0.1", basePath: "" };

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
 * @property {import("./command-options/read-command.mjs").Command | null} command null serves
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
  const command = readCommand(values, positionals);
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
    // Of a query it was a word to leave out, as in `retry -draft`.
    const isOfQuery = QUERIED.some((command) => args.includes(command)) && /'-[^-]/.test(reason ?? "");
    const typed = /^Unknown option '--([a-z-]+)'/i.exec(reason ?? "")?.[1];
    const meant = typed === undefined ? null : nearestName(typed, Object.keys(FLAGS));
    const hint = isOfQuery
      ? "A word of a query that begins with a dash goes last, after --"
      : meant !== null
        ? `It is spelled --${meant}`
        : "See backscroll --help";
    const flag = /^Option '(--[a-z-]+)' argument is ambiguous/.exec(reason ?? "")?.[1];
    if (flag !== undefined)
      throw new UsageError(`${flag} needs a value. One that begins with a dash is given as ${flag}=VALUE.`);
    throw new UsageError(`${reason}. ${hint}.`);
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
