import { closeSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import {
  comparedPath,
  foldersOf,
  IS_FOLDER,
  OUTSIDE,
  placeBelow,
  whyUnknown,
  whyUnwritable,
} from "../../../lib/wire/recovered-files.mjs";
import { formatCount, formatPlural } from "../format.mjs";
import { undoneWhenInterrupted } from "../interrupted.mjs";
import { inLine, print, printError, printStream } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { writeExport } from "./export-session.mjs";
import { findSession } from "./find-session.mjs";
import { isThereIn, NewFiles, refusedBy } from "./new-files.mjs";

/** @typedef {import("../../../lib/wire/files").FileAt} FileAt */
/** @typedef {import("../../../lib/wire/files").TouchedFile} TouchedFile */

/**
 * `backscroll files SESSION [PATH]`: the files that a session read or changed; the text of one as it was when a record was
 * written, or in the end; or, with a folder, all that it changed. Texts are rebuilt from what the logs hold. One of which
 * a line is in no log is not written: with a hole in it, it could be taken for the file.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ session: string, path: string | null, at: string | null, output: string | undefined, to: string | null, json: boolean }} options
 *   `session` is an id or the start of one; `path` a file's path in the session, or the end of one; `at` a record or a
 *   version, `null` for how the file ended; `to` the absolute path of a folder
 * @throws {UsageError} if there is no such session or file, the text is not known, or it cannot be written
 */
export async function files(server, { session, path, at, output, to, json }) {
  const id = await findSession(server, session);
  const from = `sessions/${encodeURIComponent(id)}`;
  /** @type {TouchedFile[]} */
  const touched = await (await ask(server, `${from}/touched-files`)).json();
  const read = (/** @type {string} */ of) => readFile(server, from, of, at);
  if (to !== null) return recover(touched, read, to, await projectOf(server, from));
  if (path === null) return print(json ? `${JSON.stringify(touched, null, 2)}\n` : formatTouched(touched));
  const file = await read(namedFile(touched, path));
  if (json) return print(`${JSON.stringify(file, null, 2)}\n`);
  const why = whyUnknown(file);
  if (why !== null) throw new UsageError(`${file.path} ${why}. --json writes what is known of it.`);
  const text = Readable.from([Buffer.from(file.content ?? "")]);
  return output === undefined ? printStream(text) : writeExport(text, output, "output");
}

/**
 * @param {import("./ask.mjs").Server} server
 * @param {string} from
 * @returns {Promise<string>} the folder of the session's project
 */
async function projectOf(server, from) {
  /** @type {import("../../../lib/wire/session").SessionDetail} */
  const { project } = await (await ask(server, from)).json();
  return project.path;
}

/**
 * @param {import("./ask.mjs").Server} server
 * @param {string} from
 * @param {string} path
 * @param {string | null} at
 * @returns {Promise<FileAt>}
 */
async function readFile(server, from, path, at) {
  const query = new URLSearchParams({ path, ...(at !== null && { at }) });
  return (await ask(server, `${from}/file?${query}`)).json();
}

/**
 * The one file with this path, or whose path ends with it.
 *
 * @param {TouchedFile[]} touched
 * @param {string} named
 * @throws {UsageError} if there is none, or more than one
 */
export function namedFile(touched, named) {
  const end = named.replace(/^(\.[\\/])+/, "").replaceAll("\\", "/");
  const paths = touched.map(({ path }) => path);
  const exact = paths.find((path) => path === named || comparedPath(path) === comparedPath(named));
  if (exact !== undefined) return exact;
  const [only, ...others] = paths.filter((path) => comparedPath(path).endsWith(`/${end}`));
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(
    only === undefined
      ? `this session neither read nor changed ${named}. backscroll files SESSION lists what it did.`
      : `${formatCount(others.length + 1)} files end with ${named}: ${[only, ...others].join(", ")}.`,
  );
}

/** @param {TouchedFile[]} touched */
function formatTouched(touched) {
  if (touched.length === 0) return "This session neither read nor changed a file.\n";
  const rows = touched.map(({ path, reads, changes }) => ({
    changes: changes === 0 ? "" : formatPlural(changes, "change"),
    reads: reads === 0 ? "" : formatPlural(reads, "read"),
    path,
  }));
  const width = (/** @type {"changes" | "reads"} */ of) => Math.max(...rows.map((row) => row[of].length));
  const [changes, reads] = [width("changes"), width("reads")];
  return rows
    .map((row) => `${row.changes.padStart(changes)}  ${row.reads.padStart(reads)}  ${inLine(row.path)}\n`)
    .join("");
}

/**
 * A file that is to be written: `path` its own in the session, `place` its parts below the folder.
 *
 * @typedef {{ path: string, place: string[], target: string, text: string }} Recovered
 */

/**
 * Writes all files that the session changed below a folder, by their paths in the project. Where one of them is there
 * already nothing is written, and where it is interrupted nothing is left.
 *
 * @param {TouchedFile[]} touched
 * @param {(path: string) => Promise<FileAt>} read
 * @param {string} folder
 * @param {string} project
 */
async function recover(touched, read, folder, project) {
  /** @type {Recovered[]} */
  const found = [];
  /** @type {string[]} */
  const left = [];
  for (const { path, changes } of touched) {
    if (changes === 0) continue;
    const place = placeBelow(project, path);
    const why = place === null ? OUTSIDE : whyUnwritable(path, place);
    const file = why === null ? await read(path) : null;
    const reason = why ?? (file && whyUnknown(file));
    if (place === null || reason !== null) left.push(`${path} ${reason}`);
    else found.push({ path, place, target: join(folder, ...place), text: file?.content ?? "" });
  }
  const folders = foldersOf(found.map(({ place }) => place));
  const isFolder = (/** @type {Recovered} */ { place }) => folders.has(place.join("/"));
  left.push(...found.filter(isFolder).map(({ path }) => `${path} ${IS_FOLDER}`));
  const known = found.filter((file) => !isFolder(file));
  const isThere = isThereIn(folder);
  const taken = known.find(({ target }) => isThere(target));
  if (taken)
    throw new UsageError(`${taken.target} is there already. Nothing was written: give another --to FOLDER.`);
  refuseLinks(known, folder);
  const unlike = await writeAll(known, folder);
  left.push(...unlike.map(({ path, other }) => `${path} has the name of ${other} on this disk`));
  const count = known.length - unlike.length;
  print(count > 0 ? `Wrote ${formatPlural(count, "file")} to ${folder}\n` : `${whyNothing(left.length)}\n`);
  if (left.length > 0)
    printError(`backscroll: ${formatPlural(left.length, "file was", "files were")} left out.\n`);
  for (const line of left) printError(`  ${inLine(line)}\n`);
}

/** @param {number} left how many files were left out */
const whyNothing = (left) =>
  left > 0 ? "No file was written." : "No file was written: this session changed none.";

/**
 * The paths are of a log, and the folder may be of somebody else, too: together they must not lead out of it.
 *
 * @param {Recovered[]} known
 * @param {string} folder
 * @throws {UsageError} where a link in the folder leads out of it on the way to one of them
 */
function refuseLinks(known, folder) {
  const root = realPath(folder);
  if (root === null) return;
  const inside = new Set([resolve(folder)]);
  for (const { target } of known)
    for (let above = dirname(target); !inside.has(above); above = dirname(above)) {
      inside.add(above);
      const real = realPath(above);
      if (real !== null && !real.startsWith(root.endsWith(sep) ? root : root + sep))
        throw new UsageError(
          `${above} is a link that leads out of ${folder}. Nothing was written: give another --to FOLDER.`,
        );
    }
}

/**
 * @param {string} path
 * @returns {string | null} `null` where there is nothing
 */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/**
 * @param {Recovered[]} known
 * @param {string} folder
 * @returns {Promise<{ path: string, other: string }[]>} those that were not written, since for this disk they have the
 *   name of another one: it does not tell A from a, or the ways to write é
 * @throws {UsageError} where one cannot be written; then none is left
 */
async function writeAll(known, folder) {
  const written = new NewFiles();
  /** @type {Map<string, string>} */
  const spelled = new Map();
  /** @type {{ path: string, other: string }[]} */
  const unlike = [];
  try {
    await undoneWhenInterrupted(
      () => written.undo(),
      async () => {
        for (const { path, target, text } of known) {
          const name = target.normalize("NFC").toLowerCase();
          const other = spelled.get(name);
          try {
            // Fails where somebody else has made it meanwhile.
            const fd = written.create(target);
            try {
              writeFileSync(fd, text);
            } finally {
              closeSync(fd);
            }
          } catch (cause) {
            if (/** @type {NodeJS.ErrnoException} */ (cause).code !== "EEXIST" || other === undefined)
              throw cause;
            unlike.push({ path, other });
          }
          if (other === undefined) spelled.set(name, path);
        }
      },
    );
    return unlike;
  } catch (cause) {
    written.undo();
    const { code, syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (syscall === undefined) throw cause;
    throw new UsageError(`${refusedBy(folder, code)}. Nothing of it was left there.`);
  }
}
