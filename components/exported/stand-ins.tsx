import { type ComponentProps, useSyncExternalStore } from "react";
import { Listeners } from "@/lib/client/listeners";
import type { PageDialog } from "@/lib/client/page-dialogs";
import { parseThreadUrl, type SetThreadUrl, type ThreadUrl } from "@/lib/client/session-url";

/*
 * In the place of `next/link` and of `lib/client`'s address, page-dialogs and session-history (`bin/tasks/exported-page.mjs`):
 * a file has one page, and no history. Opened from disk it has an address that no browser lets it change everywhere,
 * so what that says of a session's page is held here.
 */

/** There is no other page to go to, so a link is what it says. */
export default function Link({ children, className, title }: ComponentProps<"a">) {
  return (
    <span className={className} title={title}>
      {children}
    </span>
  );
}

/** Nothing links to what is on screen. @returns ends it, which is nothing here */
export function offerViewLink(): () => void {
  return () => undefined;
}

/** A value that components follow. */
function held<Value>(first: Value) {
  let value = first;
  const listeners = new Listeners();
  return {
    now: () => value,
    set(next: Value) {
      value = next;
      listeners.tell();
    },
    subscribe: listeners.add,
  };
}

const dialog = held<PageDialog | null>(null);
let opener: Element | null = null;

export function openPageDialog(opened: PageDialog | null): void {
  if (dialog.now() === null) opener = document.activeElement;
  dialog.set(opened);
}

export function focusOpener(): void {
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}

export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(dialog.subscribe, dialog.now);
}

const url = held<ThreadUrl>(parseThreadUrl(""));

export function threadUrlNow(): ThreadUrl {
  return url.now();
}

/** Nothing goes back: there is no other entry. */
export function followHistory(): () => void {
  return () => undefined;
}

const setUrl: SetThreadUrl = (change) => url.set({ ...url.now(), ...change });

export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  return [useSyncExternalStore(url.subscribe, url.now), setUrl];
}

export function useThreadUrlValue<Name extends "at" | "detail">(name: Name): ThreadUrl[Name] {
  return useSyncExternalStore(url.subscribe, () => url.now()[name]);
}
