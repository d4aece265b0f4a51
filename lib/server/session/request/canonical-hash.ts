import { createHash } from "node:crypto";
import { asObject, type JsonObject } from "@/lib/log/records/json";
import { textBlock } from "@/lib/log/request/sent-message";

/** Maximum depth of a hashed value: a log can nest deeper than the stack allows, a request does not. What is deeper counts as null. */
const MAX_DEPTH = 200;

/**
 * The hash under which 2.1.330 logs a value: SHA-256 over its JSON with keys sorted at every level
 * and without `cache_control`.
 */
export function canonicalHash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value, 0)) ?? "null")
    .digest("hex");
}

/** The hash of a message: string content counts as one text block, and `output_config` belongs to it. */
export function messageHash(message: JsonObject, outputConfig?: unknown): string {
  const content = typeof message.content === "string" ? [textBlock(message.content)] : message.content;
  return canonicalHash(
    outputConfig === undefined
      ? { ...message, content }
      : { ...message, content, output_config: outputConfig },
  );
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1));
  const object = asObject(value) ?? {};
  const keys = Object.keys(object)
    .filter((key) => key !== "cache_control")
    .sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(object[key], depth + 1)]));
}
