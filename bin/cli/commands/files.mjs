import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { OUTSIDE, placeBelow, whyUnknown, withSlashes } from "../../../lib/wire/recovered-files.mjs";
import { formatCount, formatPlural } from "../format.mjs";
import { undoneWhenInterrupted } from "../interrupted.mjs";
import { print, printError, printStream } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { writeExport } from "./export-session.mjs";
import { findSession } from "./find-session.mjs";

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
  const exact = paths.find((path) => path === named || withSlashes(path) === withSlashes(named));
  if (exact !== undefined) return exact;
  const [only, ...others] = paths.filter((path) => withSlashes(path).endsWith(`/${end}`));
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
    .map((row) => `${row.changes.padStart(changes)}  ${row.reads.padStart(reads)}  ${row.path}\n`)
    .join("");
}

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
  const known = [];
  const left = [];
  for (const { path, changes } of touched) {
    if (changes === 0) continue;
    const place = placeBelow(project, path);
    const why = place === null ? OUTSIDE : null;
    const file = why === null ? await read(path) : null;
    const reason = why ?? (file && whyUnknown(file));
    if (place === null || reason !== null) left.push(`${path} ${reason}`);
    else known.push({ target: join(folder, ...place), text: file?.content ?? "" });
  }
  const taken = known.find(({ target }) => lstatSync(target, { throwIfNoEntry: false }) !== undefined);
  if (taken)
    throw new UsageError(`${taken.target} is there already. Nothing was written: give another --to FOLDER.`);
  await writeAll(known, folder);
  print(`Wrote ${formatPlural(known.length, "file")} to ${folder}\n`);
  if (left.length > 0)
    printError(`backscroll: ${formatPlural(left.length, "file was", "files were")} left out.\n`);
  for (const line of left) printError(`  ${line}\n`);
}

/**
 * @param {{ target: string, text: string }[]} known
 * @param {string} folder
 * @throws {UsageError} where one cannot be written; then none is left
 */
async function writeAll(known, folder) {
  /** @type {string[]} */
  const written = [];
  const undo = () => {
    for (const target of written) rmSync(target, { force: true });
  };
  try {
    await undoneWhenInterrupted(undo, async () => {
      for (const { target, text } of known) {
        mkdirSync(dirname(target), { recursive: true });
        // Fails where somebody else has made it meanwhile.
        writeFileSync(target, text, { flag: "wx", mode: 0o600 });
        written.push(target);
      }
    });
  } catch (cause) {
    undo();
    const { code, syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (syscall === undefined) throw cause;
    throw new UsageError(`cannot write below ${folder}: ${code}. Nothing of it was left there.`);
  }
}
