import { KNOWN_MODELS, PRICES_AS_OF, withModes } from "./known-prices";
import { PUBLISHED_MODELS } from "./published-prices";
import type { DatedRates, ModelPrices, Prices, Rates } from "./rates";

/** Tokens that were used together. Those of thinking are part of `output`. */
export type PricedTokens = {
  input: number;
  output: number;
  cacheRead: number;
  /** Everything that was written to the cache; the part in neither of the next two was kept for five minutes. */
  cacheWrite: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
};

/** One request to the API, as the log has it. */
export type PricedRequest = {
  model: string;
  /** Epoch milliseconds; NaN where unknown: then today's prices apply. */
  atMs: number;
  tokens: PricedTokens;
  webSearches: number;
  fast: boolean;
  usOnly: boolean;
  /**
   * The passes in which the API made the answer, where there were several: each has the price of its own prompt's length.
   * Unless together they are all of the request's tokens, they are passed over.
   */
  passes?: readonly PricedTokens[];
};

/** What requests cost together. `unpricedTokens`: of those that have no price, and so are not in `microUsd`. */
export type SummedCost = { microUsd: number; unpricedTokens: number };

/** A table that a user gives to replace parts of ours. */
export type OwnPrices = { asOf: string; models: Prices };

/** By model: Maps, since names in logs are untrusted keys. */
const KNOWN = new Map(Object.entries(KNOWN_MODELS));
const PUBLISHED = new Map(Object.entries(PUBLISHED_MODELS));

type CompiledRates = { fromMs: number; rates: DatedRates };

/** Prices of models by day. Every request costs a whole number of millionths of a dollar, so sums are exact. */
export class PriceTable {
  /** The day on which the prices were last checked. */
  readonly asOf: string;
  readonly #own: ReadonlyMap<string, ModelPrices>;
  readonly #compiled = new Map<string, readonly CompiledRates[] | null>();

  constructor(own: OwnPrices | null = null) {
    this.asOf = own?.asOf ?? PRICES_AS_OF;
    this.#own = new Map(Object.entries(own?.models ?? {}));
  }

  /** Millionths of a dollar, rounded once, half up; null for a request whose tokens have no price. */
  microUsd(request: PricedRequest): number | null {
    const { tokens } = request;
    const rates = this.#ratesFor(request, tokens);
    if (!rates) return tokensOf(tokens) + request.webSearches === 0 ? 0 : null;
    const picoUsd = this.#inPasses(request) ?? picoUsdOf(tokens, rates);
    if (Number.isNaN(picoUsd)) return null;
    const searches = request.webSearches * toPico(rates.webSearch ?? 0) * 1000;
    return inMicro(picoUsd, Math.round((request.usOnly ? (rates.usOnly ?? 1) : 1) * FACTOR), searches);
  }

  /** The cost of one request: with a price or without. */
  cost(request: PricedRequest): SummedCost {
    const microUsd = this.microUsd(request);
    return microUsd === null
      ? { microUsd: 0, unpricedTokens: tokensOf(request.tokens) }
      : { microUsd, unpricedTokens: 0 };
  }

  /** Picodollars for the tokens of a request, pass by pass; null where it has none of its own. */
  #inPasses(request: PricedRequest): number | null {
    const { tokens, passes } = request;
    if (passes === undefined || !isAllOf(tokens, passes)) return null;
    let sum = 0;
    for (const pass of passes) {
      const rates = this.#ratesFor(request, pass);
      sum += rates ? picoUsdOf(pass, rates) : Number.NaN;
    }
    return sum;
  }

  /** @param tokens whose prompt's length decides */
  #ratesFor(
    request: PricedRequest,
    tokens: PricedTokens,
  ): (Rates & Pick<DatedRates, "usOnly" | "webSearch">) | null {
    const dated = this.#pricesOf(request.model);
    if (!dated) return null;
    const atMs = Number.isNaN(request.atMs) ? Number.POSITIVE_INFINITY : request.atMs;
    const rates = dated.findLast(({ fromMs }) => fromMs <= atMs)?.rates;
    if (!rates) return null;
    const { over, fast, usOnly, webSearch } = rates;
    if (request.fast) return fast ? { ...fast, usOnly, webSearch } : null;
    return over && promptOf(tokens) > over.tokens ? { ...over, usOnly, webSearch } : rates;
  }

  #pricesOf(model: string): readonly CompiledRates[] | null {
    const known = this.#compiled.get(model);
    if (known !== undefined) return known;
    const key = modelKey(model);
    const own = this.#own.get(model) ?? this.#own.get(key);
    const found = own ?? KNOWN.get(key) ?? PUBLISHED.get(key);
    const compiled = found
      ? withModes(key, found).map((rates) => ({
          fromMs: rates.from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(rates.from),
          rates,
        }))
      : null;
    this.#compiled.set(model, compiled);
    return compiled;
  }
}

