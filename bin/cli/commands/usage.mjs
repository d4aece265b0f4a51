import { setTimeout as sleep } from "node:timers/promises";
import { formatCount } from "../format.mjs";
import { print } from "../print.mjs";
import { UsageError } from "../usage-error.mjs";
import { ask } from "./ask.mjs";
import { findProject } from "./find-project.mjs";
import { waitForIndex } from "./index-logs.mjs";

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
  printTable([head, ...lines], 1);
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
    one.atMs === null ? "" : new Date(one.atMs).toISOString().slice(0, 16).replace("T", " "),
    formatCount(one.input + one.output + one.cacheRead + one.cacheWrite5m + one.cacheWrite1h),
    one.durationMs === null ? "" : formatCount(Math.round(one.durationMs / 1000)),
    costOf(one),
  ]);
  const { prompts, tokens } = usage.totals;
  const total = [`total of ${formatCount(prompts)}`, "", "", formatCount(tokens), "", costOf(usage.totals)];
  printTable([head, ...lines, total], 3);
  print(
    `Times are in UTC. API-equivalent, at prices of ${usage.pricesAsOf}; a prompt’s agents count with it.\n`,
  );
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

/**
 * @param {readonly string[][]} lines the first is the head
 * @param {number} words how many of the columns are text; numbers stand at the right of theirs
 */
function printTable(lines, words) {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, at) =>
      at < words ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    print(`${cells.join("  ").trimEnd()}\n`);
  }
}

/** @param {{ costMicroUsd: number | null, unpricedTokens: number }} row */
function costOf({ costMicroUsd, unpricedTokens }) {
  if (costMicroUsd === null) return "unpriced";
  return `$${(costMicroUsd / 1e6).toFixed(4)}${unpricedTokens > 0 ? " +" : ""}`;
}
