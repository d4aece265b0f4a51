import { useState } from "react";
import type { LibraryItem } from "./group-sessions";
import { listPlace, rememberPlace } from "./list-place";

/** The row the keys are at. */
export type ListCursor = {
  /** Its place in the list; -1 while none is chosen or its session is filtered out. */
  index: number;
  /** Drawn as selected. */
  key: string | null;
  /** The list's one tab stop: the selected row, else the first session. */
  tabStopKey: string | null;
  /** Set once the keys have moved here: that row takes the focus. */
  focusKey: string | null;
  choose: (item: LibraryItem | undefined, byKeys: boolean) => void;
};

/** Keeps the selected row by its session, so that a renewed list moves the selection with it. */
export function useListCursor(items: readonly LibraryItem[]): ListCursor {
  const [chosen, setChosen] = useState(() => ({
    key: listPlace(window.location.search).cursorKey,
    byKeys: false,
  }));
  const index = items.findIndex((item) => item.kind === "session" && item.key === chosen.key);
  const key = index < 0 ? null : chosen.key;
  return {
    index,
    key,
    tabStopKey: key ?? items[firstSession(items)]?.key ?? null,
    focusKey: chosen.byKeys ? key : null,
    choose: (item, byKeys) => {
      if (item?.kind !== "session") return;
      setChosen({ key: item.key, byKeys });
      rememberPlace(window.location.search, { cursorKey: item.key });
    },
  };
}

/** Where the first session stands; -1 when there is none. */
export function firstSession(items: readonly LibraryItem[]): number {
  return items.findIndex((item) => item.kind === "session");
}
