import {
  type RefObject,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { onMovedByHand } from "@/components/ui/by-hand";
import {
  holdPlace,
  listPlace,
  rememberPlace,
  useKeptGroups,
  useStoredPlaces,
} from "@/components/ui/list-place";
import { parsePermalink } from "@/lib/client/address/session-url";
import { formatRowKey } from "@/lib/wire/ids";
import type { ChangeOfFile, FileChanges } from "./changed-files";
import type { FileLook, FileLooks } from "./changes-sheet";

/** The file that was opened from changes last, and from which: who comes back to them is at its button. */
let opened: { list: string; path: string } | null = null;

/** A file is opened from these changes. */
export function noteOpenedFile(list: string, path: string): void {
  opened = { list, path };
}

/** What a file is opened with, so that it has the focus again. */
export const OPENS_FILE = { "data-opens-file": "" } as const;

function focusOpened(file: HTMLElement | undefined): void {
  const { activeElement } = document;
  if (
    activeElement !== null &&
    activeElement !== document.body &&
    !activeElement.matches("main, [data-main]")
  )
    return;
  file?.querySelector<HTMLElement>("[data-opens-file]")?.focus({ preventScroll: true });
}

/**
 * Takes the reader of changes back to the file at which they were, or a link's to the change that it names, and keeps where
 * they are. Changes are loaded as they come near, so what stands above a file is as high as it will be only later: its place
 * is told from the file itself.
 * @param list which changes they are: session, turn, part of the time
 * @param paths of the files in their order
 * @param linked the change that the address names
 * @returns `onScroll` is to be called as the box scrolls; `isHeld`: it is held where the reader was, until they move on
 */
export function useChangesPlace(
  list: string,
  box: RefObject<HTMLElement | null>,
  paths: readonly string[],
  linked: LinkedChange | null,
): { onScroll: () => void; isHeld: () => boolean } {
  useStoredPlaces();
  const held = useRef(false);
  // Asked when the list comes: files that change later move nobody.
  const placeOf = useEffectEvent((path: string) => paths.indexOf(path));
  const linkedNow = useEffectEvent(() => linked);
  useLayoutEffect(() => {
    const { cursorKey, offsetPx } = listPlace("changes", list);
    const scroller = box.current;
    const from = opened?.list === list ? placeOf(opened.path) : -1;
    opened = null;
    const focus = () => focusOpened(scroller ? fileIn(scroller, from) : undefined);
    const named = cursorKey === null ? linkedNow() : null;
    const path = cursorKey ?? named?.path ?? null;
    const file = path === null ? -1 : placeOf(path);
    const element = scroller && fileIn(scroller, file);
    if (!scroller || !element) return focus();
    // Not below it: what is not near is not loaded.
    const stand = () => {
      const change = named && changeIn(element, named.key);
      if (change) return scroller.scrollTo(0, change.offsetTop - headPx(element));
      const downPx = Math.min(offsetPx, Math.max(0, element.offsetHeight - 1));
      scroller.scrollTo(0, element.offsetTop + downPx);
    };
    // It, and what stands above it, are higher when their changes are there.
    const stop = holdPlace(filesIn(scroller), stand);
    focus();
    held.current = true;
    const leave = onMovedByHand(() => {
      held.current = false;
    });
    return () => {
      held.current = false;
      leave();
      stop();
    };
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
  const isHeld = useCallback(() => held.current, []);
  return { onScroll: () => note(), isHeld };
}

/** A change that a link names, by the row's key of its call, and the first file that this changed. */
export type LinkedChange = { path: string; key: string };

/** The change that the address names; `null` where none of these files has it. */
export function linkedChange(files: readonly FileChanges[], at: string | null): LinkedChange | null {
  const place = parsePermalink(at);
  if (!place) return null;
  const key = formatRowKey(place.recordId, place.block ?? 0);
  const isIt = ({ recordId, block }: ChangeOfFile) => formatRowKey(recordId, block) === key;
  const file = files.find(({ changes }) => changes.some(isIt));
  return file ? { path: file.path, key } : null;
}

/** A call's change of a file, or the room that is kept free for it; `null` where the file is folded, or is shown as one diff. */
export function changeIn(file: HTMLElement, key: string): HTMLElement | null {
  return file.querySelector<HTMLElement>(`[data-change="${key}"], [data-change-room="${key}"]`);
}

/** How much of the box the file's head covers, which sticks to its upper edge. */
export function headPx(file: HTMLElement): number {
  return file.querySelector("h3")?.offsetHeight ?? 0;
}

/** The element of a file, by its number among those that are shown. */
export function fileIn(scroller: HTMLElement, index: number): HTMLElement | undefined {
  return filesIn(scroller).find(({ dataset }) => Number(dataset.file) === index);
}

/** The elements of the files, in their order. */
export function filesIn(scroller: HTMLElement): HTMLElement[] {
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
