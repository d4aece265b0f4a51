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
  /** @type {import("@/lib/wire/usage").UsageResponse} */
  const usage = await (await ask(server, `usage?${asked}`)).json();
  if (json) return print(`${JSON.stringify(usage, null, 2)}\n`);
  const head = [by, "requests", "input", "output", "cache read", "5 m write", "1 h write", "cost"];
  const lines = [...usage.rows, { ...usage.totals, name: "total" }].map((row) => [
    row.name,
    ...[row.requests, row.input, row.output, row.cacheRead, row.cacheWrite5m, row.cacheWrite1h].map(
      formatCount,
    ),
    costOf(row),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...lines].map((line) => line[at]?.length ?? 0)));
  for (const line of [head, ...lines]) {
    const cells = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    print(`${cells.join("  ").trimEnd()}\n`);
  }
  print(`API-equivalent, at prices of ${usage.pricesAsOf}; what forks repeat counts once.\n`);
}

/** @param {{ costMicroUsd: number | null, unpricedTokens: number }} row */
function costOf({ costMicroUsd, unpricedTokens }) {
  if (costMicroUsd === null) return "unpriced";
  return `$${(costMicroUsd / 1e6).toFixed(4)}${unpricedTokens > 0 ? " +" : ""}`;
}
