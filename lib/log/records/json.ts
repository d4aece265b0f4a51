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

/** Values that nest deeper cannot be written as JSON: its writer would overflow the stack. */
export const MAX_WRITTEN_LEVELS = 1_000;

/** What stands for arrays and objects that nest too deep to be written. */
const TOO_DEEP = "[nested too deep]";

/**
 * A value that can be written as JSON: the same one, or a copy with words in place of what nests deeper than
 * `MAX_WRITTEN_LEVELS`. Iterative, as `nestsDeeper` is.
 */
export function writable<Value>(value: Value): Value {
  if (!nestsDeeper(value, MAX_WRITTEN_LEVELS)) return value;
  const root = { value: value as unknown };
  let level: Record<string, unknown>[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const next: Record<string, unknown>[] = [];
    for (const holder of level)
      for (const [name, held] of Object.entries(holder)) {
        if (typeof held !== "object" || held === null) continue;
        const copy = depth < MAX_WRITTEN_LEVELS ? copyOf(held) : null;
        holder[name] = copy ?? TOO_DEEP;
        if (copy) next.push(copy as Record<string, unknown>);
      }
    level = next;
  }
  return root.value as Value;
}

/** Also of a field that is called `__proto__`. */
const copyOf = (value: object): object =>
  Array.isArray(value) ? [...(value as unknown[])] : Object.fromEntries(Object.entries(value));
