import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";

/** Flags of single commands, as `parseArgs` takes them. Which command takes which stands in its own file. */
export const COMMAND_FLAGS = /** @type {const} */ ({
  format: { type: "string" },
  output: { type: "string", short: "o" },
  to: { type: "string" },
  by: { type: "string" },
  from: { type: "string" },
  project: { type: "string" },
  sort: { type: "string" },
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
 * What was given of them.
 *
 * @typedef {{ [Flag in keyof typeof COMMAND_FLAGS]?: (typeof COMMAND_FLAGS)[Flag]["type"] extends "boolean" ? boolean : string }} Values
 */

/**
 * What a command is given on the command line. `read` takes the command's own words off those behind its name; what is left
 * are paths of logs. It throws a `UsageError` for what is missing or malformed. Paths in a command are absolute: a server
 * that is started for it makes its own folder the current one.
 *
 * @template Command
 * @typedef {{ takes: readonly (keyof Values)[], read: (values: Values, words: string[]) => Command }} CommandOptions
 */

/**
 * The session that a command is about, taken off its words.
 *
 * @param {string} name of the command
 * @param {string[]} words
 */
export function readSession(name, words) {
  const session = words.shift();
  if (session !== undefined) return session;
  throw new UsageError(`give the session to ${name}: backscroll ${name} SESSION.`);
}

/**
 * The file that is written; undefined for standard output, which is also called `-`. A file of that name is `./-`.
 *
 * @param {string | undefined} file
 */
export function readOutput(file) {
  return file === undefined || file === "-" ? undefined : resolve(file);
}

/**
 * How many results are asked for.
 *
 * @param {string} limit
 * @throws {UsageError} for anything but a number from 1 to 9999
 */
export function readLimit(limit) {
  if (/^[1-9]\d{0,3}$/.test(limit)) return Number(limit);
  throw new UsageError(`"${limit}" is no number of results. Give --limit a number from 1 to 9999.`);
}

/**
 * What a project may be called that was given on the command line: it may be an id, or a folder.
 *
 * @param {string | undefined} project
 */
export const namesOfProject = (project) => (project === undefined ? null : [project, resolve(project)]);
