/** A link that the page may offer, with its host for the tooltip. */
export type SafeHref = { href: string; host: string };

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Accepts absolute http, https and mailto links, as the browser parses them; `null` for anything else. */
export function safeHref(target: string): SafeHref | null {
  if (!URL.canParse(target)) return null;
  const url = new URL(target);
  if (!SCHEMES.has(url.protocol)) return null;
  return { href: url.href, host: url.protocol === "mailto:" ? url.pathname : url.host };
}
