import { useRouter } from "next/navigation";
import type { LibraryItem } from "@/lib/client/group-sessions";
import { useKeys } from "@/lib/client/use-keys";
import { firstSession, type ListCursor } from "./use-list-cursor";

/** The keys of the list. `reveal` scrolls an item into view. */
export function useListKeys(
  items: readonly LibraryItem[],
  cursor: ListCursor,
  reveal: (index: number) => void,
): void {
  const router = useRouter();
  const goTo = (index: number) => {
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
    const item = items[cursor.index];
    if (item?.kind === "session") router.push(`/sessions/${encodeURIComponent(item.session.id)}`);
  };
  useKeys("library-list", [
    { keys: ["j", "ArrowDown"], label: "session down", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "session up", group: "Move", run: () => step(-1) },
    { keys: ["g", "Home"], label: "first session", group: "Move", run: () => goTo(firstSession(items)) },
    { keys: ["G", "End"], label: "last session loaded", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open session", group: "Open", run: open },
  ]);
}
