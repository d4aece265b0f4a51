import { useSyncExternalStore } from "react";
import { basePath, withBasePath } from "@/lib/client/address/base-path";
import { SHARE_TOKEN_START } from "@/lib/wire/shares";
import { Listeners } from "../listeners";
import { followStored, readStored, writeStored } from "../storage";
import { randomHex } from "./random-hex";

/** Another Backscroll may be below another path of the same host, for which the browser keeps things together. */
export const tokenKey = () => `backscroll.token${basePath()}`;
/** Kept for this tab alone: who reads what somebody shared may have sessions of his own in the next one. */
export const shareKey = () => `backscroll.share${basePath()}`;

/**
 * `opening`: not known yet (server, first render). `missing`: none kept. `used`: none kept, and the address had a ticket
 * that brought none any more. `rejected`: the server refused the owner's. `ended`: it refused a share's, which has expired or was taken back.
 */
export type TokenState =
  | { kind: "opening" | "missing" | "used" | "rejected" | "ended" }
  | { kind: "held"; token: string };

const OPENING: TokenState = { kind: "opening" };
const listeners = new Listeners();
let state: TokenState = OPENING;

/**
 * The token in a link, a `#t=…` fragment, or alone, as a person pastes it; `null` when there is none.
 * Tokens are URL-safe and 16 characters or longer.
 */
