import type { Refusal } from "./refusal";
import { tokenMatches } from "./token-matches";

/** Tells whether a request may read: every API handler asks, and answers `UNAUTHORISED` where not. */
export function isAuthorised(request: Request): boolean {
  return tokenMatches(request.headers.get("authorization"));
}

/** What whoever comes without the token is told. */
export const UNAUTHORISED = {
  status: 401,
  code: "unauthorised",
  message: "This server needs its token",
  hint: "Open the address that `backscroll` printed: it ends in #t= and the token.",
} as const satisfies Refusal;
