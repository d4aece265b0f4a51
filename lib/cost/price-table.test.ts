import { calcPrice } from "@pydantic/genai-prices";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishedPrices } from "../../bin/tasks/prices.mjs";
import { modelKey, type PricedRequest, type PricedTokens, PriceTable, toCost } from "./price-table";
import { PUBLISHED_MODELS } from "./published-prices";

type Tokens = Partial<PricedTokens & Pick<PricedRequest, "webSearches" | "fast" | "usOnly">>;

function request(model: string, day: string, used: Tokens): PricedRequest {
  const { webSearches = 0, fast = false, usOnly = false, ...tokens } = used;
  return { model, atMs: Date.parse(day), tokens: allTokens(tokens), webSearches, fast, usOnly };
}

function allTokens(tokens: Partial<PricedTokens>): PricedTokens {
  const cacheWrite = (tokens.cacheWrite5m ?? 0) + (tokens.cacheWrite1h ?? 0);
  return { input: 0, output: 0, cacheRead: 0, cacheWrite, cacheWrite5m: 0, cacheWrite1h: 0, ...tokens };
}

const OPUS_5_5 = "claude-opus-5-5";
const SONNET_5_5 = "claude-sonnet-5-5";
const HAIKU_5_5 = "claude-haiku-5-5";
const SONNET_4_6 = "claude-sonnet-4-6";

