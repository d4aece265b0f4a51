import { createHash } from "node:crypto";

/** The first `digits` hex digits of a SHA-256: names that stay the same from start to start. */
export function shortHash(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
