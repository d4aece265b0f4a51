import { randomUUID } from "node:crypto";
import { badCursor } from "@/lib/server/runtime/viewer-error";

const MAX_NOW_MS = Date.UTC(10_000, 0);

/**
 * Where a search continues. `delivered`: hits delivered, by part. `begun`: parts that have been asked during
 * this request.
 */
export type SearchCursor = { run: string; delivered: number[]; nowMs: number; begun: Set<number> };

/** The start of a search. */
export function firstCursor(): SearchCursor {
  return { run: randomUUID(), delivered: [], nowMs: Date.now(), begun: new Set() };
}

/** The cursor as sent to a client. */
export function encodeCursor({ run, delivered, nowMs }: SearchCursor): string {
  return Buffer.from(JSON.stringify([run, delivered, nowMs])).toString("base64url");
}

/** Throws `bad-cursor`. */
export function decodeCursor(cursor: string): SearchCursor {
  try {
    const [run, delivered, nowMs] = JSON.parse(
      Buffer.from(cursor, "base64url").toString("utf8"),
    ) as unknown[];
    if (typeof run === "string" && Array.isArray(delivered) && isTimeOfSearch(nowMs)) {
      const counts = delivered.map(Number);
      if (counts.every((count) => Number.isSafeInteger(count) && count >= 0))
        return { run, delivered: counts, nowMs: nowMs as number, begun: new Set() };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw badCursor();
}

/** A clock's time up to the year 10,000: `yesterday` is counted from it. */
function isTimeOfSearch(nowMs: unknown): boolean {
  return Number.isSafeInteger(nowMs) && (nowMs as number) >= 0 && (nowMs as number) < MAX_NOW_MS;
}
