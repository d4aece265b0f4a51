import { type RefObject, useLayoutEffect, useRef } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { useThreadStore } from "@/components/thread/use-thread";

/**
 * Gives the selected row the focus once it is in the page: where the thread opens with it, and whenever it is asked for.
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
  useLayoutEffect(() => give(selected));
  return () => {
    isDue.current = true;
    // Where that row is selected and in view already nothing is drawn again.
    requestAnimationFrame(() => give(store.get().position.selected));
  };
}
