/** A link that a page may offer, with the host to show on hover. */
export type SafeHref = { href: string; host: string };

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Passes absolute http, https and mailto links, as the browser reads them; `null` for all else. */
export function safeHref(target: string): SafeHref | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  if (!SCHEMES.has(url.protocol)) return null;
  return { href: url.href, host: url.protocol === "mailto:" ? url.pathname : url.host };
}
