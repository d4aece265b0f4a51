import type { DatedRates, ModelPrices, Prices, Rates } from "./rates";

/** The day up to which price changes are known here. */
export const PRICES_AS_OF = "2026-11-24";

/** Fable 5.2 and Mythos, which the published list lacks: as the client's own has them (2.1.332). */
const FABLE_5_2 = { input: 8, output: 40, cacheRead: 0.2, cacheWrite5m: 10, cacheWrite1h: 16 };
const MYTHOS_5 = { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 };

/** What `published-prices.ts` lacks or has wrong: a model here replaces that one. Dollars for a million tokens. */
export const KNOWN_MODELS: Prices = {
  "claude-fable-5-2": [FABLE_5_2],
  "claude-mythos-5": [MYTHOS_5],
  "claude-mythos-5-1": [{ ...MYTHOS_5, cacheRead: 0.25 }],
  "claude-mythos-5-2": [FABLE_5_2],
  // A prompt of more than 100,000 tokens costs five times as much, answer included.
  "claude-haiku-5-5": [
    {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite5m: 0.125,
      cacheWrite1h: 0.2,
      over: {
        tokens: 100_000,
        input: 0.5,
        output: 2.5,
        cacheRead: 0.05,
        cacheWrite5m: 0.625,
        cacheWrite1h: 1,
      },
    },
  ],
  "claude-sonnet-5-5": [
    { input: 2, output: 10, cacheRead: 0.2, cacheWrite5m: 2.5, cacheWrite1h: 4 },
    { from: "2026-10-07", input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4 },
  ],
  // Its beta with a context of a million tokens, which the published table leaves out.
  "claude-sonnet-4": [
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      over: {
        tokens: 200_000,
        input: 6,
        output: 22.5,
        cacheRead: 0.6,
        cacheWrite5m: 7.5,
        cacheWrite1h: 12,
      },
    },
  ],
};

const FAST_FABLE_5_2 = { input: 16, output: 80, cacheRead: 0.4, cacheWrite5m: 20, cacheWrite1h: 32 };

/** Fast mode. That of Opus 4.7, Fable 5.2 and Mythos 5.2 is as the client has it (2.1.332). */
const FAST: ReadonlyMap<string, Rates> = new Map([
  ["claude-opus-4-6", { input: 30, output: 150, cacheRead: 3, cacheWrite5m: 37.5, cacheWrite1h: 60 }],
  ["claude-opus-4-7", { input: 30, output: 150, cacheRead: 3, cacheWrite5m: 37.5, cacheWrite1h: 60 }],
  ["claude-opus-4-8", { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 }],
  ["claude-opus-5", { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 }],
  ["claude-opus-5-5", { input: 8, output: 40, cacheRead: 0.4, cacheWrite5m: 10, cacheWrite1h: 16 }],
  ["claude-fable-5-2", FAST_FABLE_5_2],
  ["claude-mythos-5-2", FAST_FABLE_5_2],
]);

/** Models that can be restricted to the US, and the factor for that: from the 4.6 generation on. */
const US_ONLY = 1.1;
const ASKED_FOR_US = /^claude-(?:opus-4-[6-9]|sonnet-4-[6-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/;

/** The default of tables: dollars for a thousand searches. */
const WEB_SEARCH = 10;

/** A model's prices with the defaults that many models share. */
export function withModes(model: string, prices: ModelPrices): ModelPrices {
  return prices.map((rates): DatedRates => {
    const fast = rates.fast ?? FAST.get(model);
    const usOnly = rates.usOnly ?? (ASKED_FOR_US.test(model) ? US_ONLY : undefined);
    return {
      ...rates,
      webSearch: rates.webSearch ?? WEB_SEARCH,
      ...(fast ? { fast } : {}),
      ...(usOnly ? { usOnly } : {}),
    };
  });
}
