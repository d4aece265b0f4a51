import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Tells whether an Authorization header carries the owner's token. Both sides are hashed first, so neither
 * the time taken nor a length tells anything about the token. No token configured means no.
 */
export function tokenMatches(
  header: string | null,
  token: string | undefined = process.env.BACKSCROLL_TOKEN,
): boolean {
  if (!token || !header) return false;
  const given = /^Bearer ([A-Za-z0-9_~.-]+)$/i.exec(header)?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(sha256(given), sha256(token));
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
