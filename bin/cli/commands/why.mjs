import { readFileSync } from "node:fs";
import { formatCount, formatLocalTime, formatPlural } from "../format.mjs";
import { inLine, print } from "../print.mjs";
import { localUrl } from "../running-server.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { waitForIndex } from "./index-logs.mjs";

const MAX_OTHERS = 5;
/** The API looks for no shorter line. */
const MIN_LETTERS = 4;

/**
 * `backscroll why PATH:LINE`: which change of which session brought a line of a file, and what was changed about it
 * later. Of the file that one line is read, and nothing is written.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ path: string, line: number, json: boolean }} options `path` is absolute
 * @throws {UsageError} where the file has no such line
 */
export async function why(server, { path, line, json }) {
  const text = lineOf(path, line);
  await waitForIndex(server);
  const query = new URLSearchParams({ text, path });
  /** @type {import("../../../lib/wire/files").WhyResponse} */
  const found = await (await ask(server, `why?${query}`)).json();
  // A server that was started for this command ends with it: then what stands behind its address is all that stays good.
  const url = "pid" in server ? localUrl(server) : "";
  print(json ? `${JSON.stringify(found, null, 2)}\n` : formatWhy(found, url));
}

/**
 * @param {string} path
 * @param {number} line from 1
 * @throws {UsageError} where the file has no such line, or hardly anything stands in it
 */
export function lineOf(path, line) {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new UsageError(
        `there is no file ${path}. Give its path from the current folder, or a whole one.`,
      );
    if (code === "EISDIR") throw new UsageError(`${path} is a folder. Give a file in it.`);
    throw new UsageError(`${path} cannot be read (${code}). Check its permissions.`);
  }
  // Editors on Windows may begin a file with a byte order mark, which no call writes down.
  const lines = text.replace(/^\ufeff|\r?\n$/g, "").split(/\r?\n/);
  const found = lines[line - 1];
  if (found === undefined) throw new UsageError(`${path} has ${formatPlural(lines.length, "line")}.`);
  if (found.trim().length < MIN_LETTERS)
    throw new UsageError(
      `line ${line} of ${path} has fewer than ${MIN_LETTERS} characters, as many others have. Give one near it.`,
    );
  return found;
}

/**
 * What was found, as text.
 *
 * @param {import("../../../lib/wire/files").WhyResponse} found
 * @param {string} url of the server that is still there afterwards, or empty
 */
export function formatWhy({ text, origin, later, others, complete }, url) {
  const out = [text, ""];
  if (origin === null) out.push("No session wrote this line.");
  else out.push(...told(origin, "Written", url));
  for (const change of later)
    out.push("", ...told(change, change.change === "removed" ? "Then removed" : "Then changed around", url));
  if (others.length > 0) out.push("", `The same line in other changes: ${formatCount(others.length)}`);
  for (const change of others.slice(0, MAX_OTHERS))
    out.push(`  ${when(change)}  ${change.change}  ${change.path}  ${change.title ?? change.sessionId}`);
  if (!complete) out.push("", "It stands in more changes than were looked at.");
  return `${out.map(inLine).join("\n")}\n`;
}

/**
 * @param {import("../../../lib/wire/files").LineChange} change
 * @param {string} what
 * @param {string} url
 */
function told(change, what, url) {
  const { tool, agentId, path, title, sessionId, prompt, turn, recordId, block } = change;
  const by = agentId === null ? "" : " by an agent";
  return [
    `${what} by ${tool}${by}, ${when(change)}`,
    `  file     ${path}`,
    `  session  ${title ?? sessionId}`,
    ...(prompt === null ? [] : [`  prompt   ${turn}. ${prompt.replace(/\s+/g, " ")}`]),
    `  link     ${url}/sessions/${sessionId}?at=${recordId}.${block}`,
  ];
}

/** @param {{ atMs: number | null }} change */
const when = ({ atMs }) => (atMs === null ? "at an unknown time" : formatLocalTime(atMs));
