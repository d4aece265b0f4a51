/** A parsed JSON object of unknown shape. Own keys only: `JSON.parse` makes even `__proto__` an own key. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value if it is a string, else `null`. Logs hold any type in any field. */
export function asString(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value if it is a finite number, else `null`. */
export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The value if it is a plain object, else `null`. */
export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
