import { type QueryClient, useQuery } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useMemo, useRef } from "react";
import { type CanvasColours, lightColours } from "@/components/canvas/canvas-colours";
import { useThreadActions } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import type { SessionId } from "@/lib/wire/ids";
import type { OutlineResponse } from "@/lib/wire/session";
import { type Camera, rowScale, type Size } from "./camera";
import { drawGraph } from "./draw-graph";
import { type GraphLayout, ROW_PX } from "./graph-layout";
import type { OpenGraph } from "./use-graph";

/** The width of a sheet of paper at the size at which the graph's labels are readable. */
const STRIP_PX = 1_040;
/** The end of a strip is repeated at the beginning of the next, so that every item is complete in one of them. */
const SEAM_PX = 60;
const MAX_STRIPS = 12;
const MAX_SCALE = 0.8;
/** The room above the lines for the numbers of turns. */
const HEAD_PX = 26;
const MARGIN_PX = 40;
/** Device pixels for each pixel, so that it is sharp on paper; fewer for a strip that is very high. */
const DOTS = 2;
const MAX_DOTS_HIGH = 8_000;
/** The maximum number of prompts that are written above their turns. */
const MAX_PROMPTS = 160;

/** A part of the graph's length on paper, and the items in it. */
export type Strip = { camera: Camera; size: Size };

/** The graph cut into strips below one another: at a readable size, but no more than a maximum number. */
export function graphStrips({
  widthPx,
  top,
  bottom,
}: Pick<GraphLayout, "widthPx" | "top" | "bottom">): Strip[] {
  const step = STRIP_PX - SEAM_PX;
  const all = step * MAX_STRIPS + SEAM_PX - 2 * MARGIN_PX;
  const scale = Math.min(MAX_SCALE, all / Math.max(1, widthPx));
  const rows = rowScale(scale);
  const count = Math.max(1, Math.ceil((Math.floor(widthPx * scale) + 2 * MARGIN_PX - SEAM_PX) / step));
  const size = { width: STRIP_PX, height: Math.ceil((bottom - top + 2) * ROW_PX * rows + HEAD_PX) };
  const y = (top - 1) * ROW_PX - HEAD_PX / rows;
  return Array.from({ length: count }, (_, strip) => ({
    camera: { x: (strip * step - MARGIN_PX) / scale, y, scale },
    size,
  }));
}

/** The whole graph for printing, with its opened items. `children`: its legend. */
export function GraphSheet({
  graph,
  selected,
  children,
}: {
  graph: OpenGraph;
  selected: number;
  children: ReactNode;
}) {
  const { sessionId } = useThreadActions();
  const strips = useMemo(() => graphStrips(graph.layout), [graph]);
  const colours = useMemo(() => lightColours(), []);
  const { data } = useQuery({
    queryKey: promptsKey(sessionId),
    queryFn: ({ signal }) => api.outline(sessionId, PROMPTS, { signal }),
    gcTime: 30_000,
  });
  const prompts = useMemo(() => new Map(data?.turns.map(({ turn, prompt }) => [turn, prompt])), [data]);
  const { items, lines, linesLeftOut } = graph.model;
  return (
    <>
      <p className="mb-1 text-12">
        <span className="font-semibold">Graph of the session</span>{" "}
        {[
          formatPlural(items.length, "node"),
          formatPlural(lines.length, "line"),
          linesLeftOut > 0 && `${formatPlural(linesLeftOut, "more line")} left out`,
          strips.length > 1 && `in ${strips.length} parts, from left to right`,
        ]
          .filter(Boolean)
          .join(", ")}
      </p>
      <div className="mb-2 text-11 text-fg-2">{children}</div>
      {strips.map((strip) => (
        <StripPicture
          key={strip.camera.x}
          strip={strip}
          graph={graph}
          selected={selected}
          colours={colours}
          prompts={prompts}
        />
      ))}
    </>
  );
}

function StripPicture({
  strip: { camera, size },
  graph: { layout, behind },
  selected,
  colours,
  prompts,
}: {
  strip: Strip;
  graph: OpenGraph;
  selected: number;
  colours: CanvasColours;
  prompts: ReadonlyMap<number, string>;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const ctx = canvas.current?.getContext("2d", { alpha: false });
    if (!canvas.current || !ctx) return;
    const dots = Math.min(DOTS, MAX_DOTS_HIGH / size.height);
    Object.assign(canvas.current, {
      width: Math.round(size.width * dots),
      height: Math.round(size.height * dots),
    });
    ctx.setTransform(dots, 0, 0, dots, 0, 0);
    drawGraph({ ctx, layout, behind, camera, size, colours, selected, hovered: null }, prompts);
  }, [camera, size, layout, behind, selected, colours, prompts]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label="Part of the graph"
      className="mb-3 block h-auto max-h-[240mm] w-auto max-w-full break-inside-avoid border border-line-2"
    />
  );
}

const PROMPTS = { from: 0, count: MAX_PROMPTS, detail: "prompts" } as const;

function promptsKey(sessionId: SessionId) {
  return ["graph-prompts", sessionId, "printed"] as const;
}

/** Loads the prompts while the browser waits to print; without them turns have only their numbers. */
export function loadPromptsNow(client: QueryClient, sessionId: SessionId): void {
  const outline: OutlineResponse | null = api.outlineNow(sessionId, PROMPTS);
  if (outline) client.setQueryData(promptsKey(sessionId), outline);
}
