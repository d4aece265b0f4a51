/*
 * What this browser keeps for the next page, by key. The only module that touches `localStorage` and
 * `sessionStorage`, but for the scripts in a document's head, which run before any module: a browser may refuse them
 * (blocked cookies, a full quota), and the page must work without. What could not be written is held in memory, so that
 * at least this page behaves as the reader has set it.
 */

/** For whom a text is kept: every tab of this browser, or this tab alone, until it is closed. */
export type Keeper = "browser" | "tab";

const KEEPERS = {
  browser: { area: () => localStorage, unwritten: new Map<string, string>() },
  tab: { area: () => sessionStorage, unwritten: new Map<string, string>() },
};
const listeners = new Set<(key: string) => void>();

/** The text kept under this key; `null` where there is none, or where the browser gives none. */
export function readStored(key: string, keeper: Keeper = "browser"): string | null {
  const { area, unwritten } = KEEPERS[keeper];
  return unwritten.get(key) ?? guarded(() => area().getItem(key)) ?? null;
}

/**
 * Keeps a text for the next page, or removes it (`null`), and tells who follows the key.
 * @returns false where the browser refused: then it lasts as long as this page
 */
export function writeStored(key: string, text: string | null, keeper: Keeper = "browser"): boolean {
  const { area, unwritten } = KEEPERS[keeper];
  unwritten.delete(key);
  const isWritten =
    guarded(() => {
      if (text === null) area().removeItem(key);
      else area().setItem(key, text);
      return true;
    }) === true;
  if (!isWritten && text !== null) unwritten.set(key, text);
  for (const listener of [...listeners]) listener(key);
  return isWritten;
}

/** Calls `onChange` whenever the key is written, by this page or by another tab for the browser, until the returned function is called. */
export function followStored(key: string, onChange: () => void): () => void {
  const onWrite = (written: string) => {
    if (written === key) onChange();
  };
  const onStorage = (event: StorageEvent) => {
    // `null`: everything was removed at once.
    if (event.key !== key && event.key !== null) return;
    KEEPERS.browser.unwritten.delete(key);
    onChange();
  };
  listeners.add(onWrite);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(onWrite);
    window.removeEventListener("storage", onStorage);
  };
}

/** `undefined` where the browser refuses, which it says with a DOMException (SecurityError, QuotaExceededError). */
function guarded<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch (cause) {
    if (cause instanceof DOMException) return undefined;
    throw cause;
  }
}