/** No cost, to add to. */
export function noCost(): SummedCost {
  return { microUsd: 0, unpricedTokens: 0 };
}

/** Adds to the first. */
export function addCost(to: SummedCost, { microUsd, unpricedTokens }: SummedCost): void {
  to.microUsd += microUsd;
  to.unpricedTokens += unpricedTokens;
}

/** A sum as an answer has it: unknown, not $0, if something was used and none of it has a price. */
export function toCost({ microUsd, unpricedTokens }: SummedCost): {
  microUsd: number | null;
  unpricedTokens: number;
} {
  return { microUsd: microUsd === 0 && unpricedTokens > 0 ? null : microUsd, unpricedTokens };
}

/**
 * The name under which tables list a model: without its date, `-latest` and the mark of a long context (`[1m]`).
 * Amazon's models keep their prefix, which has prices of its own: `bedrock-global/…`, `bedrock-regional/…`.
 */
export function modelKey(model: string): string {
  const name = model.toLowerCase().replace(/\[1m\]$/, "");
  const bedrock = /^(?:([a-z-]+)\.)?anthropic\.(.+?)(?:-v\d+(?::\d+)?)?$/.exec(name);
  if (bedrock)
    return `bedrock-${bedrock[1] === "global" ? "global" : "regional"}/${plainName(bedrock[2] ?? "")}`;
  return plainName(name);
}

function plainName(name: string): string {
  return name
    .replace(/(?:[-@]20\d{6}|@default|-latest)$/, "")
    .replace(/^claude-(opus|sonnet)-4-0$/, "claude-$1-4");
}

function promptOf({ input, cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h }: PricedTokens): number {
  return input + cacheRead + Math.max(cacheWrite, cacheWrite5m + cacheWrite1h);
}

/** All tokens, each once. */
function tokensOf(tokens: PricedTokens): number {
  return promptOf(tokens) + tokens.output;
}

/** Whether parts are, kind by kind, all of some tokens. */
function isAllOf(whole: PricedTokens, parts: readonly PricedTokens[]): boolean {
  const is = (count: (tokens: PricedTokens) => number) =>
    parts.reduce((sum, part) => sum + count(part), 0) === count(whole);
  return (
    is(({ input }) => input) &&
    is(({ output }) => output) &&
    is(({ cacheRead }) => cacheRead) &&
    is(write5mOf) &&
    is(({ cacheWrite1h }) => cacheWrite1h)
  );
}

/** What was written to the cache for five minutes. */
function write5mOf({ cacheWrite, cacheWrite5m, cacheWrite1h }: PricedTokens): number {
  return Math.max(cacheWrite5m, cacheWrite - cacheWrite1h);
}

/** Picodollars; NaN where some of the tokens have no price. */
function picoUsdOf(tokens: PricedTokens, rates: Rates): number {
  return (
    price(tokens.input, rates.input) +
    price(tokens.output, rates.output) +
    price(tokens.cacheRead, rates.cacheRead) +
    price(write5mOf(tokens), rates.cacheWrite5m) +
    price(tokens.cacheWrite1h, rates.cacheWrite1h)
  );
}

/** Picodollars; NaN for tokens that have no price. */
function price(tokens: number, dollarsPerMillion: number | undefined): number {
  if (tokens === 0) return 0;
  return dollarsPerMillion === undefined ? Number.NaN : tokens * toPico(dollarsPerMillion);
}

/** Picodollars for one token: whole ones at any price with up to six decimals. */
function toPico(dollarsPerMillion: number): number {
  return Math.round(dollarsPerMillion * 1e6);
}

/** Factors are whole multiples of this part: 1.1 is 11,000. */
const FACTOR = 10_000;
const PICO_IN_MICRO = 1e6;

/**
 * Millionths of a dollar, rounded half up: `picoUsd` times a factor, plus `plain` picodollars. Whole millionths are
 * computed apart: together with their fractions they would have more digits than a number holds.
 */
function inMicro(picoUsd: number, factor: number, plain: number): number {
  const parts = Math.floor(picoUsd / PICO_IN_MICRO) * factor;
  const whole = Math.floor(parts / FACTOR) + Math.floor(plain / PICO_IN_MICRO);
  const rest =
    (parts % FACTOR) * PICO_IN_MICRO + (picoUsd % PICO_IN_MICRO) * factor + (plain % PICO_IN_MICRO) * FACTOR;
  return whole + Math.floor((rest + (PICO_IN_MICRO * FACTOR) / 2) / (PICO_IN_MICRO * FACTOR));
}
