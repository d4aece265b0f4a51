import { type RefObject, useEffectEvent, useLayoutEffect, useState } from "react";
import { listPlace, rememberPlace, useStoredPlaces } from "@/components/ui/list-place";
import type { FileLook, FileLooks } from "./changes-sheet";

/** What a reader does who goes on by himself. */
const BY_HAND = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Takes the reader of changes back to the file at which they were, and keeps where they are. Changes are loaded as they
 * come near, so what stands above a file is as high as it will be only later: its place is told from the file itself.
 * @param list which changes they are: session, turn, part of the time
 * @param paths of the files in their order, `null` while they are not known
 * @returns is to be called as the box scrolls
 */
export function useChangesPlace(
  list: string,
  box: RefObject<HTMLElement | null>,
  paths: readonly string[] | null,
): () => void {
  const isKnown = paths !== null;
  useStoredPlaces();
  useLayoutEffect(() => {
    const { cursorKey, offsetPx } = listPlace("changes", list);
    const scroller = box.current;
    const file = cursorKey === null ? -1 : (paths?.indexOf(cursorKey) ?? -1);
    const element = scroller && filesIn(scroller).find(({ dataset }) => Number(dataset.file) === file);
    if (!scroller || !element) return;
    // Not below it: what is not near is not loaded.
    const stand = () => {
      const downPx = Math.min(offsetPx, Math.max(0, element.offsetHeight - 1));
      scroller.scrollTo(0, element.offsetTop + downPx);
    };
    stand();
    // It, and what stands above it, are higher when their changes are there.
    const observer = new ResizeObserver(stand);
    for (const file of filesIn(scroller)) observer.observe(file);
    const stop = () => {
      observer.disconnect();
      for (const kind of BY_HAND) window.removeEventListener(kind, stop, { capture: true });
    };
    for (const kind of BY_HAND) window.addEventListener(kind, stop, { capture: true, passive: true });
    return stop;
    // Only when the list comes: files that change later move nobody.
  }, [list, box, isKnown]);
  const note = (scroller = box.current) => {
    if (!scroller || !paths) return;
    const { scrollTop } = scroller;
    const first = filesIn(scroller).find((file) => file.offsetTop + file.offsetHeight > scrollTop);
    const path = paths[Number(first?.dataset.file)];
    if (first && path !== undefined)
      rememberPlace("changes", list, { cursorKey: path, offsetPx: scrollTop - first.offsetTop });
  };
  const noteLast = useEffectEvent(note);
  useLayoutEffect(() => {
    const scroller = box.current;
    // Of where one has just scrolled, and what one then opened, no event tells any more.
    return () => noteLast(scroller);
  }, [box, isKnown]);
  return () => note();
}

function filesIn(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>("[data-file]")];
}

/** How the files of these changes are shown, which stays until others are looked at. */
export function useFileLooks(list: string): [FileLooks, (path: string, look: FileLook) => void] {
  const [looks, setLooks] = useState((): FileLooks => {
    const { folded, expanded } = listPlace("changes", list).groups;
    const net = new Set(expanded);
    const closed = new Set(folded);
    return new Map(
      [...closed, ...net].map((path) => [path, { open: !closed.has(path), net: net.has(path) }]),
    );
  });
  const setLook = (path: string, look: FileLook) => {
    const next = new Map(looks).set(path, look);
    setLooks(next);
    const pathsOf = (is: (one: FileLook) => boolean) =>
      [...next].filter(([, one]) => is(one)).map(([one]) => one);
    rememberPlace("changes", list, {
      groups: { folded: pathsOf(({ open }) => !open), expanded: pathsOf(({ net }) => net) },
    });
  };
  return [looks, setLook];
}