export function parseToken(pasted: string): string | null {
  const text = pasted.trim();
  const inFragment = /[#&]t=([A-Za-z0-9._~-]{16,})(?:&|\s|$)/.exec(text);
  if (inFragment) return inFragment[1] ?? null;
  return /^[A-Za-z0-9._~-]{16,}$/.test(text) ? text : null;
}

/** What opens the library in a fragment: the token, or a ticket for it. */
const OPENS = /^(t|ticket)=/;

/** A fragment without its token: `#t=…&row=3` is `#row=3`, `#t=…` is nothing. */
export function withoutToken(hash: string): string {
  const kept = hash
    .replace(/^#/, "")
    .split("&")
    .filter((part) => part !== "" && !OPENS.test(part));
  return kept.length > 0 ? `#${kept.join("&")}` : "";
}

/** A link with the token in its fragment, in place of one that it has; without a token (`null`) it has none. */
export function withToken(href: string, token: string | null): string {
  const url = new URL(href);
  const kept = withoutToken(url.hash);
  url.hash = token === null ? kept : `${kept}${kept ? "&" : "#"}t=${token}`;
  return url.href;
}

/** Whether a token opens one session for another person. */
function isShares(token: string | null): token is string {
  return token?.startsWith(SHARE_TOKEN_START) === true;
}

/** Whether a fragment still has a token or a ticket in it. */
export function hasToken(hash: string): boolean {
  return hash
    .replace(/^#/, "")
    .split("&")
    .some((part) => OPENS.test(part));
}

/**
 * Takes the token out of the address, if there is one, and keeps it: for this tab or this browser, never in a cookie. In
 * its place there may be a ticket (`#ticket=…`), with which the token is asked for; resolves when that is answered.
 */
export async function takeTokenFromAddress(): Promise<void> {
  const { hash, pathname, search } = window.location;
  if (!hasToken(hash)) return;
  window.history.replaceState(window.history.state, "", pathname + search + withoutToken(hash));
  const token = parseToken(hash);
  const [, ticket] = /[#&]ticket=([A-Za-z0-9_-]+)/.exec(hash) ?? [];
  if (token) setToken(token);
  else if (ticket) await tradeTicket(ticket);
}

/** Longer than this a page shows nothing for want of the token. */
const TRADE_MS = 5_000;

/** Asks for the owner's token with a ticket, which is good once and for a minute. Without an answer what is kept counts. */
async function tradeTicket(ticket: string): Promise<void> {
  change({ kind: "opening" });
  const token = await askToken(ticket);
  if (token !== null) return setToken(token);
  const kept = keptToken();
  change(kept ? { kind: "held", token: kept } : { kind: "used" });
}

async function askToken(ticket: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TRADE_MS);
    const url = withBasePath(`/api/token?ticket=${ticket}`);
    const response = await fetch(url, { cache: "no-store", credentials: "omit", signal });
    return response.ok ? parseToken(((await response.json()) as { token: string }).token) : null;
  } catch {
    // The server is gone, or what answers is none.
    return null;
  }
}

/** Keeps a token and lets waiting pages go on. A share's never takes the place of the owner's. */
export function setToken(token: string): void {
  writeStored(shareKey(), isShares(token) ? token : null, "tab");
  if (!isShares(token)) writeStored(tokenKey(), token);
  change({ kind: "held", token });
}

/** Called on every 401: the gate comes up. A token that was set meanwhile, here or in another tab, is tried instead. */
export function rejectToken(token: string | null): void {
  const kept = keptToken();
  if (kept && kept !== token) change({ kind: "held", token: kept });
  else {
    // What was written by it can no longer be changed.
    if (isShares(token)) writeStored(writerKey(token), null);
    change({ kind: token === null ? "missing" : isShares(token) ? "ended" : "rejected" });
  }
}

/** The token to send; `null` when there is none. */
export function currentToken(): string | null {
  return state.kind === "held" ? state.token : null;
}

/** The token to send, if it is a share's: what this tab shows was shared with its reader. */
export function currentShareToken(): string | null {
  const token = currentToken();
  return isShares(token) ? token : null;
}

/** Of each link a little is enough to tell them apart, and too little to open it. */
const LINK_CHARACTERS = 8;
const writerKey = (token: string) =>
  `backscroll.writer${basePath()}.${token.slice(SHARE_TOKEN_START.length).slice(0, LINK_CHARACTERS)}`;

/**
 * The secret by which this browser changes what was written in it for the link of this tab, made when it is first asked
 * for; `null` for the owner, who needs none. It is sent with comments alone, and shown nowhere.
 */
export function writerSecret(): string | null {
  const token = currentShareToken();
  if (token === null) return null;
  const kept = readStored(writerKey(token));
  if (kept) return kept;
  const made = randomHex(32);
  writeStored(writerKey(token), made);
  return made;
}

/** Whether this browser keeps the owner's token, beside a share's in this tab. */
export function hasOwnerToken(): boolean {
  return readStored(tokenKey()) !== null;
}

/** Forgets the share's token of this tab, and opens the owner's library. */
export function leaveShare(): void {
  writeStored(shareKey(), null, "tab");
  window.location.assign(withBasePath("/"));
}

function change(next: TokenState): void {
  state = next;
  listeners.tell();
}

function keptToken(): string | null {
  return readStored(shareKey(), "tab") ?? readStored(tokenKey());
}

function readState(): TokenState {
  if (state === OPENING) {
    const kept = keptToken();
    state = kept ? { kind: "held", token: kept } : { kind: "missing" };
  }
  return state;
}

function subscribe(listener: () => void): () => void {
  const unfollow = followStored(tokenKey(), () => {
    const token = readStored(tokenKey());
    if (readStored(shareKey(), "tab") !== null) return;
    if (token && token !== currentToken()) change({ kind: "held", token });
  });
  const leave = listeners.add(listener);
  const onHashChange = () => void takeTokenFromLink();
  window.addEventListener("hashchange", onHashChange);
  return () => {
    leave();
    unfollow();
    window.removeEventListener("hashchange", onHashChange);
  };
}

/** A link was opened over a page. What was fetched with another token is not shown beside what is shared. */
async function takeTokenFromLink(): Promise<void> {
  const before = currentToken();
  await takeTokenFromAddress();
  if (before !== currentToken() && (isShares(before) || isShares(currentToken()))) window.location.reload();
}

/** Follows the token: pasted, stored by another tab, rejected by the server. */
export function useTokenState(): TokenState {
  return useSyncExternalStore(subscribe, readState, () => OPENING);
}

/** Whether what this tab shows was shared with its reader, who sees nothing but that one session. */
export function useIsGuest(): boolean {
  const tokenState = useTokenState();
  return tokenState.kind === "held" && isShares(tokenState.token);
}
