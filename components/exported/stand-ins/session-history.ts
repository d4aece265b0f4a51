import { useSyncExternalStore } from "react";
import { parseThreadUrl, type SetThreadUrl, type ThreadUrl } from "@/lib/client/session-url";

/*
 * In the place of `lib/client/session-history.ts`: what the address of a session's page says is held here. A file opened
 * from disk has an address that no browser lets it change everywhere, and its reader one page.
 */

let url = parseThreadUrl("");
const listeners = new Set<() => void>();

export function threadUrlNow(): ThreadUrl {
  return url;
}

/** Nothing goes back: there is no other entry. */
export function followHistory(): () => void {
  return () => undefined;
}

const setUrl: SetThreadUrl = (change) => {
  url = { ...url, ...change };
  for (const listener of [...listeners]) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  return [useSyncExternalStore(subscribe, threadUrlNow), setUrl];
}

export function useThreadUrlValue<Name extends "at" | "detail">(name: Name): ThreadUrl[Name] {
  return useSyncExternalStore(subscribe, () => url[name]);
}
