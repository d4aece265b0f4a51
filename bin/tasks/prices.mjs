import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProvider } from "@pydantic/genai-prices";
import { ROOT } from "./run.mjs";

/*
 * `npm run prices`: takes the prices of Claude's models out of @pydantic/genai-prices, so that no server loads the
 * prices of everybody else's. A test compares the file with the package.
 */

/** @typedef {import("../../lib/cost/rates").Prices} Prices */

/** Our names of its kinds of tokens. */
const KINDS = /** @type {const} */ ({
  input: "input_mtok",
  output: "output_mtok",
  cacheRead: "cache_read_mtok",
  cacheWrite5m: "cache_write_mtok",
  cacheWrite1h: "cache_write_1h_mtok",
});

/**
 * The prices of all Claude models that the package has, by the names of `modelKey`.
 *
 * @returns {Prices}
 */
export function publishedPrices() {
  /** @type {Record<string, import("../../lib/cost/rates").DatedRates[]>} */
  const prices = {};
  for (const provider of ["anthropic", "aws"]) {
    for (const { id, prices: found } of findProvider({ providerId: provider })?.models ?? []) {
      const key = keyOf(id);
      if (key === null) continue;
      const dated = Array.isArray(found) ? found : [{ prices: found }];
      prices[key] = dated.map((one) => {
        const from =
          "constraint" in one && one.constraint?.type === "start_date" ? one.constraint.start_date : null;
        return { ...(from === null ? {} : { from }), ...ratesOf(one.prices) };
      });
    }
  }
  return Object.fromEntries(Object.entries(prices).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} id */
function keyOf(id) {
  const aws = /^(global|regional)\.anthropic\.(.+)$/.exec(id);
  const name = (aws?.[2] ?? id)
    .replace(/-v\d+(:\d+)?$/, "")
    .replace(/-(20\d{6}|latest)$/, "")
    .replace(/^claude-(opus|sonnet)-4-0$/, "claude-$1-4");
  if (!name.startsWith("claude-")) return null;
  return aws ? `bedrock-${aws[1]}/${name}` : name;
}

/** @param {import("@pydantic/genai-prices").ModelPrice} prices */
function ratesOf(prices) {
  const { base, over, tokens } = tiersOf(prices);
  const webSearch = prices.web_searches_kcount;
  return /** @type {import("../../lib/cost/rates").DatedRates} */ ({
    ...base,
    ...(tokens > 0 ? { over: { tokens, ...over } } : {}),
    ...(typeof webSearch === "number" ? { webSearch } : {}),
  });
}

/** @param {import("@pydantic/genai-prices").ModelPrice} prices */
function tiersOf(prices) {
  /** @type {Record<string, number>} */
  const base = {};
  /** @type {Record<string, number>} */
  const over = {};
  let tokens = 0;
  for (const [ours, theirs] of Object.entries(KINDS)) {
    const price = prices[theirs];
    if (price === undefined) continue;
    base[ours] = typeof price === "number" ? price : price.base;
    const tier = typeof price === "number" ? null : price.tiers.at(-1);
    over[ours] = tier?.price ?? base[ours];
    tokens = Math.max(tokens, tier?.start ?? 0);
  }
  return { base, over, tokens };
}

if (process.argv[1]?.endsWith("prices.mjs")) {
  const text = JSON.stringify(publishedPrices(), null, 2).replace(/"(\w+)":/g, "$1:");
  writeFileSync(
    join(ROOT, "lib/cost/published-prices.ts"),
    `import type { Prices } from "./rates";\n\n/** Made by \`npm run prices\` from @pydantic/genai-prices: dollars for a million tokens. */\nexport const PUBLISHED_MODELS: Prices = ${text};\n`,
  );
}
