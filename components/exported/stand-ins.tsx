import { type ComponentProps, useSyncExternalStore } from "react";
import type { PageDialog } from "@/lib/client/address/page-dialogs";
import {
  isSameThread,
  parseThreadUrl,
  type SetThreadUrl,
  type ThreadUrl,
  threadSearch,
} from "@/lib/client/address/session-url";
import { Listeners } from "@/lib/client/listeners";

/*
 * In the place of `next/link` and of address-writes, page-dialogs, session-history and history-entry in
 * `lib/client/address` (`bin/tasks/exported-page.mjs`): a file has one page, and no history. Opened from disk it has an
 * address that no browser lets it change everywhere, and no storage, so what both say of a session's page is held here,
 * and kept with the entry that the browser has of the file: a reload and a way back to it find it there.
 */

/** There is no other page, so a link is only its text. */
export default function Link({ children, className, title }: ComponentProps<"a">) {
  return (
    <span className={className} title={title}>
      {children}
    </span>
  );
}

/**
 * Nothing links to the view on screen.
 * @returns ends it, which does nothing here
 */
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

/** Opens a dialog, or closes the one that is open. There is no Back, so it stands in no history. */
export function openPageDialog(opened: PageDialog | null): void {
  if (dialog.now() === null) opener = document.activeElement;
  dialog.set(opened);
}

/** Gives the focus back to what opened the dialog. */
export function focusOpener(): void {
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}

/** The dialog that is open. */
export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(dialog.subscribe, dialog.now);
}

/** What the browser keeps: the query of a session's page, and the reader's position in each thread, by its agent. */
type Kept = { search: string; places: Record<string, unknown> };

const FIELD = "backscroll";
const kept: Kept = { search: "", places: {}, ...(keptByBrowser()[FIELD] as Partial<Kept> | undefined) };
const url = held<ThreadUrl>(parseThreadUrl(kept.search));

function keptByBrowser(): Record<string, unknown> {
  return (window.history.state as Record<string, unknown> | null) ?? {};
}

function keep(): void {
  try {
    window.history.replaceState({ ...keptByBrowser(), [FIELD]: kept }, "");
  } catch (cause) {
    // Safari refuses more than a hundred in half a minute: the next one keeps it.
    if (!(cause instanceof DOMException)) throw cause;
  }
}

/** Keeps where the reader is in the thread that is shown, for a reload and for when they are back in it. */
export function keepPlace(place: unknown): void {
  kept.places[url.now().agent ?? ""] = place;
  keep();
}

/** Where the reader was in the thread that is shown; `null` where they have not been. */
export function keptPlace(): unknown {
  return kept.places[url.now().agent ?? ""] ?? null;
}

/** The view as the address would say it. */
export function threadUrlNow(): ThreadUrl {
  return url.now();
}

type Handlers = { beforeLeaving: () => void; onOtherGround: (isSame: boolean) => void };
let handlers: Handlers | null = null;

/**
 * There is no Back, but each thread is where it was left.
 * @returns ends it
 */
export function followHistory(given: Handlers): () => void {
  handlers = given;
  // A reload takes nothing with the entry any more that is written when the page is hidden.
  window.addEventListener("beforeunload", given.beforeLeaving);
  return () => {
    window.removeEventListener("beforeunload", given.beforeLeaving);
    if (handlers === given) handlers = null;
  };
}

const setUrl: SetThreadUrl = (change) => {
  const target = { ...url.now(), ...change };
  const isOther = !isSameThread(url.now(), target);
  if (isOther) handlers?.beforeLeaving();
  url.set(target);
  // A requested place is shown.
  if (isOther && !change.at) handlers?.onOtherGround(false);
  kept.search = threadSearch(target);
  keep();
};

/** The view, and how it is changed. */
export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  return [useSyncExternalStore(url.subscribe, url.now), setUrl];
}

/** One value of the view: what shows it alone is not drawn again for the others. */
export function useThreadUrlValue<Name extends "at" | "paneAt" | "detail">(name: Name): ThreadUrl[Name] {
  return useSyncExternalStore(url.subscribe, () => url.now()[name]);
}
