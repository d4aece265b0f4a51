/** A link to the view at `href`, with the token only if given. An old token in `href` is dropped. */
export function shareLink(href: string, token: string | null): string {
  const url = new URL(href);
  const kept = url.hash
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !part.startsWith("t="));
  if (token) kept.push(`t=${token}`);
  url.hash = kept.join("&");
  return url.href;
}

/** The command that brings this Backscroll's port to another machine. The port must be the same there. */
export function tunnelCommand(href: string): string {
  const port = new URL(href).port || "80";
  return `ssh -N -L ${port}:127.0.0.1:${port} user@this-machine`;
}
