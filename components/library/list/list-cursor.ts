import { type RefObject, useEffect, useRef, useState } from "react";
import { listPlace, rememberPlace } from "@/components/ui/list-place";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { useKeys } from "@/lib/client/key-registry";
import type { LibraryItem } from "./group-sessions";

/** The current row of the keys. */
export type ListCursor = {
  /** Its index in the list; -1 while none is chosen or its session is filtered out. */
  index: number;
  /** Drawn as selected. */
  key: string | null;
  /** The list's one tab stop: the selected row, else the first session. */
  tabStopKey: string | null;
  /** Set when the keys have moved here, or the reader has come back: that row takes the focus. */
  focusKey: string | null;
  choose: (item: LibraryItem | undefined, byKeys: boolean) => void;
};

/**
 * Keeps the selected row by its session, so that a renewed list moves the selection with it. `asked`: the list that the
 * filters ask for, which takes this one's place once it is there. What is selected a moment before is remembered for it.
 */
export function useListCursor(list: string, asked: string, items: readonly LibraryItem[]): ListCursor {
  const [chosen, setChosen] = useState(() => ({
    key: listPlace("library", list).cursorKey,
    // A reader who comes back to the list gets the focus where it was. The page that they leave may have it until then.
    byKeys: true,
  }));
  const index = items.findIndex((item) => item.kind === "session" && item.key === chosen.key);
  const key = index < 0 ? null : chosen.key;
  const choose = (item: LibraryItem | undefined, byKeys: boolean) => {
    if (item?.kind !== "session") return;
    setChosen({ key: item.key, byKeys });
    rememberPlace("library", asked, { cursorKey: item.key });
  };
  const lastIndex = useRef(index);
  useEffect(() => {
    if (index >= 0) lastIndex.current = index;
    // The focus was lost with the row, for example when it was hidden: the row in its place gets it, or else the last
    // one above.
    else if (chosen.byKeys && lastIndex.current >= 0 && document.activeElement === document.body) {
      const isSession = ({ kind }: LibraryItem) => kind === "session";
      const below = items.slice(lastIndex.current).find(isSession);
      choose(below ?? items.slice(0, lastIndex.current).findLast(isSession), true);
    }
  });
  return {
    index,
    key,
    tabStopKey: key ?? items[firstSession(items)]?.key ?? null,
    focusKey: chosen.byKeys ? key : null,
    choose,
  };
}

/** The index of the first session; -1 when there is none. */
function firstSession(items: readonly LibraryItem[]): number {
  return items.findIndex((item) => item.kind === "session");
}

/** The keys of the list. `reveal` scrolls an item into view; `settled`: the list matches the filters. */
export function useListKeys(
  items: readonly LibraryItem[],
  cursor: ListCursor,
  reveal: (index: number) => void,
  settled: boolean,
  awaitedRef: RefObject<boolean>,
): void {
  const openPage = useOpenPage();
  const goTo = (index: number) => {
    awaitedRef.current = false;
    if (items[index]?.kind !== "session") return;
    cursor.choose(items[index], true);
    reveal(index);
  };
  const step = (by: 1 | -1) => {
    let index = cursor.index;
    if (index < 0 && by < 0) index = items.length;
    do index += by;
    while (items[index]?.kind === "group");
    goTo(index);
  };
  const open = () => {
    // A filter may have removed the chosen session from the list, and Tab would lead to the first one.
    const item = items[cursor.index] ?? (settled ? items[firstSession(items)] : undefined);
    awaitedRef.current = !item && !settled;
    if (item?.kind !== "session") return;
    cursor.choose(item, true);
    openPage(`/sessions/${encodeURIComponent(item.session.id)}`);
  };
  useEffect(() => {
    if (!awaitedRef.current || !settled) return;
    // A reader who types on has changed their mind.
    if (document.activeElement instanceof HTMLInputElement) awaitedRef.current = false;
    else open();
  });
  useKeys([
    { keys: ["j", "ArrowDown"], label: "session down", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "session up", group: "Move", run: () => step(-1) },
    { keys: ["g", "Home"], label: "first session", group: "Move", run: () => goTo(firstSession(items)) },
    { keys: ["G", "End"], label: "last session loaded", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open session", group: "Open and read", run: open },
  ]);
}
