import { statSync } from "node:fs";
import { nearestRealPath, refuseInside } from "../data-dir.mjs";
import { formatBytes, formatCount, formatLocalTime, formatPlural } from "../format.mjs";
import { inLine, print, replaceLine } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask, wordsOf } from "./ask.mjs";

const LISTED = 200;

/**
 * `backscroll archive`: prints what is kept, as text or as the API's JSON.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ json: boolean }} options
 */
export async function printArchive(server, { json }) {
  const archive = await (await ask(server, "archive")).json();
  if (json) return print(`${JSON.stringify(archive, null, 2)}\n`);
  if (archive.path === null) return print("Nothing is kept: Backscroll runs without an archive.\n");
  const { files, bytes, storedBytes, keptOnly, lastKeptAtMs, filling, problems } = archive;
  const lines = [
    `${archive.path}${archive.enabled ? "" : ", turned off in the settings"}`,
    `${formatPlural(files, "file")} of ${formatBytes(bytes)} ${files === 1 ? "is" : "are"} kept in ${formatBytes(storedBytes)}`,
    `${formatPlural(keptOnly, "session is", "sessions are")} only here, no longer on disk`,
    lastKeptAtMs === null ? "nothing was kept yet" : `last kept ${formatLocalTime(lastKeptAtMs)}`,
    ...(filling?.filesTotal
      ? [`reading: ${formatCount(filling.filesDone)} of ${formatPlural(filling.filesTotal, "file")}`]
      : []),
    ...problems.map((/** @type {{ message: string, hint: string }} */ one) => `${one.message}. ${one.hint}`),
  ];
  print(`${lines.join("\n")}\n`);
}

/**
 * Does what works on the archive's folder itself, beside any server that keeps there. The compiled code must be loaded.
 *
 * @param {import("../command-options/archive-options.mjs").ArchiveCommand} command
 * @param {string | null} folder
 * @param {import("../roots.mjs").Root[]} roots the logs' folders, under which nothing is ever written
 * @returns {Promise<boolean>} whether all is well
 * @throws {UsageError} without an archive, and for a folder that cannot be used
 */
export async function runOnArchive(command, folder, roots) {
  if (folder === null) throw new UsageError("there is no archive. Leave out --no-archive and --demo.");
  const commands =
    /** @type {{ [key: symbol]: import("@/lib/server/archive/archive-commands").ArchiveCommands }} */ (
      globalThis
    )[Symbol.for("backscroll.archive")];
  if (!commands) throw new Error("The server published no commands for its archive");
  if (command.action === "verify") return verify(commands, folder);
  if (command.action === "remove") return remove(commands, folder, command);
  const other = nearestRealPath(command.folder);
  const [from, to] = command.action === "export" ? [folder, other] : [other, folder];
  if (from === to) throw new UsageError("that is the archive itself. Give another folder.");
  if (command.action === "export")
    for (const { path } of roots) refuseInside(other, nearestRealPath(path), "folder", "archive export");
  if (statSync(other, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${other} is a file. Give a folder.`);
  if (!(await asUsage(async () => commands.mayHold(other), other)))
    throw new UsageError(`${other} holds other things. Give a new folder.`);
  const configs = command.action === "import" ? roots.filter(({ kind }) => kind === "config") : [];
  const [home = null] = configs.map(({ path }) => nearestRealPath(path));
  const { files, bytes, fresh, moved, leftOut, stayed } = await asUsage(
    async () =>
      command.action === "import"
        ? commands.bringIn(from, to, home)
        : { ...(await commands.copy(from, to)), stayed: [] },
    `copying from ${from} to ${to}`,
  );
  if (files === 0 && leftOut.length === 0) throw nothingIn(from);
  const news =
    fresh === 0
      ? ", where all of it was already"
      : fresh < files
        ? `; ${formatPlural(fresh, "of them is", "of them are")} new or changed`
        : "";
  print(`Copied ${formatPlural(files, "file")}, ${formatBytes(bytes)}, from ${from} to ${to}${news}\n`);
  if (moved > 0) {
    const which =
      configs.length > 1
        ? `, the first of the ${configs.length} Claude folders that are read. Another --claude-dir in front takes its place`
        : "";
    const whose = formatPlural(moved, "of them is", "of them are");
    print(
      `${whose} another machine's, and kept as if ${moved === 1 ? "it" : "they"} had been in ${home}${which}\n`,
    );
  }
  const read = roots.map(({ path }) => nearestRealPath(path));
  for (const one of stayed) print(formatStayed(one, read.includes(one.root)));
  if (leftOut.length > 0) print(formatLeftOut(leftOut, from));
  return leftOut.length === 0;
}

/**
 * What of an archive could not be copied, and how to get it.
 *
 * @param {readonly string[]} leftOut
 * @param {string} from
 */
function formatLeftOut(leftOut, from) {
  const [part, it] = leftOut.length === 1 ? ["part is", "it"] : ["parts are", "them"];
  return [
    `${formatCount(leftOut.length)} damaged ${part} left out:\n`,
    ...leftOut.slice(0, NAMED).map((problem) => `  ${inLine(problem)}\n`),
    ...(leftOut.length > NAMED ? [`  and ${formatCount(leftOut.length - NAMED)} more\n`] : []),
    `Only another copy of ${from} has ${it}: archive import brings ${it} from there.\n`,
    "A file that is on disk is kept anew, as it is now, when Backscroll starts.\n",
  ].join("");
}

