import { createContext, useContext, useEffect, useRef } from "react";

export type LineRange = { from: number; to: number };

/** The lines or the hunk of an opened row that a link or a click points at. */
export type LineSelection = {
  lines: LineRange | null;
  hunk: number | null;
  /** They come from the page's address: the first of them is brought into view once. */
  linked: boolean;
};

/** How lines of an opened row point at others. Never changes, so that a line draws again only when it changes. */
export type PlaceActions = {
  /** Points at a line; `extend` goes on from the one before. */
  pick: (line: number, extend: boolean) => void;
  copyHunkLink: (hunk: number) => void;
};

const NOWHERE: LineSelection = { lines: null, hunk: null, linked: false };

export const LineSelectionContext = createContext<LineSelection>(NOWHERE);
/** `null` outside of an opened row. */
export const PlaceActionsContext = createContext<PlaceActions | null>(null);

/** What of an opened row the address points at. */
export function useLineSelection(): LineSelection {
  return useContext(LineSelectionContext);
}

/** The ways to point at something inside an opened row; `null` where nothing can be linked to. */
export function usePlaceActions(): PlaceActions | null {
  return useContext(PlaceActionsContext);
}

/** Brings the element into view once it is there, after the list around it has settled. */
export function useBroughtIntoView<T extends HTMLElement>(wanted: boolean) {
  const element = useRef<T>(null);
  useEffect(() => {
    if (!wanted) return;
    let frame = 0;
    // Rows above are measured for some frames after they are drawn, and each moves what is below.
    let left = 8;
    const settle = () => {
      if (left-- > 0) frame = requestAnimationFrame(settle);
      else element.current?.scrollIntoView({ block: "center", behavior: "instant" });
    };
    frame = requestAnimationFrame(settle);
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
  return element;
}
