import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type PointerEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useCommentPlaces } from "@/components/session/comments/session-comments";
import type { OpenThread } from "@/components/thread/open-thread";
import { useLiveRefetch, usePosition, useThreadState, useThreadStore } from "@/components/thread/use-thread";
import { followPointer } from "@/components/ui/by-hand";
import { LANE_TEXT, laneIndex } from "@/components/ui/marks";
import { api } from "@/lib/client/api";
import type { MinimapResponse } from "@/lib/wire/graph";

const MAX_PX_PER_ROW = 3;
/** Of a search that is not complete, so that the server does not know of its hits. */
const MAX_FINDS = 300;
const MIN_FRAME_PX = 12;

/** Beside two panes a thread may be so narrow that its rows need the room. */
const BOX =
  "relative w-14 overflow-hidden border-l border-line-2 bg-panel @max-[420px]/pane:hidden max-sm:hidden print:hidden";

/** The whole thread in a strip, with a frame around the visible part; press or drag to scroll. */
export function Minimap({
  thread: { choice, windows },
  covered,
}: {
  thread: OpenThread;
  /** Something covers the thread, so the minimap is not refetched. */
  covered: boolean;
}) {
  const store = useThreadStore();
  const { sessionId } = store;
  const hits = useThreadState(store, (state) => state.hits);
  const hitsOf = useThreadState(store, (state) => state.hitsOf);
  const box = useRef<HTMLDivElement>(null);
  const heightPx = useHeight(box);
  const total = usePosition((at) => at.total);
  const found = useMemo(() => (hitsOf === null ? sampleOf(hits, MAX_FINDS) : []), [hits, hitsOf]);
  const { data, refetch } = useQuery({
    queryKey: ["thread-marks", sessionId, choice.key, found, hitsOf, hits.length],
    queryFn: ({ signal }) => {
      const { branch, agent, detail, fold, runs } = choice;
      return api.minimap(
        sessionId,
        { branch, agent, detail, fold, runs, find: found, q: hitsOf },
        { signal },
      );
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  useLiveRefetch(windows, refetch, !covered);
  const { records } = useCommentPlaces();
  const annotated = useQuery({
    queryKey: ["thread-marks", sessionId, choice.key, "annotated", records, data?.total],
    queryFn: ({ signal }) => {
      const { branch, agent, detail, fold, runs } = choice;
      const find = sampleOf(records, MAX_FINDS);
      return api.minimap(sessionId, { branch, agent, detail, fold, runs, find, q: null }, { signal });
    },
    enabled: records.length > 0 && data !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  const own = records.length > 0 ? annotated.data : undefined;
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

/** At most so many, from the first to the last of them. */
export function sampleOf<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item);
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

/** SVG paths for a minimap of a given height, one per kind of mark; `agents` has one per lane. */
export type MinimapMarks = {
  density: string;
  prompts: string;
  agents: ReadonlyMap<number, string>;
  edits: string;
  errors: string;
  /** Refused calls, which are no errors. */
  denied: string;
  compactions: string;
  finds: string;
  /** The same places as the reader's own comments and bookmarks are drawn. */
  own: string;
};

const LEFT_PX = 14;
const MAX_BAR_PX = 26;
const PROMPT_PX = 34;
const BAR_PITCH_PX = 3;
const AGENT_COLUMNS = 3;

/**
 * Draws a thread to scale: text and calls as bars, prompts as full strokes, agents on the left, edits and errors on the
 * right, compactions as double rules.
 */
export function minimapMarks(rows: MinimapResponse, heightPx: number): MinimapMarks {
  const px = heightPx / rows.buckets;
  const yOf = (bucket: number) => Math.round(bucket * px * 2) / 2;
  // Marks that would overlap the previous one are left out.
  const marked = (buckets: readonly number[], gapPx: number, draw: (y: number) => string) => {
    let last = Number.NEGATIVE_INFINITY;
    let path = "";
    for (const bucket of buckets) {
      const y = yOf(bucket);
      if (y - last < gapPx) continue;
      last = y;
      path += draw(y);
    }
    return path;
  };
  const denied = new Set(rows.denied);
  return {
    density: densityPath(rows, heightPx),
    prompts: marked(rows.prompts, 4, (y) => `M${LEFT_PX} ${y}h${PROMPT_PX}v2h-${PROMPT_PX}z`),
    agents: agentPaths(rows.agents, yOf),
    edits: marked(rows.edits, 7, (y) => `M47.5 ${y - 3}l3 3-3 3-3-3z`),
    errors: marked(
      rows.errors.filter((bucket) => !denied.has(bucket)),
      7,
      (y) => `M45 ${y - 2.5}l5 5M50 ${y - 2.5}l-5 5`,
    ),
    // A circle with a stroke through it, as in the thread.
    denied: marked(rows.denied, 7, (y) => `M44.5 ${y}a3 3 0 1 0 6 0a3 3 0 1 0-6 0M45.4 ${y - 2.1}l4.2 4.2`),
    finds: marked(rows.finds, 3, (y) => `M38 ${y - 1}h14v2.5h-14z`),
    own: marked(rows.finds, 5, (y) => `M0 ${y - 2.5}h7v5H0z`),
    compactions: marked(rows.compactions, 4, (y) => `M0 ${y - 3.5}h56M0 ${y - 0.5}h56`),
  };
}

function densityPath({ density, buckets, prompts }: MinimapResponse, heightPx: number): string {
  const taken = new Set(prompts.map((bucket) => Math.round(((bucket / buckets) * heightPx) / BAR_PITCH_PX)));
  let path = "";
  for (let bar = 0; bar * BAR_PITCH_PX < heightPx - 1; bar++) {
    const bucket = Math.floor(((bar * BAR_PITCH_PX) / heightPx) * buckets);
    const level = Number(density[bucket] ?? 0);
    if (level === 0 || taken.has(bar)) continue;
    // Bars vary a little in width, so that they look like rows rather than a block.
    const widthPx = Math.max(4, (MAX_BAR_PX * level) / 9 - ((bar * 7) % 9));
    path += `M${LEFT_PX} ${bar * BAR_PITCH_PX}h${Math.round(widthPx)}v1.5H${LEFT_PX}z`;
  }
  return path;
}

/** Agents that run at the same time are drawn side by side, as far as there is room. */
function agentPaths(agents: readonly number[], yOf: (bucket: number) => number): ReadonlyMap<number, string> {
  const paths = new Map<number, string>();
  const ends: number[] = [];
  for (let i = 0; i + 2 < agents.length; i += 3) {
    const y = yOf(agents[i] ?? 0);
    const end = Math.max(y + 4, yOf((agents[i + 1] ?? 0) + 1));
    const lane = agents[i + 2] ?? 1;
    let column = 0;
    while (column < AGENT_COLUMNS - 1 && (ends[column] ?? -1) > y) column++;
    ends[column] = end;
    paths.set(lane, `${paths.get(lane) ?? ""}M${9 - 3.5 * column} ${y}h2v${end - y}h-2z`);
  }
  return paths;
}
