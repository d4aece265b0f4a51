import type { Virtualizer } from "@tanstack/react-virtual";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { LibraryItem } from "@/lib/client/group-sessions";
import { useKeys } from "@/lib/client/use-keys";
import { rememberPlace } from "./list-place";

/**
 * The row the keys are at. `key` is drawn as selected and is the list's one tab stop (the first session
 * while none was chosen); `focusKey` is set once the keys have moved there.
 */
export function useListCursor(
  items: readonly LibraryItem[],
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  initialKey: string | null,
) {
  const router = useRouter();
  const [chosen, setChosen] = useState({ key: initialKey, byKeys: false });
  const at = items.findIndex((item) => item.kind === "session" && item.key === chosen.key);

  const goTo = (index: number) => {
    const item = items[index];
    if (item?.kind !== "session") return;
    setChosen({ key: item.key, byKeys: true });
    virtualizer.scrollToIndex(index, { align: "auto" });
    rememberPlace(window.location.search, virtualizer.scrollOffset ?? 0, item.key);
  };
  const step = (by: 1 | -1) => {
    let index = at < 0 ? (by > 0 ? -1 : items.length) : at;
    do index += by;
    while (items[index]?.kind === "group");
    goTo(index);
  };
  const open = () => {
    const item = items[at];
    if (item?.kind === "session") router.push(`/sessions/${encodeURIComponent(item.session.id)}`);
  };
  useKeys("library-list", [
    { keys: ["j", "ArrowDown"], label: "session down", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "session up", group: "Move", run: () => step(-1) },
    { keys: ["g", "Home"], label: "first session", group: "Move", run: () => goTo(firstSession(items)) },
    { keys: ["G", "End"], label: "last session loaded", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open session", group: "Open", run: open },
  ]);
  const firstKey = items[firstSession(items)]?.key ?? null;
  return {
    key: at < 0 ? null : chosen.key,
    tabStopKey: at < 0 ? firstKey : chosen.key,
    focusKey: chosen.byKeys ? chosen.key : null,
    set: (item: LibraryItem) => {
      if (item.kind !== "session") return;
      setChosen({ key: item.key, byKeys: false });
      rememberPlace(window.location.search, virtualizer.scrollOffset ?? 0, item.key);
    },
  };
}

function firstSession(items: readonly LibraryItem[]): number {
  return items.findIndex((item) => item.kind === "session");
}
