import { parseThreadUrl } from "@/lib/client/address/session-url";
import { currentShareToken, withoutToken, withToken } from "@/lib/client/connection/token";
import type { Detail } from "@/lib/wire/rows";
import type { CreatedShare, LeftOut, ShareAddress } from "@/lib/wire/shares";

/** The link of a share, at one of the server's addresses. */
export function shareLink(origin: string, { path, token }: Pick<CreatedShare, "path" | "token">): string {
  return withToken(`${origin}${path}`, token);
}

/**
 * A link to a place of this page for whoever may see it: without a token, but with that of the share if the page was
 * shared with its reader, since nobody else's opens it.
 */
export function linkToGive(href: string): string {
  return withToken(href, currentShareToken());
}

/**
 * The place of a link, for a new share: the part of the address after the session's path, without a token. `preferred`:
 * the owner's own detail, which another person's browser does not know.
 */
export function placeOfLink(href: string, preferred: Detail): string {
  const { search, hash } = new URL(href);
  const detail = parseThreadUrl(search).detail === null ? `${search ? "&" : "?"}detail=${preferred}` : "";
  return search + detail + withoutToken(hash);
}

/** A link as it is shown: its token as dots, so that a shared screen does not reveal it. */
export function withDots(link: string): string {
  return link.replace(/([#&]t=)[^&]+/, "$1••••••••");
}

/** The SSH command that forwards this server's port to another machine. The port must be the same on both. */
export function tunnelCommand(href: string): string {
  const port = new URL(href).port || "80";
  return `ssh -N -L ${port}:127.0.0.1:${port} user@this-machine`;
}

/** Who can open a link at an address. */
export function describeAddress({ kind }: Pick<ShareAddress, "kind">): string {
  if (kind === "loopback") return "from this machine, or through an SSH tunnel";
  return kind === "network" ? "from machines in this network" : "by its name, from wherever that leads here";
}

/** Whether data sent to an address, the link's token included, can be read on the network. */
export function isReadable({ kind, encrypted }: ShareAddress): boolean {
  return kind !== "loopback" && !encrypted;
}

/** What a link leaves out, of which there must be something: `without thinking, agents or images`. */
export function formatWithout(without: readonly LeftOut[]): string {
  return `without ${[without.slice(0, -1).join(", "), ...without.slice(-1)].filter(Boolean).join(" or ")}`;
}
