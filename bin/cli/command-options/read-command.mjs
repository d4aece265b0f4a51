import { UsageError } from "../usage-error.mjs";
import { annotationsOptions } from "./annotations-options.mjs";
import { archiveOptions } from "./archive-options.mjs";
import { doctorOptions } from "./doctor-options.mjs";
import { exportOptions } from "./export-options.mjs";
import { filesOptions } from "./files-options.mjs";
import { openOptions } from "./open-options.mjs";
import { promptsOptions } from "./prompts-options.mjs";
import { restoreOptions } from "./restore-options.mjs";
import { runningOptions } from "./running-options.mjs";
import { searchOptions } from "./search-options.mjs";
import { sessionsOptions } from "./sessions-options.mjs";
import { usageOptions } from "./usage-options.mjs";
import { whyOptions } from "./why-options.mjs";

/** @satisfies {import("./flags.mjs").CommandOptions<{ name: "index" }>} */
const indexOptions = { takes: [], read: () => ({ name: /** @type {const} */ ("index") }) };

/** @satisfies {import("./flags.mjs").CommandOptions<{ name: "mcp", redact: boolean }>} */
const mcpOptions = {
  takes: /** @type {const} */ (["no-redact"]),
  read: (values) => ({ name: /** @type {const} */ ("mcp"), redact: values["no-redact"] !== true }),
};

/** The commands by their names. */
const COMMANDS = {
  index: indexOptions,
  doctor: doctorOptions,
  export: exportOptions,
  sessions: sessionsOptions,
  running: runningOptions,
  open: openOptions,
  search: searchOptions,
  usage: usageOptions,
  prompts: promptsOptions,
  why: whyOptions,
  files: filesOptions,
  annotations: annotationsOptions,
  archive: archiveOptions,
  restore: restoreOptions,
  mcp: mcpOptions,
};

/** @typedef {ReturnType<(typeof COMMANDS)[keyof typeof COMMANDS]["read"]>} Command */

/** What the first word of a command line may be. */
export const COMMAND_NAMES = Object.keys(COMMANDS);

/** @type {[string, import("./flags.mjs").CommandOptions<Command>][]} */
const NAMED = Object.entries(COMMANDS);

/**
 * Takes the command off the words of a command line, and reads it. The first word may be one; a file of that name is
 * given as `./index`.
 *
 * @param {import("./flags.mjs").Values} values the flags that were given
 * @param {string[]} words what is left of them afterwards are paths
 * @returns {Command | null} null where none is given
 * @throws {UsageError} on a flag of another command, or what is missing or malformed
 */
export function readCommand(values, words) {
  const [name, options] = NAMED.find(([command]) => command === words[0]) ?? [];
  if (name !== undefined) words.shift();
  for (const flag of /** @type {(keyof import("./flags.mjs").Values)[]} */ (Object.keys(values))) {
    const takers = NAMED.flatMap(([command, { takes }]) => (takes.includes(flag) ? [command] : []));
    // One that no command takes is the server's.
    if (takers.length > 0 && (name === undefined || !takers.includes(name)))
      throw new UsageError(`--${flag} belongs to backscroll ${listed(takers)}.`);
  }
  return options?.read(values, words) ?? null;
}

/** @param {readonly string[]} names */
const listed = (names) => names.join(", ").replace(/, (?=[^,]+$)/, " and ");
