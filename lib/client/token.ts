import { useSyncExternalStore } from "react";
import { followStored, readStored, writeStored } from "./storage";

const TOKEN_KEY = "backscroll.token";

/** `opening`: not known yet (server, first render). `missing`: none kept. `rejected`: the server refused it. */
export type TokenState = { kind: "opening" | "missing" | "rejected" } | { kind: "held"; token: string };

const OPENING: TokenState = { kind: "opening" };
const listeners = new Set<() => void>();
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

/** A fragment without its token: `#t=…&row=3` is `#row=3`, `#t=…` is nothing. */
export function withoutToken(hash: string): string {
  const kept = hash
    .replace(/^#/, "")
    .split("&")
    .filter((part) => part !== "" && !part.startsWith("t="));
  return kept.length > 0 ? `#${kept.join("&")}` : "";
}

/** Takes the token out of the address, if there is one, and keeps it in this browser. Never in a cookie. */
export function takeTokenFromAddress(): void {
  const { hash, pathname, search } = window.location;
  const token = parseToken(hash);
  if (!/^#(.*&)?t=/.test(hash)) return;
  window.history.replaceState(window.history.state, "", pathname + search + withoutToken(hash));
  if (token) setToken(token);
}

/** Keeps a token and lets waiting pages go on. */
export function setToken(token: string): void {
  writeStored(TOKEN_KEY, token);
  change({ kind: "held", token });
}

/** Called on every 401: the gate comes up. A token that another tab has set meanwhile is tried instead. */
export function rejectToken(token: string | null): void {
  const kept = readStored(TOKEN_KEY);
  if (kept && kept !== token) change({ kind: "held", token: kept });
  else change({ kind: token ? "rejected" : "missing" });
}

/** The token to send; `null` when there is none. */
export function currentToken(): string | null {
  return state.kind === "held" ? state.token : null;
}

function change(next: TokenState): void {
  state = next;
  for (const listener of listeners) listener();
}

function readState(): TokenState {
  if (state === OPENING) {
    const kept = readStored(TOKEN_KEY);
    state = kept ? { kind: "held", token: kept } : { kind: "missing" };
  }
  return state;
}

function subscribe(listener: () => void): () => void {
  const unfollow = followStored(TOKEN_KEY, () => {
    const token = readStored(TOKEN_KEY);
    if (token && token !== currentToken()) change({ kind: "held", token });
  });
  const onHash = () => takeTokenFromAddress();
  listeners.add(listener);
  window.addEventListener("hashchange", onHash);
  return () => {
    listeners.delete(listener);
    unfollow();
    window.removeEventListener("hashchange", onHash);
  };
}

/** Follows the token: pasted, stored by another tab, rejected by the server. */
export function useTokenState(): TokenState {
  return useSyncExternalStore(subscribe, readState, () => OPENING);
}
