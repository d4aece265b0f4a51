import { setTimeout as sleep } from "node:timers/promises";
import { formatCount, formatLocalTime, inColumns } from "../format.mjs";
import { print } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findProject } from "./find-project.mjs";
import { waitForIndex } from "./index-logs.mjs";

/** Which columns of the tables are numbers. */
const NUMBERS = new Set([1, 2, 3, 4, 5, 6, 7]);
const NUMBERS_OF_PROMPTS = new Set([3, 4, 5]);

/**
 * `backscroll usage`: prints what was used, as a table or as the API's JSON, when everything has been read.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ query: string, project: string[] | null, by: string, json: boolean }} options `project` is what it may be called: an id, or a folder
 */
export async function printUsage(server, { query, project, by, json }) {
  const asked = new URLSearchParams(query);
  // A server that runs already may have been started by another clock than the caller's.
  asked.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  const from = asked.get("from") ?? "";
  const to = asked.get("to") ?? "";
  if (from.length === to.length && from > to)
    throw new UsageError(`--from ${from} is later than --to ${to}.`);
  await waitForIndex(server);
  if (project !== null) asked.set("project", await findProject(server, project));
  if (by === "prompt") return printCostliest(server, asked, json);
  /** @type {import("@/lib/wire/usage").UsageResponse} */
  const usage = await (await ask(server, `usage?${asked}`)).json();
  if (json) return print(`${JSON.stringify(usage, null, 2)}\n`);
  const head = [by, "requests", "input", "output", "cache read", "5 m write", "1 h write", "cost"];
  const lines = [...usage.rows, { ...usage.totals, name: "total" }].map((row) => [
    shortened(row.name, MAX_NAME),
    ...[row.requests, row.input, row.output, row.cacheRead, row.cacheWrite5m, row.cacheWrite1h].map(
      formatCount,
    ),
    costOf(row),
  ]);
  print(inColumns([head, ...lines], NUMBERS));
  print(`API-equivalent, at prices of ${usage.pricesAsOf}; what forks repeat counts once.\n`);
}

/** Sessions are looked through while somebody asks. */
const AGAIN_MS = 300;
/** The most characters of a prompt in the table, and of what a row is of: every row is as wide as the widest. */
const MAX_PROMPT = 60;
const MAX_NAME = 100;

/**
 * Prints the costliest prompts when every session has been looked through.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {URLSearchParams} asked
 * @param {boolean} json
 */
async function printCostliest(server, asked, json) {
  asked.delete("by");
  /** @type {import("@/lib/wire/usage").UsagePromptsResponse} */
  let usage;
  for (;;) {
    usage = await (await ask(server, `usage/prompts?${asked}`)).json();
    if (usage.complete) break;
    await sleep(AGAIN_MS);
  }
  if (json) return print(`${JSON.stringify(usage, null, 2)}\n`);
  const head = ["prompt", "session", "when", "tokens", "seconds", "cost"];
  const lines = usage.prompts.map((one) => [
    shortened(one.prompt || "(an image)", MAX_PROMPT),
    one.sessionId.slice(0, 8),
    one.atMs === null ? "" : formatLocalTime(one.atMs),
    formatCount(one.input + one.output + one.cacheRead + one.cacheWrite5m + one.cacheWrite1h),
    one.durationMs === null ? "" : formatCount(Math.round(one.durationMs / 1000)),
    costOf(one),
  ]);
  const { prompts, tokens } = usage.totals;
  const total = [`total of ${formatCount(prompts)}`, "", "", formatCount(tokens), "", costOf(usage.totals)];
  print(inColumns([head, ...lines, total], NUMBERS_OF_PROMPTS));
  print(`API-equivalent, at prices of ${usage.pricesAsOf}; a prompt’s agents count with it.\n`);
}

/**
 * A text as a line of the table shows it, without what would control a terminal or begin another line.
 *
 * @param {string} text
 * @param {number} most
 */
function shortened(text, most) {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
  const { length } = line;
  // Never between the two halves of a character.
  return length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** @param {{ costMicroUsd: number | null, unpricedTokens: number }} row */
function costOf({ costMicroUsd, unpricedTokens }) {
  if (costMicroUsd === null) return "unpriced";
  return `$${(costMicroUsd / 1e6).toFixed(4)}${unpricedTokens > 0 ? " +" : ""}`;
}
