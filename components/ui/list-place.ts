import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { basePath } from "@/lib/client/address/base-path";
import { readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import { onMovedByHand } from "./by-hand";

/** The pages whose lists keep their place. */
export type ListView =
  | "library"
  | "search"
  | "usage"
  | "now"
  | "prompts"
  | "changes"
  | "compare"
  | "context"
  | "file";

/** Where the reader was in a list, the row that was chosen, and which groups were opened or closed. */
export type ListPlace = {
  offsetPx: number;
  cursorKey: string | null;
  groups: { folded: readonly string[]; expanded: readonly string[] };
};

type Kept = { list: string; place: ListPlace };

const TOP: ListPlace = { offsetPx: 0, cursorKey: null, groups: { folded: [], expanded: [] } };

/** How many lists of a page keep their place: as many as a reader may go back through. */
const MAX_KEPT = 12;

/** The lists of each page that were read last, and where, the latest first; `null` until this page has asked. */
let last: Partial<Record<ListView, readonly Kept[]>> | null = null;

const storedKey = () => `backscroll.lists${basePath()}`;

/**
 * The place kept for this list, else its top: whoever comes back to it is where they were, after a reload too.
 * @param list what tells it from others of its page: filters, query, order
 */
export function listPlace(view: ListView, list: string): ListPlace {
  last ??= isOpenedAnew() ? {} : parseLists(readStored(storedKey(), "tab"));
  return last[view]?.find((kept) => kept.list === list)?.place ?? TOP;
}

/** Keeps what has changed of the place in this list, until as many others of its page were read. */
export function rememberPlace(view: ListView, list: string, change: Partial<ListPlace>): void {
  const place = { ...listPlace(view, list), ...change };
  const others = last?.[view]?.filter((kept) => kept.list !== list) ?? [];
  last = { ...last, [view]: [{ list, place }, ...others.slice(0, MAX_KEPT - 1)] };
}

/**
 * Keeps which groups are folded or expanded with the list that is shown: also with one that came since, in which they
 * stay so.
 * @param groups another object only where they have changed
 */
export function useKeptGroups(view: ListView, list: string, groups: ListPlace["groups"]): void {
  useEffect(() => {
    // A list in which nothing was folded takes no place from one that was read before it.
    if (hasAny(groups) || hasAny(listPlace(view, list).groups)) rememberPlace(view, list, { groups });
  }, [view, list, groups]);
}

function hasAny({ folded, expanded }: ListPlace["groups"]): boolean {
  return folded.length + expanded.length > 0;
}

/** Keeps the places in the tab, for when the page is loaded again. */
function storePlaces(): void {
  if (last) writeStored(storedKey(), JSON.stringify(last), "tab");
}

/** A page to which a link or the address bar led begins at its top; one that is loaded again, or gone back to, does not. */
function isOpenedAnew(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry !== undefined && "type" in entry && entry.type === "navigate";
}

/** Nothing where nothing was kept, or another version of the page kept it in another shape. */
function parseLists(text: string | null): Partial<Record<ListView, readonly Kept[]>> {
  const views = Object.entries(fieldsOf(parseJson(text)));
  return Object.fromEntries(
    views.map(([view, lists]) => [view, Array.isArray(lists) ? lists.filter(isKept) : []]),
  );
}

function isKept(kept: Partial<Kept> | null): kept is Kept {
  const { offsetPx, groups } = kept?.place ?? {};
  const { folded, expanded } = groups ?? {};
  return typeof offsetPx === "number" && Array.isArray(folded) && Array.isArray(expanded);
}

/** Has the tab keep the places when the page goes, or the list. */
export function useStoredPlaces(): void {
  useEffect(() => {
    window.addEventListener("pagehide", storePlaces);
    return () => {
      window.removeEventListener("pagehide", storePlaces);
      storePlaces();
    };
  }, []);
}

/**
 * Has a reader stand where they were, again whenever one of these elements takes another height, as what comes late gives
 * it, until they move on by hand.
 * @returns ends it
 */
export function holdPlace(elements: Iterable<Element>, stand: () => void): () => void {
  stand();
  const observer = new ResizeObserver(stand);
  for (const element of elements) observer.observe(element);
  const stop = () => {
    observer.disconnect();
    leave();
  };
  const leave = onMovedByHand(stop);
  return stop;
}

/**
 * Takes the reader of a box back to where they were, when what is in it is there (`isThere`).
 * @param first selects what is brought into view for who has not been there before, where it has such a thing
 * @returns is to be called as it scrolls
 */
export function useBoxPlace(
  { view, list }: { view: ListView; list: string },
  box: RefObject<HTMLElement | null>,
  isThere: boolean,
  first?: string,
): () => void {
  useStoredPlaces();
  useLayoutEffect(() => {
    const there = isThere ? box.current : null;
    const place = listPlace(view, list);
    const { offsetPx } = place;
    const shown = place === TOP && first !== undefined ? there?.querySelector(first) : null;
    const stop =
      there &&
      (offsetPx > 0 || shown) &&
      holdPlace(there.children, () =>
        shown ? shown.scrollIntoView({ block: "nearest" }) : there.scrollTo(0, offsetPx),
      );
    return () => {
      if (stop) stop();
      // Of where one has just scrolled, and what one then opened, no event tells any more.
      if (there) rememberPlace(view, list, { offsetPx: there.scrollTop });
    };
  }, [view, list, box, isThere, first]);
  return () => rememberPlace(view, list, { offsetPx: box.current?.scrollTop ?? 0 });
}

/**
 * Takes the reader of a list back to where they were, as soon as enough of its rows are there: they may come page by
 * page, or as they are found, until they move on by hand. Keeps where they are from then on, and when the list goes.
 * @param totalPx how tall all rows are that have come; `complete`: no more will. `more` asks for those that do not come by
 *   themselves, where there are any
 * @returns `scrolled` is to be called with each new offset, `giveUp` when the reader goes elsewhere
 */
export function useListPlace(
  { view, list }: { view: ListView; list: string },
  scrollBox: RefObject<HTMLElement | null>,
  { totalPx, complete, more }: { totalPx: number; complete: boolean; more?: (() => void) | undefined },
): { scrolled: (offsetPx: number) => void; giveUp: () => void } {
  const awaitedPx = useRef<number | null>(listPlace(view, list).offsetPx);
  useEffect(() => {
    const box = scrollBox.current;
    if (!box || awaitedPx.current === null || totalPx === 0) return;
    box.scrollTo(0, awaitedPx.current);
    if (complete || box.scrollTop >= awaitedPx.current - 1) awaitedPx.current = null;
    else more?.();
  }, [scrollBox, totalPx, complete, more]);
  // Hits come for seconds: who goes elsewhere meanwhile stays there.
  useEffect(() => onMovedByHand(() => (awaitedPx.current = null)), []);
  // A box around this component has no reference any more when the list goes.
  const shownBox = useRef<HTMLElement | null>(null);
  useEffect(() => {
    shownBox.current = scrollBox.current;
  });
  useLayoutEffect(
    () => () => {
      // Who has just scrolled and opens a row is elsewhere before the next frame, in which the event would come.
      const offsetPx = shownBox.current?.scrollTop ?? 0;
      if (awaitedPx.current !== null || !shownBox.current) return;
      if (offsetPx !== listPlace(view, list).offsetPx) rememberPlace(view, list, { offsetPx });
    },
    [view, list],
  );
  useStoredPlaces();
  return {
    scrolled: (offsetPx) => {
      if (awaitedPx.current === null) rememberPlace(view, list, { offsetPx });
    },
    giveUp: () => {
      awaitedPx.current = null;
    },
  };
}
