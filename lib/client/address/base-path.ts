/*
 * Where Backscroll is on its host: at the root, or below the path that a reverse proxy gives it (`--base-path`). All of
 * the page says addresses as if it were at the root. The path is added where an address leaves the page (a link, a
 * request, a window), and taken off where one comes in.
 */

let known: string | undefined;

/** The path, like `/logs`; empty at the root. The server's document says it, in `app/layout.tsx`. */
export function basePath(): string {
  if (typeof document === "undefined") return process.env.BACKSCROLL_BASE_PATH ?? "";
  known ??= document.documentElement.dataset.basePath ?? "";
  return known;
}

/** An address of ours, `/sessions/…?at=…`, as the browser has to be given it. */
export function withBasePath(href: string): string {
  return basePath() + href;
}

/** A path of the browser's as it would be at the root. */
export function withoutBasePath(pathname: string): string {
  const base = basePath();
  return pathname === base || pathname.startsWith(`${base}/`) ? pathname.slice(base.length) || "/" : pathname;
}