/** Worked out by hand from the price list: millionths of a dollar, of a thousand tokens at $1 a million 1,000. */
const REQUESTS: [what: string, model: string, day: string, tokens: Tokens, microUsd: number][] = [
  // Opus 5.5: 4, 20, 5, 8, 0.20.
  ["input", OPUS_5_5, "2026-11-19", { input: 1_000 }, 4_000],
  ["output", OPUS_5_5, "2026-11-19", { output: 1_000 }, 20_000],
  ["a twentieth for what is read", OPUS_5_5, "2026-11-19", { cacheRead: 10_000 }, 2_000],
  ["5 m", OPUS_5_5, "2026-11-19", { cacheWrite5m: 1_000 }, 5_000],
  ["1 h", OPUS_5_5, "2026-11-19", { cacheWrite1h: 1_000 }, 8_000],
  ["both", OPUS_5_5, "2026-11-19", { cacheWrite5m: 1_000, cacheWrite1h: 1_000 }, 13_000],
  ["only the sum is told: 5 m", OPUS_5_5, "2026-11-19", { cacheWrite: 1_000 }, 5_000],
  ["a sum of 0, from before 2.1.152", OPUS_5_5, "2026-11-19", { cacheWrite: 0, cacheWrite1h: 1_000 }, 8_000],
  ["rest of a sum", OPUS_5_5, "2026-11-19", { cacheWrite: 3_000, cacheWrite1h: 1_000 }, 18_000],
  ["0.2 rounds down", OPUS_5_5, "2026-11-19", { cacheRead: 1 }, 0],
  ["0.4 rounds down", OPUS_5_5, "2026-11-19", { cacheRead: 2 }, 0],
  ["0.6 rounds up", OPUS_5_5, "2026-11-19", { cacheRead: 3 }, 1],
  ["900k at the same price", OPUS_5_5, "2026-11-19", { input: 100_000, cacheRead: 800_000 }, 560_000],
  ["fast", OPUS_5_5, "2026-11-19", { input: 1_000, output: 1_000, fast: true }, 48_000],
  ["fast, cached", OPUS_5_5, "2026-11-19", { cacheRead: 10_000, cacheWrite5m: 1_000, fast: true }, 14_000],
  ["fast, 1 h", OPUS_5_5, "2026-11-19", { cacheWrite1h: 1_000, fast: true }, 16_000],
  ["US only", OPUS_5_5, "2026-11-19", { input: 1_000, output: 1_000, usOnly: true }, 26_400],
  ["US only, fast", OPUS_5_5, "2026-11-19", { output: 1_000, fast: true, usOnly: true }, 44_000],
  ["a search", OPUS_5_5, "2026-11-19", { input: 1_000, webSearches: 1 }, 14_000],
  ["a search is no dearer in the US", OPUS_5_5, "2026-11-19", { webSearches: 2, usOnly: true }, 20_000],
  ["a long context's name", "claude-opus-5-5[1m]", "2026-11-19", { input: 1_000 }, 4_000],
  // Sonnet 5.5: 2, 10, 2.50, 4; read at 0.20, from October 7th at 0.10.
  ["the last second before", SONNET_5_5, "2026-10-06T23:59:59Z", { cacheRead: 10_000 }, 2_000],
  ["the first after", SONNET_5_5, "2026-10-07T00:00:00Z", { cacheRead: 10_000 }, 1_000],
  ["all else as before", SONNET_5_5, "2026-10-06", { input: 1_000, output: 1_000 }, 12_000],
  ["all else as before", SONNET_5_5, "2026-10-08", { input: 1_000, output: 1_000 }, 12_000],
  ["writes", SONNET_5_5, "2026-10-08", { cacheWrite5m: 1_000, cacheWrite1h: 1_000 }, 6_500],
  // Haiku 5.5: 0.10, 0.50, 0.125, 0.20, 0.01; five times as much past 100,000.
  [
    "as recorded",
    HAIKU_5_5,
    "2026-11-19",
    { input: 4, output: 35, cacheRead: 12_870, cacheWrite5m: 312 },
    186,
  ],
  ["up to the band", HAIKU_5_5, "2026-11-19", { input: 100_000 }, 10_000],
  ["past it", HAIKU_5_5, "2026-11-19", { input: 100_001 }, 50_001],
  ["what is read counts", HAIKU_5_5, "2026-11-19", { cacheRead: 100_000, input: 1_000 }, 5_500],
  ["what is written counts", HAIKU_5_5, "2026-11-19", { cacheWrite5m: 101_000 }, 63_125],
  ["the answer does not", HAIKU_5_5, "2026-11-19", { input: 90_000, output: 20_000 }, 19_000],
  ["the answer costs more, too", HAIKU_5_5, "2026-11-19", { input: 110_000, output: 1_000 }, 57_500],
  ["1 h past it", HAIKU_5_5, "2026-11-19", { cacheWrite1h: 200_000 }, 200_000],
  ["a sum of 0 past it", HAIKU_5_5, "2026-11-19", { cacheWrite: 0, cacheWrite1h: 200_000 }, 200_000],
  // Sonnet 4.6: 3, 15, 3.75, 6, 0.30; twice and half again past 200,000, until March 13th.
  ["short, before", SONNET_4_6, "2026-03-12", { input: 200_000 }, 600_000],
  ["long, before", SONNET_4_6, "2026-03-12", { input: 200_001 }, 1_200_006],
  ["long answer, before", SONNET_4_6, "2026-03-12", { input: 300_000, output: 1_000 }, 1_822_500],
  ["long, after", SONNET_4_6, "2026-03-13", { input: 300_000, output: 1_000 }, 915_000],
  // Opus 4.6: 5, 25; 10 and 37.50 past 200,000, until March 13th; fast 30, 150.
  ["long, before", "claude-opus-4-6", "2026-03-12", { cacheRead: 250_000, output: 1_000 }, 287_500],
  ["long, after", "claude-opus-4-6", "2026-03-14", { cacheRead: 250_000, output: 1_000 }, 150_000],
  ["fast", "claude-opus-4-6", "2026-02-20", { input: 1_000, output: 1_000, fast: true }, 180_000],
  ["fast has no bands", "claude-opus-4-6", "2026-02-20", { input: 300_000, fast: true }, 9_000_000],
  // Others, with their dates in their names.
  [
    "Sonnet 4.5",
    "claude-sonnet-4-5-20250929",
    "2025-12-01",
    { input: 12, output: 132, cacheRead: 65_799, cacheWrite: 939 },
    25_277,
  ],
  ["Sonnet 4.5, long", "claude-sonnet-4-5-20250929", "2025-12-01", { cacheRead: 250_000 }, 150_000],
  [
    "Haiku 4.5",
    "claude-haiku-4-5-20251001",
    "2025-12-01",
    { input: 1_000, output: 1_000, cacheRead: 1_000 },
    6_100,
  ],
  ["Sonnet 4", "claude-sonnet-4-20250514", "2025-08-20", { input: 1_000, output: 1_000 }, 18_000],
  ["Sonnet 4, long", "claude-sonnet-4-20250514", "2025-08-20", { input: 210_000 }, 1_260_000],
  [
    "Opus 4.1",
    "claude-opus-4-1-20250805",
    "2025-09-01",
    { input: 1_000, output: 1_000, cacheWrite1h: 1_000 },
    120_000,
  ],
  [
    "Haiku 3.5",
    "claude-3-5-haiku-20241022",
    "2025-03-01",
    { input: 1_000, output: 1_000, cacheRead: 1_000 },
    4_880,
  ],
  ["Opus 5, fast", "claude-opus-5", "2026-08-01", { input: 1_000, cacheRead: 1_000, fast: true }, 11_000],
  ["Opus 4.8, fast", "claude-opus-4-8", "2026-08-01", { output: 1_000, fast: true }, 50_000],
  ["Opus 4.7, fast", "claude-opus-4-7", "2026-08-01", { output: 1_000, fast: true }, 150_000],
  ["Fable 5.2", "claude-fable-5-2", "2026-11-24", { input: 1_000, output: 1_000, cacheRead: 10_000 }, 50_000],
  ["Fable 5.2, fast, 1 h", "claude-fable-5-2", "2026-11-24", { cacheWrite1h: 1_000, fast: true }, 32_000],
  ["Mythos 5", "claude-mythos-5", "2026-11-24", { input: 1_000, cacheRead: 4_000 }, 14_000],
  ["Mythos 5.1", "claude-mythos-5-1", "2026-11-24", { cacheRead: 4_000 }, 1_000],
  ["Mythos 5.2, fast", "claude-mythos-5-2", "2026-11-24", { cacheRead: 10_000, fast: true }, 4_000],
  ["Fable 5.1: a fortieth for what is read", "claude-fable-5-1", "2026-10-01", { cacheRead: 4_000 }, 1_000],
  ["Sonnet 5", "claude-sonnet-5", "2026-09-02", { input: 1_000, output: 1_000 }, 12_000],
  ["no US price before 4.6", "claude-opus-4-5-20251101", "2025-12-01", { input: 1_000, usOnly: true }, 5_000],
  [
    "Bedrock, in a region",
    "us.anthropic.claude-opus-5-5",
    "2026-11-19",
    { input: 1_000, cacheRead: 10_000 },
    6_600,
  ],
  [
    "Bedrock, anywhere",
    "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "2025-12-01",
    { input: 1_000 },
    3_000,
  ],
  ["Vertex", "claude-opus-4-5@20251101", "2025-12-01", { input: 1_000, output: 1_000 }, 30_000],
];

