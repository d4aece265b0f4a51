import { print } from "../print.mjs";
import { ask } from "./ask.mjs";
import { waitForIndex } from "./index-logs.mjs";

const COUNTED = new Intl.NumberFormat("en");

/**
 * `backscroll usage`: prints what was used, as a table or as the API's JSON, when everything has been read.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ query: string, by: string, json: boolean }} options
 */
export async function printUsage(server, { query, by, json }) {
  await waitForIndex(server);
  /** @type {import("@/lib/wire/usage").UsageResponse} */
  const usage = await (await ask(server, `usage?${query}`)).json();
  if (json) return print(`${JSON.stringify(usage, null, 2)}\n`);
  const head = [by, "requests", "input", "output", "cache read", "5 m write", "1 h write", "cost"];
  const lines = [...usage.rows, { ...usage.totals, name: "total" }].map((row) => [
    row.name,
    ...[row.requests, row.input, row.output, row.cacheRead, row.cacheWrite5m, row.cacheWrite1h].map((count) =>
      COUNTED.format(count),
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
