/**
 * The policy of every answer. Next puts the nonce, which must be new for each, on the scripts of the page.
 * Workers come from our own static files. A development server evaluates and injects styles, so it is
 * allowed to; `next dev` is never shipped.
 */
export function contentSecurityPolicy(nonce: string, development = false): string {
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