describe("what a request costs", () => {
  const table = new PriceTable();

  test.each(REQUESTS)("%s: %s on %s", (_what, model, day, tokens, microUsd) => {
    expect(table.microUsd(request(model, day, tokens))).toBe(microUsd);
  });

  test("the table above is of many models", () => {
    expect(REQUESTS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(REQUESTS.map(([, model]) => modelKey(model))).size).toBeGreaterThanOrEqual(8);
  });

  test.each([
    ["a model that nobody knows", "claude-opus-9", {}],
    ["the next version of a known one", "claude-sonnet-5-6", {}],
    ["fast mode without a price", "claude-sonnet-5-5", { fast: true }],
    ["a model of somebody else", "gpt-6-luna", {}],
    ["a model called like a property of every object", "constructor", {}],
    ["one more", "__proto__", { fast: true }],
    ["an hour's cache where none is sold", "global.anthropic.claude-opus-4-5-v1:0", { cacheWrite1h: 5 }],
  ])("%s is unpriced", (_what, model, tokens) => {
    const asked = request(model, "2026-11-19", { input: 10, output: 5, ...tokens });
    expect(table.microUsd(asked)).toBeNull();
    const written = "cacheWrite1h" in tokens ? 5 : 0;
    expect(table.cost(asked)).toEqual({ microUsd: 0, unpricedTokens: 15 + written });
  });

  test("a line of the client's own, without tokens, costs nothing", () => {
    expect(table.cost(request("<synthetic>", "2026-11-19", {}))).toEqual({ microUsd: 0, unpricedTokens: 0 });
  });

  test("each pass has the price of its own prompt's length, and a pass too few or many leaves that of the sum", () => {
    const passes = [90_000, 80_000, 110_000].map((input) => allTokens({ input, output: 1_000 }));
    const all = request(HAIKU_5_5, "2026-11-19", { input: 280_000, output: 3_000 });
    expect(table.microUsd({ ...all, passes })).toBe(9_500 + 8_500 + 57_500);
    expect(table.microUsd({ ...all, passes: passes.slice(1) })).toBe(147_500);
    expect(table.microUsd({ ...all, passes: [...passes, all.tokens] })).toBe(147_500);
    const [wrote, half] = [150_000, 50_000].map((cacheWrite5m) => allTokens({ cacheWrite5m }));
    const written = { ...request(HAIKU_5_5, "2026-11-19", {}), tokens: wrote as PricedTokens };
    expect(table.microUsd({ ...written, passes: [half, half] as PricedTokens[] })).toBe(93_750);
    const opus = { ...all, model: "claude-opus-9", passes };
    expect(table.cost(opus)).toEqual({ microUsd: 0, unpricedTokens: 283_000 });
  });

  test("a sum is unknown only where something was used and nothing of it has a price", () => {
    const told = (microUsd: number, unpricedTokens: number) => toCost({ microUsd, unpricedTokens }).microUsd;
    expect([told(0, 0), told(0, 7), told(5, 7), told(5, 0)]).toEqual([0, null, 5, 5]);
  });

  test("a request without a time has today's price", () => {
    expect(
      table.microUsd({ ...request(SONNET_5_5, "2026-01-01", { cacheRead: 10_000 }), atMs: Number.NaN }),
    ).toBe(1_000);
  });

  test.each([
    [0.0004, { input: 1_000_000_000 }, 400_000],
    [0.0028, { input: 1_000_000 }, 2_800],
    [0.0375, { input: 1_000_000 }, 37_500],
    [0.0375, { input: 12 }, 0],
    [0.0375, { input: 1_000_000, usOnly: true }, 41_250],
    [0.000_001, { input: 1_000_000_000 }, 1_000],
  ])(
    "%s dollars a million of one's own are not rounded before they are multiplied: %j",
    (input, tokens, microUsd) => {
      const own = new PriceTable({ asOf: "2027-01-01", models: { x: [{ input, output: 1, usOnly: 1.1 }] } });
      expect(own.microUsd(request("x", "2027-02-01", tokens))).toBe(microUsd);
    },
  );

  test("any request at any price costs what whole numbers make of it, half up", () => {
    const price = fc.integer({ min: 0, max: 200_000_000 });
    const count = fc.nat(20_000_000);
    fc.assert(
      fc.property(price, price, count, count, fc.boolean(), (input, output, many, more, usOnly) => {
        const models = { x: [{ input: input / 1e6, output: output / 1e6, usOnly: 1.1, webSearch: 7.5 }] };
        const table = new PriceTable({ asOf: "2027-01-01", models });
        const asked = request("x", "2027-02-01", { input: many, output: more, webSearches: 3, usOnly });
        const pico = BigInt(input) * BigInt(many) + BigInt(output) * BigInt(more);
        const ten = pico * (usOnly ? 11n : 10n) + 3n * 7_500_000_000n * 10n;
        if (pico > BigInt(Number.MAX_SAFE_INTEGER)) return; // $9,000
        expect(table.microUsd(asked)).toBe(Number((ten + 5_000_000n) / 10_000_000n));
      }),
    );
  });

  test("a table of one's own comes before ours, model by model", () => {
    const own = new PriceTable({
      asOf: "2027-01-01",
      models: {
        "claude-opus-9": [
          { input: 1, output: 2 },
          { from: "2027-02-01", input: 3, output: 4 },
        ],
        "claude-opus-9-20270505": [{ input: 5, output: 6 }],
        "my-gateway/opus": [{ input: 7, output: 8 }],
      },
    });
    expect(own.asOf).toBe("2027-01-01");
    expect(own.microUsd(request("claude-opus-9", "2027-01-31", { input: 1_000 }))).toBe(1_000);
    expect(own.microUsd(request("claude-opus-9-20270101", "2027-02-01", { input: 1_000 }))).toBe(3_000);
    expect(own.microUsd(request("claude-opus-9-20270505", "2027-02-01", { input: 1_000 }))).toBe(5_000);
    expect(own.microUsd(request("my-gateway/opus", "2027-02-01", { output: 1_000 }))).toBe(8_000);
    expect(own.microUsd(request(OPUS_5_5, "2027-02-01", { input: 1_000 }))).toBe(4_000);
  });
});

