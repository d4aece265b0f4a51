import { createHash, randomBytes } from "node:crypto";

const LIFE_MS = 60_000;
const MAX_TICKETS = 1_000;

/** The holder of a ticket: the owner, or a guest of a share. */
export type TicketHolder = { share: string | null };

/**
 * `endsAtMs` by the clock, `endsInMs` by the time that this process has run: a clock may be set back, and the other
 * stands still while the machine sleeps. What comes first ends the ticket.
 */
type Issued = { path: string; holder: TicketHolder; endsAtMs: number; endsInMs: number };

/**
 * Single-use tickets, for requests that cannot carry an Authorization header: a browser's download, and the address
 * with which a browser is opened.
 */
export class Tickets {
  /** `path` as `spelled`: of the longest path a thousand tickets would hold 50 MB. */
  readonly #open = new Map<string, Issued>();

  /** A ticket for one GET of this path (with its query), good for a minute. */
  issue(path: string, holder: TicketHolder, nowMs = Date.now()): { ticket: string; expiresAtMs: number } {
    for (const [ticket, issued] of this.#open) {
      if (isGood(issued, nowMs)) break;
      this.#open.delete(ticket);
    }
    if (this.#open.size >= MAX_TICKETS) this.#open.delete(this.#oldest(holder));
    const ticket = randomBytes(32).toString("base64url");
    const expiresAtMs = nowMs + LIFE_MS;
    const endsInMs = performance.now() + LIFE_MS;
    this.#open.set(ticket, { path: spelled(path), holder, endsAtMs: expiresAtMs, endsInMs });
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
    return found && found.path === spelled(path) && isGood(found, nowMs) ? found.holder : null;
  }
}

function isGood({ endsAtMs, endsInMs }: Issued, nowMs: number): boolean {
  return endsAtMs > nowMs && endsInMs > performance.now();
}

/** A hash of a path and query in one spelling: the framework passes on a request's with `~` and `,` escaped. */
function spelled(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  return createHash("sha256").update(`${pathname}?${searchParams}`).digest("base64url");
}
