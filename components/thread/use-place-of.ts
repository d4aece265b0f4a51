import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import type { LineRange, OpenedPlace, PlaceActions } from "@/components/content/line-selection";
import { useThreadActions } from "@/components/content/row-actions";
import { parsePlace } from "@/lib/client/thread-permalink";
import type { Row } from "@/lib/wire/rows";

/** Which lines of an opened row are pointed at, by a click, else by the page's address. `suffix`: their link. */
export function usePlaceOf({ recordId, block }: Row): {
  place: OpenedPlace;
  actions: PlaceActions;
  suffix: string;
} {
  const [at] = useQueryState("at", parseAsString);
  const { copyLink } = useThreadActions();
  const [picked, setPicked] = useState<LineRange | null>(null);
  const actions = useMemo(
    (): PlaceActions => ({
      pick: (line, extend) =>
        setPicked((old) => {
          if (!extend && old?.from === line && old.to === line) return null;
          if (!extend || !old) return { from: line, to: line };
          return { from: Math.min(old.from, line), to: Math.max(old.to, line) };
        }),
      copyHunkLink: (hunk) => copyLink({ recordId, block }, `:h${hunk}`),
    }),
    [copyLink, recordId, block],
  );
  return useMemo(() => {
    const linked = parsePlace(at);
    const isHere = linked?.recordId === recordId && (linked.block ?? 0) === block;
    const lines = picked ?? (isHere ? linked.lines : null);
    const range = lines && (lines.to > lines.from ? `${lines.from}-${lines.to}` : lines.from);
    return {
      place: { lines, hunk: isHere && !picked ? linked.hunk : null, linked: isHere && picked === null },
      actions,
      suffix: range === null ? "" : `:L${range}`,
    };
  }, [at, recordId, block, picked, actions]);
}
