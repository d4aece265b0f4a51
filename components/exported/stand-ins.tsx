import { type ComponentProps, useSyncExternalStore } from "react";
import type { PageDialog } from "@/lib/client/address/page-dialogs";
import {
  isSameThread,
  onWayBack,
  parseThreadUrl,
  type SetThreadUrl,
  stepOf,
  type ThreadUrl,
  threadSearch,
} from "@/lib/client/address/session-url";
import { Listeners } from "@/lib/client/listeners";

/*
 * In the place of `next/link` and of address-writes, page-dialogs, session-history and history-entry in
 * `lib/client/address` (`bin/tasks/exported-page.mjs`): a file has one page. Opened from disk it has an address that no
 * browser lets it change everywhere, and no storage, so what both say of a session's page is held here, and kept with the
 * entries that the browser has of the file: Back closes what was opened, and a reload and a way back to the file find it
 * as it was.
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

/**
 * What the browser keeps with an entry: the query of a session's page, the one that it was opened from, the dialog over it,
 * and the reader's position in each thread, by its agent.
 */
type Kept = {
  search: string;
  under: string | null;
  dialog: PageDialog | null;
  places: Record<string, unknown>;
};

const FIELD = "backscroll";
const FIRST: Kept = { search: "", under: null, dialog: null, places: {} };
let kept: Kept = { ...FIRST, ...keptIn(window.history.state) };
const url = held<ThreadUrl>(parseThreadUrl(kept.search));
const dialog = held<PageDialog | null>(kept.dialog);
let opener: Element | null = null;
/** The browser goes back from the entry of what has been closed. */
let isLeaving = false;

function keptIn(state: unknown): Partial<Kept> | undefined {
  return (state as Record<string, Partial<Kept>> | null)?.[FIELD];
}

/** @returns whether the browser has taken it */
function write(how: "pushState" | "replaceState"): boolean {
  try {
    window.history[how]({ ...(window.history.state as object | null), [FIELD]: kept }, "");
    return true;
  } catch (cause) {
    // Safari refuses more than a hundred in half a minute: the next one keeps it.
    if (!(cause instanceof DOMException)) throw cause;
    return false;
  }
}

function keep(): void {
  if (!isLeaving) write("replaceState");
}

/** An entry for what is opened, where the browser takes one: else what is opened is the entry's that is there. */
function push(opened: Pick<Kept, "search" | "under" | "dialog">): void {
  keep();
  const below = kept;
  kept = { ...kept, ...opened };
  if (isLeaving || write("pushState")) return;
  kept = { ...below, search: opened.search };
  keep();
}

function leave(): void {
  isLeaving = true;
  window.history.back();
}

window.addEventListener("popstate", ({ state }) => {
  const entry = keptIn(state);
  if (!entry) return;
  const { places } = kept;
  const now = url.now();
  const there = { ...FIRST, ...entry, places };
  if (isLeaving) {
    // What was closed is so already, and what was asked for since then stays.
    isLeaving = false;
    kept = { ...there, search: threadSearch(now) };
    return keep();
  }
  const target = onWayBack(now, parseThreadUrl(there.search), true);
  const isOther = !isSameThread(now, target);
  if (isOther) handlers?.beforeLeaving();
  kept = { ...there, search: threadSearch(target) };
  dialog.set(kept.dialog);
  url.set(target);
  keep();
  if (isOther) handlers?.onOtherGround(false);
  handlers?.onReturn();
});

/** Opens a dialog, which is an entry of its own, or closes the one that is open. */
export function openPageDialog(opened: PageDialog | null): void {
  if (opened === dialog.now()) return;
  if (dialog.now() === null) opener = document.activeElement;
  dialog.set(opened);
  if (opened === null) {
    if (kept.dialog !== null && !isLeaving) leave();
  } else if (kept.dialog === null) push({ search: kept.search, under: null, dialog: opened });
}

/** Gives the focus back to what opened the dialog. */
export function focusOpener(): void {
  if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
}

/** The dialog that is open. */
export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(dialog.subscribe, dialog.now);
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

type Handlers = {
  beforeLeaving: () => void;
  onOtherGround: (isSame: boolean) => void;
  onReturn: () => void;
};
let handlers: Handlers | null = null;

/**
 * Each thread is where it was left, on the way back too.
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

const setUrl: SetThreadUrl = (change, how) => {
  const now = url.now();
  const target = { ...now, ...change };
  const under = kept.under === null ? null : parseThreadUrl(kept.under);
  const isOther = !isSameThread(now, target);
  // A requested place is shown.
  const isGoing = isOther && Boolean(change.at);
  const step = how === undefined ? (isGoing ? "push" : stepOf(now, target, under)) : how;
  if (isOther) handlers?.beforeLeaving();
  url.set(target);
  const search = threadSearch(target);
  if (step === "push") push({ search, under: threadSearch(now), dialog: null });
  else {
    kept.search = search;
    if (step === "back" && !isLeaving) leave();
    else keep();
  }
  if (isOther && !isGoing) handlers?.onOtherGround(false);
};

/** The view, and how it is changed. */
export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  return [useSyncExternalStore(url.subscribe, url.now), setUrl];
}

/** One value of the view: what shows it alone is not drawn again for the others. */
export function useThreadUrlValue<Name extends "at" | "paneAt" | "detail">(name: Name): ThreadUrl[Name] {
  return useSyncExternalStore(url.subscribe, () => url.now()[name]);
}
