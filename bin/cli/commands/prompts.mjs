import { setTimeout as sleep } from "node:timers/promises";
import { folderName, formatCount, formatLocalTime, formatPlural, inColumns, oneLine } from "../format.mjs";
import { print, printError } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findProject } from "./find-project.mjs";
import { waitForIndex } from "./index-logs.mjs";

/** @typedef {import("@/lib/wire/search").PromptsResponse} PromptsResponse */
/** @typedef {import("@/lib/wire/search").UsedPrompt} UsedPrompt */

/**
 * `backscroll prompts [WORD…]`: what was typed, the latest first, each prompt once and in one line, when all sessions have
 * been looked through. With `json` each line is the API's own object.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ query: string, from: string | null, to: string | null, project: string[] | null, limit: number, json: boolean }} options
 *   `query` is words of a prompt and filters of its session, or empty; `from` and `to` are days, `to` included; `project`
 *   what it may be called: an id, or a folder
 * @throws {UsageError} if the days are in the wrong order, or there is no such project
 */
export async function printPrompts(server, { query, from, to, project, limit, json }) {
  if (from !== null && to !== null && from.length === to.length && from > to)
    throw new UsageError(`--from ${from} is later than --to ${to}.`);
  await waitForIndex(server);
  // A server that runs already may have been started by another clock than the caller's.
  const asked = new URLSearchParams({ q: query, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  if (from !== null) asked.set("from", from);
  if (to !== null) asked.set("to", to);
  if (project !== null) asked.set("project", await findProject(server, project));
  const { prompts, total, problems } = await readPrompts(server, asked, limit);
  for (const { message } of problems) printError(`backscroll: in the query: ${message}\n`);
  if (json) return print(prompts.map((one) => `${JSON.stringify(one)}\n`).join(""));
  if (prompts.length === 0) return print("No prompts found.\n");
  print(formatPrompts(prompts));
  // Not among the lines, which others may read.
  if (prompts.length < total)
    printError(
      `${formatCount(prompts.length)} of ${formatPlural(total, "prompt")}; a larger --limit shows more.\n`,
    );
}

/** So many prompts the API gives at once. */
const MAX_PAGE = 1000;
/** Sessions are looked through while somebody asks. */
const AGAIN_MS = 300;

/**
 * The first page is asked for until it is complete; then no prompt is missing on those behind it.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {URLSearchParams} asked
 * @param {number} limit
 * @returns {Promise<PromptsResponse>} with as many prompts as wanted, or all
 */
async function readPrompts(server, asked, limit) {
  /** @type {UsedPrompt[]} */
  const prompts = [];
  for (;;) {
    asked.set("limit", String(Math.min(limit - prompts.length, MAX_PAGE)));
    /** @type {PromptsResponse} */
    const page = await (await ask(server, `prompts?${asked}`)).json();
    if (!page.complete && prompts.length === 0) {
      await sleep(AGAIN_MS);
      continue;
    }
    prompts.push(...page.prompts);
    if (page.nextCursor === null || prompts.length >= limit) return { ...page, prompts };
    asked.set("cursor", page.nextCursor);
  }
}

/**
 * A line a prompt: when it was used last, the name of its project's folder, the beginning of its session's id, which other
 * commands take for it, and its text.
 *
 * @param {readonly UsedPrompt[]} prompts
 */
export function formatPrompts(prompts) {
  const rows = prompts.map(({ text, length, uses, last }) => ({
    when: last.atMs === null ? "at an unknown time" : formatLocalTime(last.atMs),
    project: oneLine(folderName(last.projectPath ?? "")),
    session: last.sessionId?.slice(0, 8) ?? "log gone",
    text: `${oneLine(text)}${length > text.length ? "…" : ""}${uses > 1 ? `  (${formatCount(uses)} times)` : ""}`,
  }));
  return inColumns(rows.map(({ when, project, session, text }) => [when, project, session, text]));
}
