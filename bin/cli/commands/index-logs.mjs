import { setTimeout as pause } from "node:timers/promises";
import { damagedFiles } from "../damaged-file.mjs";
import { formatBytes, formatCount, formatPlural } from "../format.mjs";
import { lineWidth, print, printError, replaceLine } from "../print.mjs";
import { ask } from "./ask.mjs";

/** Columns of the bar, where the terminal has room for it; a shorter one than `MIN_BAR_WIDTH` shows nothing. */
const MAX_BAR_WIDTH = 30;
const MIN_BAR_WIDTH = 5;
const POLL_MS = 200;

/**
 * `backscroll index`: waits until everything is indexed, and prints a summary. Then it waits until all is kept in the
 * archive as well: a server that was started for this would end before it began with that.
 *
 * @param {import("./ask.mjs").Server} server
 */
export async function indexLogs(server) {
  const started = performance.now();
  const { filesTotal, bytesTotal } = await waitForIndex(server);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`Indexed ${formatPlural(filesTotal, "log")}, ${formatBytes(bytesTotal)}, in ${seconds} s\n`);
  await waitForArchive(server);
}

/** @param {import("./ask.mjs").Server} server one that cannot keep says why, and is not waited for */
async function waitForArchive(server) {
  for (;;) {
    /** @type {import("@/lib/wire/archive").ArchiveResponse} */
    const { filling, problems } = await (await ask(server, "archive")).json();
    if (filling === null || problems.length > 0) {
      replaceLine("");
      for (const problem of problems) warn(problem);
      return;
    }
    replaceLine(`kept ${formatCount(filling.filesDone)} of ${formatPlural(filling.filesTotal, "file")}`);
    await pause(POLL_MS);
  }
}

/**
 * Waits until everything is indexed, with a progress bar on stderr if that is a terminal, and prints there what the page
 * would warn of: folders that were not read, prices that cannot be used, an index that cannot be written.
 *
 * @param {import("./ask.mjs").Server} server
 * @returns {Promise<import("@/lib/wire/library").Health["indexing"]>} how it ended
 */
export async function waitForIndex(server) {
  for (;;) {
    /** @type {import("@/lib/wire/library").Health} */
    const { indexing, warnings } = await (await ask(server, "health")).json();
    replaceLine(formatProgress(indexing, lineWidth()));
    if (indexing.done) {
      replaceLine("");
      for (const warning of warnings) warn(warning);
      return indexing;
    }
    await pause(POLL_MS);
  }
}

/** @type {Set<string>} */
const printed = new Set();

/** @param {{ message: string, hint: string, path?: string }} warning printed once, and not if a damaged file has been told */
function warn({ message, hint, path }) {
  const line = `backscroll: ${path ? `${path}: ` : ""}${message}. ${hint}\n`;
  if (printed.has(line) || damagedFiles().some((one) => one.message === message)) return;
  printed.add(line);
  printError(line);
}

/**
 * How far the index is, as one line. In a narrow terminal the bar is shorter, then it and the bytes are left out: the
 * phase and the count of logs stay.
 *
 * @param {{ phase: string, filesDone: number, filesTotal: number, bytesDone: number, bytesTotal: number }} progress
 * @param {number} columns what is wider is cut
 */
function formatProgress({ phase, filesDone, filesTotal, bytesDone, bytesTotal }, columns) {
  const share = bytesTotal === 0 ? 0 : Math.min(1, bytesDone / bytesTotal);
  const logs = `${String(Math.floor(share * 100)).padStart(3)} % ${phase} ${formatCount(filesDone)} of ${formatPlural(filesTotal, "log")}`;
  const whole = `${logs}, ${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`;
  const words = [whole, logs].find(({ length }) => length + 1 + MIN_BAR_WIDTH <= columns);
  if (words === undefined) return logs.trimStart();
  const width = Math.min(MAX_BAR_WIDTH, columns - 1 - words.length);
  const full = Math.round(share * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${words}`;
}
