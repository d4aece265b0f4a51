import { delimiter } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.mjs";

/** Commands that DESIGN promises and later versions bring. */
const LATER_COMMANDS = new Set(["index", "export", "doctor"]);

const FLAGS = /** @type {const} */ ({
  port: { type: "string" },
  host: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "claude-dir": { type: "string", multiple: true },
  "data-dir": { type: "string" },
  token: { type: "string" },
  "new-token": { type: "boolean" },
  "no-open": { type: "boolean" },
  demo: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});

/**
 * What the command line and the environment ask for; a flag wins over its twin.
 *
 * @typedef {object} Options
 * @property {number} port 0 takes any free one
 * @property {string} host
 * @property {string[]} allowHosts
 * @property {string[]} claudeDirs empty means the usual places
 * @property {string[]} paths loose logs or folders of logs
 * @property {string | undefined} dataDir
 * @property {string | undefined} token
 * @property {boolean} newToken
 * @property {boolean} open
 * @property {boolean} demo
 * @property {boolean} help
 * @property {boolean} version
 *
 * @param {string[]} args without node and script
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Options}
 * @throws {UsageError} on anything unknown or malformed
 */
export function readOptions(args, env) {
  refuseLaterCommand(args[0]); // whose own flags are unknown here
  const { values, positionals } = parse(args);
  refuseLaterCommand(positionals[0]);
  const token = values.token ?? env.BACKSCROLL_TOKEN;
  const newToken = values["new-token"] ?? isOn(env, "BACKSCROLL_NEW_TOKEN");
  if (token !== undefined && newToken) {
    throw new UsageError("--token and --new-token exclude each other. Give one of them.");
  }
  return {
    port: readPort(values.port ?? env.BACKSCROLL_PORT ?? "4747"),
    host: readHost(values.host ?? env.BACKSCROLL_HOST ?? "127.0.0.1"),
    allowHosts: (values["allow-host"] ?? split(env.BACKSCROLL_ALLOW_HOST, ",")).map(readAllowHost),
    claudeDirs: values["claude-dir"] ?? split(env.BACKSCROLL_CLAUDE_DIR, delimiter),
    paths: positionals,
    dataDir: values["data-dir"] ?? (env.BACKSCROLL_DATA_DIR || undefined),
    token: token === undefined ? undefined : readToken(token),
    newToken,
    open: !(values["no-open"] ?? isOn(env, "BACKSCROLL_NO_OPEN")),
    demo: values.demo ?? isOn(env, "BACKSCROLL_DEMO"),
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

/** @param {string | undefined} word */
function refuseLaterCommand(word) {
  if (word === undefined || !LATER_COMMANDS.has(word)) return;
  throw new UsageError(`this version has no command "${word}" yet. For a file of that name give ./${word}`);
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true });
  } catch (cause) {
    const code = /** @type {NodeJS.ErrnoException} */ (cause).code;
    if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) throw cause;
    const reason = /** @type {Error} */ (cause).message.split(/[.\n]/)[0];
    throw new UsageError(`${reason}. See backscroll --help.`);
  }
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
