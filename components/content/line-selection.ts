import { createContext, useContext, useEffect, useRef } from "react";

/** Lines of a text, from 1; both are in it. */
export type LineRange = { from: number; to: number };

/** The lines or the hunk of an opened row that a link or a click selected. */
export type LineSelection = {
  lines: LineRange | null;
  hunk: number | null;
  /** Selected by the URL, and the reader has not been taken there yet: the first line is scrolled into view. */
  linked: boolean;
};

/** What lines of an opened row can do to the selection. Stable, so that lines re-render only when they change. */
export type LineSelectionActions = {
  /** Selects a line; `extend` selects from the previously picked line to this one. */
  pick: (line: number, extend: boolean) => void;
  copyHunkLink?: ((hunk: number) => void) | undefined;
  /** The reader has been taken to what the URL selects. */
  onReached?: () => void;
};

const NO_SELECTION: LineSelection = { lines: null, hunk: null, linked: false };

export const LineSelectionContext = createContext<LineSelection>(NO_SELECTION);
/** `null` outside an opened row. */
export const LineSelectionActionsContext = createContext<LineSelectionActions | null>(null);

/** The selection in the opened row around this component. */
export function useLineSelection(): LineSelection {
  return useContext(LineSelectionContext);
}

/** Actions on the selection; `null` where nothing can be linked to. */
export function useLineSelectionActions(): LineSelectionActions | null {
  return useContext(LineSelectionActionsContext);
}

/** Scrolls the element into view if that is wanted, after the list around it has settled, and reports it. */
export function useScrollIntoView<T extends HTMLElement>(wanted: boolean) {
  const element = useRef<T>(null);
  const onReached = useLineSelectionActions()?.onReached;
  useEffect(() => {
    if (!wanted) return;
    let frame = 0;
    // Rows above are measured for some frames after they render, and each measurement moves what is below.
    let framesLeft = 8;
    const settle = () => {
      if (framesLeft-- > 0) frame = requestAnimationFrame(settle);
      else {
        element.current?.scrollIntoView({ block: "center", behavior: "instant" });
        onReached?.();
      }
    };
    frame = requestAnimationFrame(settle);
    return () => cancelAnimationFrame(frame);
  }, [wanted, onReached]);
  return element;
}
