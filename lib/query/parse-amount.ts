type Comparison = ">" | ">=" | "<" | "<=" | "=";

export type Amount = { comparison: Comparison; value: number };

const AMOUNT = /^(>=|<=|>|<|=)?(\d{1,15}(?:\.\d{1,6})?)([km])?$/i;
const FACTORS = new Map([
  ["k", 1000],
  ["m", 1_000_000],
]);

/** `>5k`, `<=200`, `1.5m`; without a sign "at least". Null for anything else. */
export function parseAmount(text: string): Amount | null {
  const found = AMOUNT.exec(text);
  if (!found) return null;
  const factor = FACTORS.get(found[3]?.toLowerCase() ?? "") ?? 1;
  return { comparison: (found[1] as Comparison | undefined) ?? ">=", value: Number(found[2]) * factor };
}

/** Tells whether a number is as the amount says. */
export function isAmount({ comparison, value }: Amount, number: number): boolean {
  switch (comparison) {
    case ">":
      return number > value;
    case ">=":
      return number >= value;
    case "<":
      return number < value;
    case "<=":
      return number <= value;
    case "=":
      return number === value;
  }
}
