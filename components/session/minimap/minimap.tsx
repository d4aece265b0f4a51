import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type PositionStore, usePosition } from "@/components/thread/thread-position";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { useLiveRefetch } from "@/components/thread/use-live-refetch";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { LANE_TEXT, laneIndex } from "@/components/ui/lane-shape";
import { api } from "@/lib/client/api";
import { cx } from "@/lib/client/class-names";
import type { ThreadChoice } from "@/lib/client/thread-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { minimapMarks } from "./minimap-marks";

const MOST_PX_A_ROW = 3;
const MOST_FINDS = 300;
const LEAST_FRAME_PX = 12;

const BOX = "relative w-14 overflow-hidden border-l border-line-2 bg-panel max-sm:hidden";

/** The whole thread at a glance, and where the reader is in it; press or drag to go elsewhere. */
export function Minimap({
  sessionId,
  choice,
  windows,
  hits,
  position,
  handle,
  covered,
}: {
  sessionId: SessionId;
  choice: ThreadChoice;
  windows: ThreadWindows<Row>;
  /** Records in which something was found. */
  hits: readonly RecordId[];
  position: PositionStore;
  handle: RefObject<ThreadHandle | null>;
  /** Something else stands in the thread's place: what nobody sees is not renewed. */
  covered: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const heightPx = useHeight(box);
  const total = usePosition(position, (at) => at.total);
  const found = useMemo(() => hits.slice(0, MOST_FINDS), [hits]);
  const { data, refetch } = useQuery({
    queryKey: ["thread-marks", sessionId, choice.key, found],
    queryFn: ({ signal }) => {
      const { branch, agent, detail, fold, runs } = choice;
      return api.minimap(sessionId, { branch, agent, detail, fold, runs, find: found }, { signal });
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  useLiveRefetch(windows, refetch, !covered);
  // A short thread is drawn as short as it is.
  const drawnPx = Math.min(heightPx, total * MOST_PX_A_ROW);
  const marks = useMemo(() => (data && drawnPx > 0 ? minimapMarks(data, drawnPx) : null), [data, drawnPx]);
  const goTo = ({ currentTarget, clientY, buttons }: PointerEvent<HTMLDivElement>) => {
    if (buttons !== 1) return;
    handle.current?.scrollToShare((clientY - currentTarget.getBoundingClientRect().top) / drawnPx);
  };
  return (
    <div
      ref={box}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(event);
      }}
      onPointerMove={goTo}
      className={cx(BOX, "touch-none select-none")}
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
            <path d={marks.finds} className="fill-accent" />
            <path d={marks.edits} className="fill-edit" />
            <path d={marks.errors} className="stroke-err [stroke-width:1.6]" />
          </>
        )}
      </svg>
      <InView position={position} drawnPx={drawnPx} />
    </div>
  );
}

/** Its place, while nobody knows what the whole thread is. */
export function MinimapPlace() {
  return <div className={BOX} />;
}

/** A frame around what is on screen. It moves with every scrolled row, so it is placed by hand. */
function InView({ position, drawnPx }: { position: PositionStore; drawnPx: number }) {
  const frame = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const { first, last, total } = position.get();
      if (!frame.current) return;
      const px = total > 0 ? Math.max(LEAST_FRAME_PX, ((last - first + 1) / total) * drawnPx) : 0;
      const top = total > 0 ? Math.max(0, Math.min((first / total) * drawnPx, drawnPx - px)) : 0;
      frame.current.style.height = `${px}px`;
      frame.current.style.transform = `translateY(${top}px)`;
      frame.current.style.visibility = px > 0 ? "visible" : "hidden";
    };
    place();
    return position.subscribe(place);
  }, [position, drawnPx]);
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