describe("published prices", () => {
  test("are those of the package: `npm run prices` after an update", () => {
    expect(PUBLISHED_MODELS).toEqual(publishedPrices());
  });

  test("make of any request what the package makes of it", () => {
    const table = new PriceTable();
    const count = fc.nat(400_000);
    const models = [
      "claude-opus-4-6",
      "claude-sonnet-4-6",
      "claude-sonnet-4-5",
      "claude-opus-5-5",
      "claude-fable-5-1",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.constantFrom("2026-03-01", "2026-03-13", "2026-11-01"),
        fc.record({
          input: count,
          output: count,
          cacheRead: count,
          cacheWrite5m: count,
          cacheWrite1h: count,
        }),
        (model, day, tokens) => {
          const theirs = calcPrice(
            {
              input_tokens: tokens.input + tokens.cacheRead + tokens.cacheWrite5m + tokens.cacheWrite1h,
              output_tokens: tokens.output,
              cache_read_tokens: tokens.cacheRead,
              cache_write_tokens: tokens.cacheWrite5m + tokens.cacheWrite1h,
              cache_write_1h_tokens: tokens.cacheWrite1h,
            },
            model,
            { providerId: "anthropic", timestamp: new Date(day) },
          );
          const ours = table.microUsd(request(model, day, tokens));
          expect(Math.abs((ours ?? Number.NaN) - (theirs?.total_price ?? 0) * 1e6)).toBeLessThan(0.51);
        },
      ),
    );
  });
});
