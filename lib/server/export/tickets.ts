import { randomBytes } from "node:crypto";

const LIFE_MS = 60_000;
const MAX_TICKETS = 1_000;

/** Single-use tickets for downloads: a browser's download carries no Authorization header. */
export class Tickets {
  readonly #open = new Map<string, { path: string; endsAtMs: number }>();

  /** A ticket for one GET of this path (with its query), good for a minute. */
  issue(path: string, nowMs = Date.now()): { ticket: string; expiresAtMs: number } {
    for (const [ticket, { endsAtMs }] of this.#open) {
      if (endsAtMs > nowMs && this.#open.size < MAX_TICKETS) break;
      this.#open.delete(ticket);
    }
    const ticket = randomBytes(32).toString("base64url");
    const expiresAtMs = nowMs + LIFE_MS;
    this.#open.set(ticket, { path: spelled(path), endsAtMs: expiresAtMs });
    return { ticket, expiresAtMs };
  }

  /** Uses up a ticket; true once, for the path it was issued for. */
  redeem(ticket: string, path: string, nowMs = Date.now()): boolean {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    return found !== undefined && found.path === spelled(path) && found.endsAtMs > nowMs;
  }
}

/** A path and query in one spelling: the framework hands a request's on with `~` and `,` escaped. */
function spelled(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  return `${pathname}?${searchParams}`;
}
