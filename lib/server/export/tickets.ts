import { createHash, randomBytes } from "node:crypto";

const LIFE_MS = 60_000;
const MAX_TICKETS = 1_000;

/** The holder of a ticket: the owner, or a guest of a share. */
export type TicketHolder = { share: string | null };

/**
 * Single-use tickets, for requests that cannot carry an Authorization header: a browser's download, and the address
 * with which a browser is opened.
 */
export class Tickets {
  /** `path` as `spelled`: of the longest path a thousand tickets would hold 50 MB. */
  readonly #open = new Map<string, { path: string; holder: TicketHolder; endsAtMs: number }>();

  /** A ticket for one GET of this path (with its query), good for a minute. */
  issue(path: string, holder: TicketHolder, nowMs = Date.now()): { ticket: string; expiresAtMs: number } {
    for (const [ticket, { endsAtMs }] of this.#open) {
      if (endsAtMs > nowMs) break;
      this.#open.delete(ticket);
    }
    if (this.#open.size >= MAX_TICKETS) this.#open.delete(this.#oldest(holder));
    const ticket = randomBytes(32).toString("base64url");
    const expiresAtMs = nowMs + LIFE_MS;
    this.#open.set(ticket, { path: spelled(path), holder, endsAtMs: expiresAtMs });
    return { ticket, expiresAtMs };
  }

  /** A holder of many tickets loses their own first, and then a guest one of theirs: they cannot end the owner's download. */
  #oldest({ share }: TicketHolder): string {
    let oldest = "";
    let guests = "";
    for (const [ticket, { holder }] of this.#open) {
      if (holder.share === share) return ticket;
      if (holder.share !== null) guests ||= ticket;
      oldest ||= ticket;
    }
    return guests || oldest;
  }

  /** Uses up a ticket, and returns its holder; null if it was not issued for this path, or has expired. */
  redeem(ticket: string, path: string, nowMs = Date.now()): TicketHolder | null {
    const found = this.#open.get(ticket);
    this.#open.delete(ticket);
    const isGood = found !== undefined && found.path === spelled(path) && found.endsAtMs > nowMs;
    return isGood ? found.holder : null;
  }
}

/** A hash of a path and query in one spelling: the framework passes on a request's with `~` and `,` escaped. */
function spelled(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  return createHash("sha256").update(`${pathname}?${searchParams}`).digest("base64url");
}
