import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { print, printError } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask, wordsOf } from "./ask.mjs";

/** A request carries 64 KiB at most. */
const MAX_BATCH_BYTES = 48_000;

/**
 * `backscroll annotations`: writes all stars, names, tags, notes, bookmarks and comments as a collection of W3C Web
 * Annotations, or adds those of such a file that are not there yet.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {import("../command-options/annotations-options.mjs").AnnotationsCommand} command
 * @throws {UsageError} for a file that cannot be read or written, or is no such collection
 */
export async function moveAnnotations(server, command) {
  if (command.action === "import") return importFrom(server, command.file);
  const collection = await (await ask(server, "annotations?format=w3c")).json();
  const text = `${JSON.stringify(collection, null, 2)}\n`;
  for (const warning of await annotationWarnings(server)) printError(`backscroll: ${wordsOf(warning)}\n`);
  if (command.output === undefined) return print(text);
  const path = command.output;
  asUsage(() => writeWhole(path, text), path);
  print(`Wrote ${annotations(collection.total)} to ${path}\n`);
}

/**
 * What the server says of lines that are in no annotation, and so not in an export.
 *
 * @param {import("./ask.mjs").Server} server
 * @returns {Promise<import("@/lib/wire/library").Warning[]>}
 */
async function annotationWarnings(server) {
  /** @type {import("@/lib/wire/library").Health} */
  const { warnings } = await (await ask(server, "health")).json();
  return warnings.filter(({ code }) => code === "annotations-newer" || code === "annotations-damaged");
}

/**
 * @param {import("./ask.mjs").Server} server
 * @param {string} path
 */
async function importFrom(server, path) {
  const items = itemsOf(
    asUsage(() => readFileSync(path, "utf8"), path, true),
    path,
  );
  const sum = { added: 0, known: 0, refused: 0 };
  for (const { from, batch } of batches(items)) {
    const { added, known, refused } = await (
      await ask(server, "annotations", { method: "PUT", json: { items: batch } })
    ).json();
    sum.added += added;
    sum.known += known;
    sum.refused += refused.length;
    for (const { index, reason } of refused) printError(`annotation ${from + index + 1}: ${reason}\n`);
  }
  const rest = [
    sum.known > 0 ? `${sum.known} were there already` : "",
    sum.refused > 0 ? `${sum.refused} were not taken` : "",
  ].filter(Boolean);
  print(`${[`Added ${annotations(sum.added)}`, ...rest].join(", ")}\n`);
}

/**
 * The items of a collection, of a page of one, or of a bare list.
 *
 * @param {string} text
 * @param {string} path
 * @returns {unknown[]}
 */
function itemsOf(text, path) {
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON.`);
  }
  const items = Array.isArray(json) ? json : (json?.first?.items ?? json?.items);
  if (Array.isArray(items)) return items;
  throw new UsageError(`${path} holds no W3C Web Annotations.`);
}

/**
 * @param {unknown[]} items
 * @returns {Generator<{ from: number, batch: unknown[] }>}
 */
function* batches(items) {
  let from = 0;
  let bytes = 0;
  for (let to = 0; to < items.length; to++) {
    const own = Buffer.byteLength(JSON.stringify(items[to])) + 1;
    if (to > from && bytes + own > MAX_BATCH_BYTES) {
      yield { from, batch: items.slice(from, to) };
      from = to;
      bytes = 0;
    }
    bytes += own;
  }
  if (from < items.length) yield { from, batch: items.slice(from) };
}

/**
 * Writes a new file. On a disk that is full nothing of it stays, which the next attempt would find there already.
 *
 * @param {string} path
 * @param {string} text
 */
function writeWhole(path, text) {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}

/**
 * @template T
 * @param {() => T} work
 * @param {string} path
 * @param {boolean} [isRead] else it is written
 * @returns {T}
 */
function asUsage(work, path, isRead = false) {
  try {
    return work();
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "EEXIST") throw new UsageError(`${path} is there already. Give another file.`);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new UsageError(
        `there is no ${isRead ? `file ${path}` : `folder ${dirname(path)}`}. Check the path.`,
      );
    if (code === "EISDIR") throw new UsageError(`${path} is a folder. Give a file.`);
    if (code !== undefined)
      throw new UsageError(`cannot ${isRead ? "read" : "write"} ${path} (${code}). Give another file.`);
    throw cause;
  }
}

/** @param {number} count */
const annotations = (count) => `${count} ${count === 1 ? "annotation" : "annotations"}`;
