import { isObject } from "@/lib/format/json-values";

/** A parsed JSON object of unknown shape. Own keys only: `JSON.parse` makes even `__proto__` an own key. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value if it is a string, else `null`. Any field of a log may have any type. */
export function asString(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value if it is a finite number, else `null`. */
export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The value if it is a plain object, else `null`. */
export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * True when arrays and objects nest deeper than `most` levels. `JSON.parse` accepts any depth, but serializing
 * such a value, or drawing it as a tree, overflows the stack. Iterative for the same reason.
 */
export function nestsDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (depth >= most && level.some((one) => typeof one === "object" && one !== null)) return true;
    level = next;
  }
  return false;
}
