import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { formatBytes, formatPlural } from "../format.mjs";
import { undoneWhenInterrupted } from "../interrupted.mjs";
import { print } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findSession } from "./find-session.mjs";
import { isThereIn, NewFiles, refusedBy } from "./new-files.mjs";

/**
 * `backscroll restore SESSION --to FOLDER`: writes a session's files as the client wrote them, byte by byte and where it
 * would have them in its own folder. Where one of them is there already nothing is written, and where it is interrupted
 * nothing is left: half a log would be taken for the session. Their times are those of now: the client removes what is
 * old.
 *
 * The client looks for a log by the folder in which it is started: with `project`, the logs go to where it looks for them
 * from there. Then what it finds by the session's id, such as todos, may be there already.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ session: string, to: string, project: string | null }} options `session` is an id or the start of one, `to`
 *   and `project` are absolute paths
 * @throws {UsageError} if no session, or more than one, begins with `session`, or the files cannot be written
 */
export async function restoreSession(server, { session, to: folder, project }) {
  const id = await findSession(server, session);
  const from = `sessions/${encodeURIComponent(id)}/originals`;
  const { files } = /** @type {{ files: { path: string, bytes: number }[] }} */ (
    await (await ask(server, from)).json()
  );
  const isThere = isThereIn(folder);
  const targets = files
    .map(({ path, bytes }) => ({ path, bytes, target: targetOf(folder, placeIn(project, path)) }))
    .filter(({ path, target }) => project === null || isOfProject(path) || !isThere(target));
  const taken = targets.find(({ target }) => isThere(target));
  if (taken)
    throw new UsageError(`${taken.target} is there already. Nothing was written: give another --to FOLDER.`);
  const written = new NewFiles();
  const undo = () => written.undo();
  const write = async () => {
    for (const { path, bytes, target } of targets) {
      const response = await ask(server, `${from}?path=${encodeURIComponent(path)}`);
      // Fails where somebody else has made it meanwhile.
      const file = createWriteStream(target, { fd: written.create(target, 0o700) });
      const body = Readable.fromWeb(/** @type {import("node:stream/web").ReadableStream} */ (response.body));
      await pipeline(body, file);
      if (file.bytesWritten !== bytes) throw new UsageError(`${path} changed while it was read. Try again.`);
    }
  };
  try {
    await undoneWhenInterrupted(undo, write);
  } catch (cause) {
    undo();
    if (cause instanceof UsageError) throw cause;
    const { code, message, syscall } = /** @type {NodeJS.ErrnoException} */ (cause);
    // The disk says what it was asked for.
    const why = syscall === undefined ? `the server broke off (${message})` : refusedBy(folder, code);
    throw new UsageError(`${why}. Nothing of it was left there.`);
  }
  const size = targets.reduce((sum, { bytes }) => sum + bytes, 0);
  print(`Restored ${formatPlural(targets.length, "file")}, ${formatBytes(size)}, to ${folder}\n`);
  const [uuid] = UUID.exec(id) ?? [];
  if (project !== null && uuid !== undefined) print(`Resume it in ${project}: claude --resume ${uuid}\n`);
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** At this length the client cuts the name of a project's folder, and adds a hash of its own. */
const MAX_SLUG = 200;

/**
 * Whether a file is found by its project, not by its session alone.
 *
 * @param {string} path in the client's folder
 */
const isOfProject = (path) => /^projects\/[^/]+\//.test(path);

/**
 * The path of a file in the client's folder for a session of that project.
 *
 * @param {string | null} project its folder, `null` for the session's own
 * @param {string} path
 * @throws {UsageError} if the name of its folder is not known
 */
export function placeIn(project, path) {
  if (project === null || !isOfProject(path)) return path;
  const slug = project.replace(/[^A-Za-z0-9]/g, "-");
  if (slug.length > MAX_SLUG)
    throw new UsageError(`the client's name for a project is not known of a path as long as ${project}.`);
  return path.replace(/^projects\/[^/]+/, `projects/${slug}`);
}

/**
 * @param {string} folder
 * @param {string} path
 */
function targetOf(folder, path) {
  const isPlain = path.split("/").every((part) => !["", ".", ".."].includes(part)) && !/[\\:\0]/.test(path);
  if (!isPlain)
    throw new UsageError(`"${path}" is no path of a file in the client's folder. Nothing was written.`);
  return join(folder, ...path.split("/"));
}
