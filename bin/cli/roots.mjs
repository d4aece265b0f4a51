import { accessSync, constants, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { COMMAND_NAMES } from "./command-options/read-command.mjs";
import { homeFolder } from "./home-folder.mjs";
import { nearestName } from "./suggestion.mjs";
import { UsageError } from "./usage-error.mjs";

const DEMO_DIR = fileURLToPath(new URL("../demo/claude", import.meta.url));

/**
 * A folder or file to look for logs in: `config`, a Claude configuration folder with `projects/` (and the legacy
 * `conversations/`); `loose`, a log or a folder of logs named on the command line.
 *
 * @typedef {{ path: string, kind: "config" | "loose" }} Root
 *
 * @param {{ demo: boolean, claudeDirs: string[], paths: string[], command?: { name: string } | null }} options
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Root[]} absolute paths, never empty
 * @throws {UsageError} when a place that was named is missing or unreadable
 */
export function findRoots({ demo, claudeDirs, paths, command }, env) {
  if (demo && (claudeDirs.length > 0 || paths.length > 0)) {
    throw new UsageError("--demo serves the samples alone. Leave out --claude-dir and paths, or --demo.");
  }
  if (demo) return [{ path: DEMO_DIR, kind: "config" }];

  const named = [
    ...claudeDirs.map((path) => configRoot(path)),
    ...paths.map((path, place) => ({
      path: readable(
        resolve(path),
        "log or folder",
        command ? MEANT.get(command.name) : place === 0 ? commandMeant(path) : undefined,
      ),
      kind: /** @type {const} */ ("loose"),
    })),
  ];
  return named.length > 0 ? named : usualRoots(env);
}

/** What a word behind a command may have been meant as, where it is no path. */
const MEANT = new Map([
  ["export", "Several sessions go into a zip: --to FILE.zip."],
  ["archive", "What archive does is verify, export DIR, import DIR and remove."],
]);

/**
 * What to say of a first word that is no path: it may have been meant as a command.
 *
 * @param {string} word
 */
function commandMeant(word) {
  const name = /^[a-z]+$/i.test(word) ? nearestName(word, COMMAND_NAMES) : null;
  return name === null ? undefined : `The command is spelled: backscroll ${name}.`;
}

/**
 * The default roots. A missing one is kept if there is no other: the client may create it later.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Root[]}
 */
function usualRoots(env) {
  const candidates = env.CLAUDE_CONFIG_DIR
    ? [resolve(env.CLAUDE_CONFIG_DIR)]
    : [join(homeFolder(), ".claude"), join(homeFolder(), ".config", "claude")];
  const present = candidates
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
    .map((path) => readable(path, "folder"));
  // One may be a link to the other.
  const roots = present.length > 0 ? [...new Set(present)] : candidates.slice(0, 1);
  return roots.map((path) => ({ path, kind: "config" }));
}

/**
 * @param {string} given
 * @returns {Root}
 */
function configRoot(given) {
  const path = readable(resolve(given), "folder");
  if (!statSync(path).isDirectory()) {
    throw new UsageError(`${given} is not a folder. To read one log, give it without --claude-dir.`);
  }
  // People often give the folder that contains the logs.
  const isProjects =
    basename(path) === "projects" && !statSync(join(path, "projects"), { throwIfNoEntry: false });
  return { path: isProjects ? dirname(path) : path, kind: "config" };
}

/**
 * @param {string} path
 * @param {string} noun
 * @param {string} hint
 */
function readable(path, noun, hint = "Check the path, or see backscroll --help for the commands.") {
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isDirectory()) readdirSync(path);
    // In the capitals of the disk: on Windows and macOS a folder may be named in others, and is the same.
    return realpathSync.native(path);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new UsageError(`there is no ${noun} ${path}. ${hint}`);
    }
    throw new UsageError(`cannot read the ${noun} ${path} (${code}). Check its permissions.`);
  }
}
