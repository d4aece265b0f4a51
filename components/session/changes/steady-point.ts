import { type RefObject, useEffect } from "react";

/**
 * Keeps what the reader points at where it is, else what has the focus, else what is first in the box, as changes come
 * that are higher or lower than what was kept free for them, or are written meanwhile. A button that moves between press
 * and release loses the click.
 * The box must leave that to this (`overflow-anchor: none`): browsers keep what is first, and Safari (before 26) nothing.
 * @param isHeld whether the box is held at a place otherwise
 */
export function useSteadyPoint(box: RefObject<HTMLElement | null>, isHeld: () => boolean): void {
  useEffect(() => {
    const scroller = box.current;
    if (!scroller) return;
    let pointer: { x: number; y: number } | null = null;
    let steady: { element: Element; topPx: number } | null = null;
    const topOf = (element: Element) =>
      element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    const note = () => {
      const element = elementAt(scroller, pointer);
      steady = element && { element, topPx: topOf(element) };
    };
    const onPointer = ({ clientX, clientY }: PointerEvent) => {
      pointer = { x: clientX, y: clientY };
      note();
    };
    const onKey = () => {
      pointer = null;
      // What the key does to the focus is done behind it.
      queueMicrotask(note);
    };
    const observer = new ResizeObserver(() => {
      const was = steady;
      const movedPx = was?.element.isConnected ? topOf(was.element) - was.topPx : 0;
      if (movedPx !== 0 && !isHeld()) scroller.scrollTop += movedPx;
      note();
    });
    const watchFiles = () => {
      for (const file of scroller.children) observer.observe(file);
    };
    // A session that runs changes more files.
    const files = new MutationObserver(watchFiles);
    files.observe(scroller, { childList: true });
    watchFiles();
    note();
    for (const kind of POINTED) document.addEventListener(kind, onPointer, PASSIVE);
    document.addEventListener("keydown", onKey, PASSIVE);
    document.addEventListener("focusin", note, PASSIVE);
    scroller.addEventListener("scroll", note, PASSIVE);
    return () => {
      observer.disconnect();
      files.disconnect();
      for (const kind of POINTED) document.removeEventListener(kind, onPointer, PASSIVE);
      document.removeEventListener("keydown", onKey, PASSIVE);
      document.removeEventListener("focusin", note, PASSIVE);
      scroller.removeEventListener("scroll", note, PASSIVE);
    };
  }, [box, isHeld]);
}

const POINTED = ["pointermove", "pointerdown"] as const;
const PASSIVE = { capture: true, passive: true } as const;

/** What is first is below a file's head, which sticks to the upper edge. */
const BELOW_HEAD_PX = 40;

/** What is to stay where it is. A file's head sticks to the upper edge: its file stands for it. */
function elementAt(scroller: HTMLElement, pointer: { x: number; y: number } | null): Element | null {
  const { activeElement } = document;
  const pointed = pointer && document.elementFromPoint(pointer.x, pointer.y);
  const { top, bottom, left, right } = scroller.getBoundingClientRect();
  const isSeen = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  };
  const found =
    [pointed, pointer ? null : activeElement].find(
      (one) => one && one !== scroller && scroller.contains(one) && isSeen(one),
    ) ?? document.elementFromPoint((left + right) / 2, top + BELOW_HEAD_PX);
  if (!found || found === scroller || !scroller.contains(found)) return null;
  return found.closest("h3")?.parentElement ?? found;
}
