import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { CHALLENGE_HEADER, provenText } from "@/lib/wire/proof.mjs";
import { SHARE_TOKEN_START } from "@/lib/wire/shares";
import { allowedHosts, isOwnersHost } from "./hosts";

/** Tells whether a request comes from the owner, at an address at which the owner's token is taken. */
export function isOwner({ headers }: { headers: { get: (name: string) => string | null } }): boolean {
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

/** What whoever comes with a share's token is told when it is not good, or no longer. */
export const SHARE_ENDED = {
  status: 401,
  code: "share-ended",
  message: "This link has expired or was taken back",
  hint: "Ask whoever sent it for a new one.",
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
export function proofFor({ headers }: { headers: { get: (name: string) => string | null } }): string | null {
  const challenge = headers.get(CHALLENGE_HEADER) ?? "";
  const token = process.env.BACKSCROLL_TOKEN;
  if (!token || !/^[0-9a-f]{32}$/.test(challenge)) return null;
  return createHmac("sha256", token)
    .update(provenText(challenge, headers.get("host") ?? ""))
    .digest("hex");
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Headers of every answer, static files included: nothing is readable, framed or named elsewhere. */
const ALWAYS = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/**
 * Puts the gate's headers on an answer. `isStaticFile`: it carries a hash in its name and is kept for ever,
 * which Next says itself; all else may be log data and is never stored.
 */
export function setAnswerHeaders(headers: Headers, policy: string, isStaticFile: boolean): void {
  for (const [name, value] of Object.entries(ALWAYS)) headers.set(name, value);
  headers.set("content-security-policy", policy);
  if (!isStaticFile) headers.set("cache-control", "no-store");
}

/**
 * The policy of every answer. Next puts the nonce, which must be new for each, on the scripts of the page.
 * Workers come from our own static files. A development server evaluates and injects styles, so it is
 * allowed to; `next dev` is never shipped.
 */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Whether this server shows the gallery of rows: in development, and where a test asks for it. */
export function galleryShown(): boolean {
  return process.env.NODE_ENV === "development" || process.env.BACKSCROLL_GALLERY === "1";
}
