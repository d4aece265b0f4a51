import { isUnderWay } from "@/lib/client/is-live";
import type { measuresOf } from "@/lib/client/measures";
import type { LibraryItem } from "./group-sessions";

/** How tall an item of the library's list is drawn, at the reader's text size and row height. */
export function itemHeightPx(
  item: LibraryItem | undefined,
  narrow: boolean,
  { unit, roomyPx }: ReturnType<typeof measuresOf>,
): number {
  if (!item || item.kind === "group") return Math.round(28 * unit);
  if (narrow) return Math.round(54 * unit) + roomyPx;
  const two = isUnderWay(item.session) || item.session.problem !== null;
  return Math.round((two ? 48 : 30) * unit) + roomyPx;
}