/** So many sessions are named that have kept their paths, and so many damaged parts. */
const NAMED = 20;

/** @type {Readonly<Record<import("@/lib/server/archive/archive-commands").StayedFiles["why"], string>>} */
const WHY_STAYED = {
  "on-disk": "that folder is on this disk",
  "in-archive": "the archive has had other files of that folder before",
  "no-config": "that is no Claude folder, so their place in one is not known",
  "no-home": "no Claude folder is read here that they could be moved to",
};

/**
 * Which sessions have kept the paths of another folder, and how they are read where that is not done anyway.
 *
 * @param {import("@/lib/server/archive/archive-commands").StayedFiles} stayed
 * @param {boolean} isRead
 */
function formatStayed({ root, rootWord, why, files, sessions }, isRead) {
  const what = `${formatPlural(files, "of them keeps its path", "of them keep their paths")} in ${inLine(root)}`;
  const how =
    isRead || sessions.length === 0
      ? ""
      : `. --claude-dir ${rootWord} shows ${sessions.length === 1 ? "it" : "them"}`;
  return [
    `${what}: ${WHY_STAYED[why]}${how}\n`,
    ...sessions.slice(0, NAMED).map((path) => `  ${inLine(path)}\n`),
    ...(sessions.length > NAMED ? [`  and ${formatCount(sessions.length - NAMED)} more\n`] : []),
  ].join("");
}

/** @typedef {import("@/lib/server/archive/archive-commands").ArchiveCommands} Commands */

/**
 * @param {Commands} commands
 * @param {string} folder
 */
async function verify(commands, folder) {
  const result = await asUsage(
    () =>
      commands.verify(folder, (done, all) =>
        replaceLine(`${formatCount(done)} of ${formatPlural(all, "file")}`),
      ),
    folder,
  );
  replaceLine("");
  const { files, generations, chunks, bytes, mended, problems } = result;
  // Of a disk that is not mounted, or a folder that is misspelled, nothing was compared.
  if (files === 0 && problems.length === 0) throw nothingIn(folder);
  for (const problem of problems) print(`${inLine(problem)}\n`);
  if (mended > 0)
    print(
      `${formatPlural(mended, "damaged chunk is", "damaged chunks are")} whole again, from the files on disk\n`,
    );
  const read = [formatPlural(generations, "state"), formatPlural(chunks, "chunk"), formatBytes(bytes)].join(
    ", ",
  );
  const found = problems.length === 0 ? "all as they were kept" : `${formatCount(problems.length)} damaged`;
  print(`${formatPlural(files, "file")} in ${read}: ${found}\n`);
  if (problems.length > 0)
    print(
      "What was damaged could not be mended: its file on disk is gone, or has changed since.\n" +
        "Only another copy of this archive has it (a backup, or what archive export wrote), and archive import brings it\n" +
        "back from there. All else can be read, and a file that is on disk is kept anew, as it is now, when Backscroll starts.\n",
    );
  return problems.length === 0;
}

/**
 * @param {Commands} commands
 * @param {string} folder
 * @param {{ words: string[], olderThanDays: number | null, yes: boolean }} command
 */
async function remove(commands, folder, { words, olderThanDays, yes }) {
  const what = { words, olderThanDays };
  const sessions = await asUsage(() => commands.listRemoval(folder, what), folder);
  if (sessions.length === 0) throw new UsageError("nothing that is kept is called that, or is that old.");
  for (const { id, project, files, bytes, lastWrittenAtMs, isGone } of sessions.slice(0, LISTED)) {
    const day = formatLocalTime(lastWrittenAtMs).slice(0, 10);
    const where = isGone ? "nowhere else" : "also on disk";
    print(
      `${id}  ${day}  ${formatPlural(files, "file")}, ${formatBytes(bytes)}  ${where}  ${inLine(project)}\n`,
    );
  }
  if (sessions.length > LISTED) print(`and ${formatCount(sessions.length - LISTED)} more\n`);
  const count = formatPlural(sessions.length, "session");
  const gone = sessions.filter(({ isGone }) => isGone).length;
  if (!yes) {
    print(
      `Nothing was removed. --yes removes ${count} from the archive, ${formatCount(gone)} for good.\n` +
        "What is on disk is kept again unless its project is left out in the settings.\n",
    );
    return true;
  }
  const freed = await asUsage(() => commands.remove(folder, what), folder);
  print(`Removed ${count} from the archive, ${formatBytes(freed)} of disk\n`);
  return true;
}

/**
 * What the disk or the archive refuses is for the user to see to.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} where it is done
 * @returns {Promise<T>}
 */
async function asUsage(work, where) {
  try {
    return await work();
  } catch (cause) {
    const { code, message, syscall, hint } = /** @type {NodeJS.ErrnoException & { hint?: string }} */ (cause);
    if (code === undefined) throw cause;
    // Of a full disk the system does not say which.
    throw new UsageError(
      syscall === undefined
        ? wordsOf({ message, hint: hint ?? "" })
        : `${where}: ${message}. What was done until then stays.`,
    );
  }
}

/** @param {string} folder */
const nothingIn = (folder) => new UsageError(`there is nothing kept in ${folder}.`);
