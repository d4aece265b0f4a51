import { clsx } from "clsx";
import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { OpenThread } from "@/components/thread/open-thread";
import { usePosition, useThreadStore } from "@/components/thread/use-thread";
import { followPointer } from "@/components/ui/by-hand";
import { LANE_TEXT, laneIndex } from "@/components/ui/marks";
import { minimapMarks } from "./minimap-marks";
import { useMinimapRows } from "./use-minimap-rows";

const MAX_PX_PER_ROW = 3;
const MIN_FRAME_PX = 12;

/** Beside two panes a thread may be so narrow that its rows need the room. */
const BOX =
  "relative w-14 overflow-hidden border-l border-line-2 bg-panel @max-[420px]/pane:hidden max-sm:hidden print:hidden";

/** The whole thread in a strip, with a frame around the visible part; press or drag to scroll. */
export function Minimap({
  thread,
  covered,
}: {
  thread: OpenThread;
  /** Something covers the thread, so the minimap is not refetched. */
  covered: boolean;
}) {
  const store = useThreadStore();
  const box = useRef<HTMLDivElement>(null);
  const heightPx = useHeight(box);
  const total = usePosition((at) => at.total);
  const { data, own } = useMinimapRows(thread, covered);
  // A short thread doesn't fill the strip.
  const drawnPx = Math.min(heightPx, total * MAX_PX_PER_ROW);
  const marks = useMemo(() => (data && drawnPx > 0 ? minimapMarks(data, drawnPx) : null), [data, drawnPx]);
  const ownMarks = useMemo(() => (own && drawnPx > 0 ? minimapMarks(own, drawnPx).own : ""), [own, drawnPx]);
  const goTo = ({ currentTarget, clientY }: PointerEvent<HTMLDivElement>) => {
    store.list.current?.scrollToShare((clientY - currentTarget.getBoundingClientRect().top) / drawnPx);
  };
  return (
    <div
      ref={box}
      aria-hidden="true"
      {...followPointer(goTo)}
      className={clsx(BOX, "touch-none select-none")}
    >
      <svg data-rows={data?.total} width="56" height={heightPx} className="absolute inset-0 block fill-none">
        {marks && (
          <>
            <path d={marks.density} className="fill-fg-3 opacity-50" />
            <path d={marks.compactions} className="stroke-fg-2" />
            <path d={marks.prompts} className="fill-fg" />
            {[...marks.agents].map(([lane, path]) => (
              <path key={lane} d={path} className={`fill-current ${LANE_TEXT[laneIndex(lane)]}`} />
            ))}
            <path data-marks="finds" d={marks.finds} className="fill-accent" />
            <path d={marks.edits} className="fill-edit" />
            <path data-marks="denied" d={marks.denied} className="stroke-warn [stroke-width:1.4]" />
            <path d={marks.errors} className="stroke-err [stroke-width:1.6]" />
            <path data-marks="own" d={ownMarks} className="fill-accent" />
          </>
        )}
      </svg>
      <InView drawnPx={drawnPx} />
    </div>
  );
}

/** An empty strip that keeps the minimap's room until the thread is loaded. */
export function MinimapPlaceholder() {
  return <div className={BOX} />;
}

/** A frame around the visible part. It moves on every scrolled row, so its style is set without React. */
function InView({ drawnPx }: { drawnPx: number }) {
  const store = useThreadStore();
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const update = () => {
      const { first, last, total } = store.get().position;
      if (!frame.current) return;
      const px = total > 0 ? Math.max(MIN_FRAME_PX, ((last - first + 1) / total) * drawnPx) : 0;
      const top = total > 0 ? Math.max(0, Math.min((first / total) * drawnPx, drawnPx - px)) : 0;
      frame.current.style.height = `${px}px`;
      frame.current.style.transform = `translateY(${top}px)`;
      frame.current.style.visibility = px > 0 ? "visible" : "hidden";
    };
    update();
    return store.subscribe(update);
  }, [store, drawnPx]);
  return (
    <span
      ref={frame}
      className="invisible absolute inset-x-0 top-0 rounded-[2px] border-[1.5px] border-accent bg-accent/10 will-change-transform"
    />
  );
}

function useHeight(box: RefObject<HTMLElement | null>): number {
  const [heightPx, setHeightPx] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeightPx(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return heightPx;
}
