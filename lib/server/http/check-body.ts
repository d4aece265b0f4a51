import { UNAUTHORISED } from "./authorise";
import { methodsOf } from "./check-method";
import type { Refusal } from "./refusal";
import { tokenMatches } from "./token-matches";

/** Headers by their names in lower case: a `Headers`, or what stands for one before there is one. */
export type GateHeaders = { get: (name: string) => string | null };

/** The most that a request may carry. */
export const MOST_BODY_BYTES = 64 << 10;

/**
 * Judges by its headers a request that carries a body, before any of it is read: only a route that takes one,
 * asked with the token, has it read. Returns `null` where there is no body, and for one that may be read; where its
 * length is not given in advance (`Transfer-Encoding`), whoever reads it counts.
 */
export function checkBody(method: string, pathname: string, headers: GateHeaders): Refusal | null {
  const length = headers.get("content-length");
  if (headers.get("transfer-encoding") === null && (length === null || Number(length) === 0)) return null;
  const isTaken = method !== "GET" && method !== "HEAD" && methodsOf(pathname).includes(method);
  if (!isTaken) {
    return {
      status: 413,
      code: "body-not-taken",
      message: "This address takes no body.",
      hint: "Send the request without one.",
    };
  }
  if (!tokenMatches(headers.get("authorization"))) return UNAUTHORISED;
  return Number(length) > MOST_BODY_BYTES ? BODY_TOO_LARGE : null;
}

/** What is told of a body that is longer, by its headers or when it has been counted. */
export const BODY_TOO_LARGE = {
  status: 413,
  code: "body-too-large",
  message: `A body has at most ${MOST_BODY_BYTES / 1024} KiB.`,
  hint: "Send less.",
} as const satisfies Refusal;
