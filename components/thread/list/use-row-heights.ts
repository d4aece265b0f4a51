import { measuresOf } from "@/lib/client/measures";
import { usePreferences } from "@/lib/client/preferences";
import { useNarrow } from "@/lib/client/use-media";

/** What rows and turn headers are high before they have been measured, as globals.css has it. */
export function useRowHeights(): { rowPx: number; turnPx: number } {
  const narrow = useNarrow();
  const { unit, roomyPx } = measuresOf(usePreferences());
  return {
    rowPx: Math.round((narrow ? 32 : 24) * unit) + roomyPx,
    turnPx: Math.round((narrow ? 40 : 32) * unit) + roomyPx,
  };
}
