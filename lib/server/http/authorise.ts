import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { CHALLENGE_HEADER, provenText } from "@/lib/wire/proof.mjs";
import { SHARE_TOKEN_START } from "@/lib/wire/shares";
import { allowedHosts, isOwnersHost } from "./hosts";

/** Headers by their names in lower case: a `Headers`, or what stands for one before there is one. */
export type GateHeaders = { get: (name: string) => string | null };

/** Tells whether a request comes from the owner, at an address at which the owner's token is taken. */
export function isOwner({ headers }: { headers: GateHeaders }): boolean {
  if (!tokenMatches(headers.get("authorization"))) return false;
  return isOwnersHost(headers.get("host"), allowedHosts(process.env));
}

/** The token of a share in an Authorization header; null where there is none that could be one. */
export function shareTokenIn(header: string | null): string | null {
  const given = BEARER.exec(header ?? "")?.[1];
  return given?.startsWith(SHARE_TOKEN_START) ? given : null;
}

const BEARER = /^Bearer ([A-Za-z0-9_~.-]+)$/i;

/** What whoever comes without the token is told. */
export const UNAUTHORISED = {
  status: 401,
  code: "unauthorised",
  message: "This server needs its token",
  hint: "Open the address that `backscroll` printed: it ends in #t= and the token.",
} as const;

/**
 * Tells whether an Authorization header carries the owner's token. Both sides are hashed first, so neither
 * the time taken nor a length tells anything about the token. No token configured means no.
 */
export function tokenMatches(
  header: string | null,
  token: string | undefined = process.env.BACKSCROLL_TOKEN,
): boolean {
  if (!token || !header) return false;
  const given = BEARER.exec(header)?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(sha256(given), sha256(token));
}

/**
 * What shows a page without sending it that this server knows the owner's token: for the challenge in the request's
 * headers, and the host that was asked. Null where there is none that a page would send.
 */
export function proofFor({ headers }: { headers: GateHeaders }): string | null {
  const challenge = headers.get(CHALLENGE_HEADER) ?? "";
  const token = process.env.BACKSCROLL_TOKEN;
  if (!token || !/^[0-9a-f]{32}$/.test(challenge)) return null;
  return createHmac("sha256", token)
    .update(provenText(challenge, headers.get("host") ?? ""))
    .digest("hex");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
