import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { hasModifier } from "@/lib/client/key-events";

const ITEM = "[data-roving]";

/**
 * Makes the items of a list (`data-roving`) one tab stop: Tab comes to the one that was focused last, else to the
 * current one, else to the first, and the arrow keys, Home and End move between them. The list may render any part
 * of its items; one that does not render its ends takes Home and End itself.
 */
export function useRoving<T extends HTMLElement>() {
  const list = useRef<T>(null);
  const last = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const settle = () => {
      const items = itemsOf(box);
      const kept = last.current?.isConnected ? last.current : null;
      const stop = kept ?? items.find((item) => item.ariaCurrent === "true") ?? items[0];
      for (const item of items) {
        const tabIndex = item === stop ? 0 : -1;
        if (item.tabIndex !== tabIndex) item.tabIndex = tabIndex;
      }
    };
    settle();
    const observer = new MutationObserver(settle);
    observer.observe(box, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["aria-current"],
    });
    return () => observer.disconnect();
  }, []);

  const onFocus = ({ target }: FocusEvent) => {
    const box = list.current;
    const item = target.closest<HTMLElement>(ITEM);
    if (!box || !item || item === last.current) return;
    last.current = item;
    for (const one of itemsOf(box)) one.tabIndex = one === item ? 0 : -1;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const box = list.current;
    const at = event.target instanceof Element ? event.target.closest<HTMLElement>(ITEM) : null;
    if (!box || !at || hasModifier(event) || event.defaultPrevented) return;
    const items = itemsOf(box);
    const next = nextItem(items, items.indexOf(at), event.key);
    if (next === null) return;
    // The thread has the same keys, and goes on where it is.
    event.preventDefault();
    next?.focus();
  };
  return { ref: list, onFocus, onKeyDown };
}

function itemsOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(ITEM)];
}

/** The item that a key goes to: `undefined` at either end, `null` for a key that moves nothing. */
function nextItem(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined | null {
  switch (key) {
    case "ArrowDown":
      return items[at + 1];
    case "ArrowUp":
      return items[at - 1];
    case "Home":
      return items[0];
    case "End":
      return items.at(-1);
    default:
      return null;
  }
}
