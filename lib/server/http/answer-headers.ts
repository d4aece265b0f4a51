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
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
