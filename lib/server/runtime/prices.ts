import { readFileSync } from "node:fs";
// All names by one: of `{ z }` a thread would hold the whole of zod, with its languages.
import * as z from "zod";
import { type OwnPrices, PriceTable } from "@/lib/cost/price-table";
import type { Warning } from "@/lib/wire/library";

const price = z.number().nonnegative().max(1e6);
const day = z.iso.date();

const RATES = {
  input: price,
  output: price,
  cacheRead: price.optional(),
  cacheWrite5m: price.optional(),
  cacheWrite1h: price.optional(),
};

const Dated = z.strictObject({
  ...RATES,
  from: day.optional(),
  over: z.strictObject({ ...RATES, tokens: z.int().positive() }).optional(),
  fast: z.strictObject(RATES).optional(),
  usOnly: z.number().positive().max(100).optional(),
  webSearch: price.optional(),
});

/** A table of one's own: `{"asOf": "2026-12-01", "models": {"claude-…": [{"input": 4, "output": 20}]}}`. */
const Own = z.strictObject({ asOf: day, models: z.record(z.string(), z.array(Dated).min(1)) });

type ReadPrices = { table: PriceTable; warning: Warning | null };

/** The prices of a file; ours alone, with a warning, where it cannot be used. */
export function readPrices(path: string | null): ReadPrices {
  if (path === null) return { table: new PriceTable(), warning: null };
  try {
    return {
      table: new PriceTable(sorted(Own.parse(JSON.parse(readFileSync(path, "utf8"))))),
      warning: null,
    };
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason = issue
      ? `${issue.path.join(".") || "the file"}: ${issue.message}`
      : error instanceof Error
        ? error.message
        : String(error);
    const warning = {
      code: "prices-unusable",
      message: `The table of prices cannot be used: ${reason}`,
      hint: "Correct the file and start again; until then the built-in prices hold. README shows its form.",
      path,
    };
    return { table: new PriceTable(), warning };
  }
}

function sorted({ asOf, models }: OwnPrices): OwnPrices {
  const oldestFirst = Object.entries(models).map(([model, dated]) => [
    model,
    dated.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1)),
  ]);
  return { asOf, models: Object.fromEntries(oldestFirst) };
}

let inUse: ReadPrices | null = null;

/** The prices of this process: those of `BACKSCROLL_PRICES`, which every thread of it sees, over ours. */
export function pricesInUse(): ReadPrices {
  inUse ??= readPrices(process.env.BACKSCROLL_PRICES || null);
  return inUse;
}
