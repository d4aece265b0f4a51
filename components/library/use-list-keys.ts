import { useEffect, useRef } from "react";
import { useKeys } from "@/lib/client/use-keys";
import { useOpenPage } from "@/lib/client/use-open-page";
import type { LibraryItem } from "./group-sessions";
import { firstSession, type ListCursor } from "./use-list-cursor";

/** The keys of the list. `reveal` scrolls an item into view; `settled`: the list is what the filters ask for. */
export function useListKeys(
  items: readonly LibraryItem[],
  cursor: ListCursor,
  reveal: (index: number) => void,
  settled: boolean,
): void {
  const openPage = useOpenPage();
  /** Enter was pressed while the list was still on its way. */
  const isAwaited = useRef(false);
  const goTo = (index: number) => {
    isAwaited.current = false;
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
    // A filter may have taken the chosen one from the list, and Tab would come to the first.
    const item = items[cursor.index] ?? (settled ? items[firstSession(items)] : undefined);
    isAwaited.current = !item && !settled;
    if (item?.kind === "session") openPage(`/sessions/${encodeURIComponent(item.session.id)}`);
  };
  useEffect(() => {
    if (!isAwaited.current || !settled) return;
    // Whoever types on has thought better of it.
    if (document.activeElement instanceof HTMLInputElement) isAwaited.current = false;
    else open();
  });
  useKeys("library-list", [
    { keys: ["j", "ArrowDown"], label: "session down", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "session up", group: "Move", run: () => step(-1) },
    { keys: ["g", "Home"], label: "first session", group: "Move", run: () => goTo(firstSession(items)) },
    { keys: ["G", "End"], label: "last session loaded", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open session", group: "Open", run: open },
  ]);
}
