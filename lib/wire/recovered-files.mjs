/*
 * Files taken out of a session's logs, by the command line and by the server: which can be, and where they go. The command
 * line reads this before anything has been built, so it is plain JavaScript; a package has it too (`files` in
 * package.json).
 */

/**
 * A path as paths are compared, at the same length: Windows writes them with either slash, and a drive in either case. What
 * `comparablePath` is to the server.
 *
 * @param {string} path
 */
export const comparedPath = (path) =>
  /^([A-Za-z]:[\\/]|\\\\)/.test(path)
    ? path.replaceAll("\\", "/").replace(/^[a-z]/, (drive) => drive.toUpperCase())
    : path;

/**
 * Why the text of a file is not known; `null` where all of it is.
 *
 * @param {Pick<import("./files").FileAt, "content" | "exists" | "complete" | "gaps">} file
 */
export function whyUnknown({ content, exists, complete, gaps }) {
  if (exists === false) return "was not there then";
  if (content !== null && complete && gaps.length === 0) return null;
  if (content === null) return "cannot be told: no log holds its text then";
  const lines = gaps.map(({ fromLine, toLine }) =>
    toLine === null ? `${fromLine} on` : fromLine === toLine ? `${fromLine}` : `${fromLine}–${toLine}`,
  );
  return `is not whole in the logs: lines ${lines.join(", ")} are in none`;
}

/** Why a file is not taken that `placeBelow` has no place for. */
export const OUTSIDE = "is outside of the project";

/**
 * The parts of a file's path in its project; `null` for one that is not in it. The path is of a log, and may say anything.
 *
 * @param {string} project
 * @param {string} path
 */
export function placeBelow(project, path) {
  const root = comparedPath(project).replace(/\/+$/, "");
  const place = comparedPath(path);
  if (!place.startsWith(`${root}/`)) return null;
  const parts = place.slice(root.length + 1).split("/");
  return parts.every((part) => !["", ".", ".."].includes(part) && !/[\\:\0]/.test(part)) ? parts : null;
}

/** The longest path that the API is asked for. */
const MAX_PATH = 4096;
/** Bytes of a name, on most disks. */
const MAX_NAME_BYTES = 255;
/** What Windows takes for a device, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/**
 * Why no file can be written at this place, whatever the folder; `null` where one can.
 *
 * @param {string} path in the session
 * @param {string[]} place
 */
export function whyUnwritable(path, place) {
  if (path.length > MAX_PATH || place.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    return "is too long for the name of a file";
  if (/\p{Cs}/u.test(path)) return "has half of a character in its name";
  const isOdd = (/** @type {string} */ name) => /[<>"|?*\0-\x1f]|[. ]$/.test(name) || DEVICE.test(name);
  return process.platform === "win32" && place.some(isOdd) ? "has a name that Windows does not take" : null;
}

/** Why a file is not taken whose place is one of `foldersOf`: a log may have had it before they were made. */
export const IS_FOLDER = "is the folder of others of these files";

/**
 * The folders in which files at these places are, with `/` between their parts.
 *
 * @param {readonly string[][]} places
 * @returns {Set<string>}
 */
export const foldersOf = (places) =>
  new Set(places.flatMap((place) => place.slice(1).map((_, at) => place.slice(0, at + 1).join("/"))));
