import { type RefObject, useLayoutEffect, useRef } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import type { ThreadStore } from "@/components/thread/thread-store";
import { useThreadStore } from "@/components/thread/use-thread";

/** Threads whose list went with the focus in it: the one that comes in its place takes it. */
const leftWithFocus = new WeakSet<ThreadStore>();

/**
 * Gives the selected row the focus once it is in the page: where the thread opens with it, or in place of a list that had
 * it, and whenever it is asked for.
 * @returns asks for it
 */
export function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  { start }: OpenThread,
  selected: number | null,
): () => void {
  const store = useThreadStore();
  const isDue = useRef(start.fork === true || start.focused === true);
  const give = (selected: number | null) => {
    if (!isDue.current) return;
    // Where this view hides the row that had it, the focus stays in the list.
    const isHidden = selected === null && start.focused === true && !start.selected;
    const element = isHidden
      ? scroller.current
      : scroller.current?.querySelector<HTMLElement>(`[data-index="${selected}"]`);
    if (!element) return;
    isDue.current = false;
    // Who types into a field, as from hit to hit, or a comment on the row, goes on typing there.
    const { activeElement } = document;
    const types = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
    if (!types) element.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    if (leftWithFocus.delete(store) && document.activeElement === document.body) {
      // At once, and the row's as soon as it is there.
      box?.focus({ preventScroll: true });
      isDue.current = true;
    }
    return () => {
      if (box?.contains(document.activeElement)) leftWithFocus.add(store);
    };
  }, [scroller, store]);
  useLayoutEffect(() => give(selected));
  return () => {
    isDue.current = true;
    // Where that row is selected and in view already nothing is drawn again.
    requestAnimationFrame(() => give(store.get().position.selected));
  };
}
