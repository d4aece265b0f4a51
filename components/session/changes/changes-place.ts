import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import {
  holdPlace,
  listPlace,
  rememberPlace,
  useKeptGroups,
  useStoredPlaces,
} from "@/components/ui/list-place";
import type { FileLook, FileLooks } from "./changes-sheet";

/**
 * Takes the reader of changes back to the file at which they were, and keeps where they are. Changes are loaded as they
 * come near, so what stands above a file is as high as it will be only later: its place is told from the file itself.
 * @param list which changes they are: session, turn, part of the time
 * @param paths of the files in their order
 * @returns is to be called as the box scrolls
 */
export function useChangesPlace(
  list: string,
  box: RefObject<HTMLElement | null>,
  paths: readonly string[],
): () => void {
  useStoredPlaces();
  // Asked when the list comes: files that change later move nobody.
  const placeOf = useEffectEvent((path: string) => paths.indexOf(path));
  useLayoutEffect(() => {
    const { cursorKey, offsetPx } = listPlace("changes", list);
    const scroller = box.current;
    const file = cursorKey === null ? -1 : placeOf(cursorKey);
    const element = scroller && filesIn(scroller).find(({ dataset }) => Number(dataset.file) === file);
    if (!scroller || !element) return;
    // Not below it: what is not near is not loaded.
    const stand = () => {
      const downPx = Math.min(offsetPx, Math.max(0, element.offsetHeight - 1));
      scroller.scrollTo(0, element.offsetTop + downPx);
    };
    // It, and what stands above it, are higher when their changes are there.
    return holdPlace(filesIn(scroller), stand);
  }, [list, box]);
  const note = (scroller = box.current) => {
    if (!scroller) return;
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
  }, [box]);
  return () => note();
}

function filesIn(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>("[data-file]")];
}

/**
 * How the files are shown. They stay so in other changes of the session, of a turn or a part, and are kept with those that
 * are shown for coming back to them.
 */
export function useFileLooks(list: string): [FileLooks, (path: string, look: FileLook) => void] {
  const [looks, setLooks] = useState((): FileLooks => {
    const { folded, expanded } = listPlace("changes", list).groups;
    const net = new Set(expanded);
    const closed = new Set(folded);
    return new Map(
      [...closed, ...net].map((path) => [path, { open: !closed.has(path), net: net.has(path) }]),
    );
  });
  const groups = useMemo(() => {
    const pathsOf = (is: (one: FileLook) => boolean) =>
      [...looks].filter(([, one]) => is(one)).map(([path]) => path);
    return { folded: pathsOf(({ open }) => !open), expanded: pathsOf(({ net }) => net) };
  }, [looks]);
  useKeptGroups("changes", list, groups);
  return [looks, (path, look) => setLooks(new Map(looks).set(path, look))];
}
