import { useSyncExternalStore } from "react";
import { Listeners } from "@/lib/client/listeners";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";
import { beforeRouter, goBack, keepFromRouter, whenStill } from "./before-router";
import { arriveAt, currentEntry, newGround, onPushedEntry, pushEntryHere, putEntry } from "./history-entry";

/*
 * The dialog over the page, and the browser's history. An open dialog is an entry of its own: Back closes it, and
 * nothing else. To close it otherwise is to go back, so that no entry is left that Back would seem to do nothing for.
 * Forward opens it again, and after a reload it is open as before.
 */

/**
 * A dialog of every page, of a session, of a session that another page lists, an image of a session at full size, or what is
 * put on some sessions or on a project.
 */
export type PageDialog =
  | "settings"
  | "keys"
  | "share"
  | "go-to"
  | "notifications"
  | "about"
  | "export"
  | { about: SessionId }
  | { image: BlobRef; sessionId: SessionId }
  | { organise: SessionId[] }
  | { project: ProjectId };

let shown: PageDialog | null = typeof window === "undefined" ? null : dialogOf(currentEntry());
/** What had the focus when the dialog opened. */
let opener: HTMLElement | null = null;
/** The browser goes back from the entry of a dialog that has been closed. */
let isLeaving = false;
const listeners = new Listeners();

if (typeof window !== "undefined") {
  beforeRouter((event, left) => {
    const arrived = currentEntry();
    const isSameGround = arrived.ground !== undefined && arrived.ground === left.entry.ground;
    // A session's page knows better, and has taken the step for its own.
    if (isSameGround && event.state !== null && pathOf(left.href) === window.location.pathname) {
      keepFromRouter(event);
      // A dialog changes nothing of the address: what was written to it meanwhile stays.
      arriveAt(left.href, left);
    }
    if (!isLeaving) return show(dialogOf(arrived));
    isLeaving = false;
    whenStill(follow);
  });
  onPushedEntry(({ entry: below }) => {
    if (dialogOf(below) === null || dialogOf(currentEntry()) !== null) return;
    // A link in the dialog was followed. The router writes while it draws: not then.
    queueMicrotask(() => dialogOf(currentEntry()) === null && show(null));
  });
}

/** Opens a dialog, or closes the one that is open (`null`). */
export function openPageDialog(dialog: PageDialog | null): void {
  if (isSame(dialog, shown)) return;
  show(dialog);
  whenStill(follow);
}

/** Closes the dialog that is open, and calls `run` when the focus and the history are the page's again. */
export function closeDialogAnd(run: () => void): void {
  openPageDialog(null);
  whenStill(() => setTimeout(run));
}

function show(dialog: PageDialog | null): void {
  if (isSame(dialog, shown)) return;
  if (shown === null) opener = focusedOnPage();
  shown = dialog;
  listeners.tell();
}

/** The element that has the focus; of a menu, which goes when something is chosen in it, the button that opened it. */
function focusedOnPage(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const element = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return element instanceof HTMLElement ? element : null;
}

/** Focuses what had the focus when the dialog opened, unless it has gone from the page. For a dialog that has closed. */
export function focusOpener(): void {
  if (opener?.isConnected) opener.focus({ preventScroll: true });
}

/** Has the browser's history say what is shown. */
function follow(): void {
  const { dialog: _, ...page } = currentEntry();
  const kept = dialogOf(currentEntry());
  if (isSame(kept, shown)) return;
  if (shown !== null && kept !== null) putEntry({ ...page, dialog: shown });
  else if (shown !== null) {
    const ground = page.ground ?? newGround();
    putEntry({ ...page, ground });
    pushEntryHere({ ground, dialog: shown });
  } else {
    isLeaving = true;
    goBack(() => {
      isLeaving = false;
      putEntry(page);
    });
  }
}

function dialogOf({ dialog }: { dialog?: unknown }): PageDialog | null {
  return (dialog as PageDialog | undefined) ?? null;
}

function isSame(one: PageDialog | null, other: PageDialog | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function pathOf(href: string): string {
  return new URL(href, window.location.href).pathname;
}

/** The dialog that is open. */
export function shownDialog(): PageDialog | null {
  return shown;
}

/** The dialog that is open; draws again when that is another. */
export function usePageDialog(): PageDialog | null {
  return useSyncExternalStore(listeners.add, shownDialog, () => null);
}
