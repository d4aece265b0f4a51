/** Dollars for a million tokens of each kind. A kind without a price cannot be priced. */
export type Rates = {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite5m?: number;
  cacheWrite1h?: number;
};

/** What a model costs from a day on. */
export type DatedRates = Rates & {
  /** `2026-10-07`: from that day's start in UTC. Absent: always. */
  from?: string;
  /** Prices of every token of a request whose whole prompt, cache included, is longer than this many tokens. */
  over?: Rates & { tokens: number };
  /** In fast mode, whatever the prompt's length. Absent: such a request cannot be priced. */
  fast?: Rates;
  /** The factor for a request that must be answered in the US. Absent: 1. */
  usOnly?: number;
  /** Dollars for a thousand web searches. */
  webSearch?: number;
};

/** A model's prices, oldest first. */
export type ModelPrices = readonly DatedRates[];

/** Prices by the model's name as `modelKey` gives it. */
export type Prices = Readonly<Record<string, ModelPrices>>;
