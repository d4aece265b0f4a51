import { tokenMatches } from "./token-matches";

/** Tells whether a request may read: every API handler asks, and answers 401 where not. */
export function isAuthorised(request: Request): boolean {
  return tokenMatches(request.headers.get("authorization"));
}
