import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { type Guest, shareEnded } from "@/lib/server/shares/shares";
import { SessionPath } from "@/lib/wire/requests/records";
import { isOwner, shareTokenIn, UNAUTHORISED } from "./authorise";
import type { Library } from "./library";
import { routeAt } from "./routes";
import { getState } from "./state";

/** Who asks: the owner, or somebody with whom a session was shared. */
export type Caller = { kind: "owner" } | { kind: "guest"; guest: Guest<Library> };

const OWNER: Caller = { kind: "owner" };

/**
 * Who asks, by the token, or by a ticket for exactly this address. Throws ViewerErrors: `unauthorised` without either,
 * `share-ended`, and `no-such-endpoint` for what only the owner may ask: for others it does not exist.
 */
export async function callerOf(request: Request): Promise<Caller> {
  if (isOwner(request)) return OWNER;
  const { shares } = getState();
  const token = shareTokenIn(request.headers.get("authorization"));
  const guest = token === null ? null : await shares.guest(token);
  const caller = guest ? ({ kind: "guest", guest } as const) : ticketHolder(request);
  if (!caller) throw token === null ? unauthorised() : shareEnded();
  if (caller.kind === "guest" && !isForGuest(request, caller.guest)) throw noSuchEndpoint();
  return caller;
}

function isForGuest({ url, method }: Pick<Request, "url" | "method">, { comments }: Guest<Library>): boolean {
  const route = routeAt(new URL(url).pathname);
  return route?.guests.includes(method) === true && (comments || !route.ofComments);
}

/**
 * Refuses a ticket for what its holder could not ask for with their token. Rejects, for a guest, with `no-such-endpoint`
 * and `session-not-found`.
 * @param path a path and query that tickets are for
 * @param library what there is for the holder
 */
export async function checkTicketPath(
  path: string,
  caller: Caller,
  { catalog }: Pick<Library, "catalog">,
): Promise<void> {
  if (caller.kind === "owner") return;
  const url = new URL(path, "http://localhost").href;
  if (!isForGuest({ url, method: "GET" }, caller.guest)) throw noSuchEndpoint();
  const { id } = SessionPath.parse({ id: path.split("/")[3] });
  await catalog.settle(id);
  catalog.sessionFiles(id);
}

/** A browser's own download carries no token. */
function ticketHolder(request: Request): Caller | null {
  const url = new URL(request.url);
  const ticket = url.searchParams.get("ticket");
  if (ticket === null) return null;
  url.searchParams.delete("ticket");
  const { tickets, shares } = getState();
  const holder = tickets.redeem(ticket, `${url.pathname}${url.search}`);
  if (!holder) return null;
  if (holder.share === null) return OWNER;
  const guest = shares.guestOf(holder.share);
  return guest && { kind: "guest", guest };
}

function unauthorised(): ViewerError {
  const { code, message, ...details } = UNAUTHORISED;
  return new ViewerError(code, message, details);
}

/** There is nothing at this address, for this caller at least. */
export function noSuchEndpoint(): ViewerError {
  return new ViewerError("no-such-endpoint", "There is nothing at this address", {
    hint: "The README lists the API's addresses.",
  });
}
