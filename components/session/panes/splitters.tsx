import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { hasModifier } from "@/lib/client/key-events";
import { MAX_PANE_PX, MIN_PANE_PX, MIN_SHARE } from "./pane-sizes";

const STEP_PX = 24;

/** The edge of a column: drag it, or move it with the arrow keys. */
export function Splitter({
  label,
  widthPx,
  mostPx = MAX_PANE_PX,
  leftOfEdge = false,
  onResize,
  onEnd,
}: {
  label: string;
  widthPx: number;
  mostPx?: number;
  /** The column whose width it is stands left of the edge. */
  leftOfEdge?: boolean;
  onResize: (px: number) => void;
  /** The edge has come to rest. */
  onEnd: () => void;
}) {
  const begun = useRef<{ x: number; widthPx: number } | null>(null);
  const resize = (px: number) => onResize(Math.round(Math.min(mostPx, Math.max(MIN_PANE_PX, px))));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (by === undefined || hasModifier(event)) return;
    event.preventDefault();
    resize(widthPx + (leftOfEdge ? -by : by));
    onEnd();
  };
  const end = () => {
    if (begun.current) onEnd();
    begun.current = null;
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (begun.current) {
      const by = begun.current.x - clientX;
      resize(begun.current.widthPx + (leftOfEdge ? -by : by));
    }
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-valuemin={MIN_PANE_PX}
      aria-valuemax={mostPx}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, widthPx };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      className="relative z-3 -mr-px w-px flex-none cursor-col-resize touch-none bg-line-2 before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}

const STEP = 0.05;

/** The edge between two panes of a column: drag it, or move it with the arrow keys; twice pressed halves. */
export function StackSplitter({
  label,
  part,
  onPart,
  onEnd,
}: {
  label: string;
  /** How much of the height of both the upper one has. */
  part: number;
  onPart: (part: number) => void;
  /** The edge has come to rest. */
  onEnd: () => void;
}) {
  const begun = useRef<{ y: number; part: number; bothPx: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    if (by === undefined || hasModifier(event)) return;
    event.preventDefault();
    onPart(part + by);
    onEnd();
  };
  const onPointerDown = ({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>) => {
    currentTarget.setPointerCapture(pointerId);
    const heightOf = (element: Element | null) => element?.getBoundingClientRect().height ?? 0;
    const bothPx =
      heightOf(currentTarget.previousElementSibling) + heightOf(currentTarget.nextElementSibling);
    begun.current = { y: clientY, part, bothPx };
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    const start = begun.current;
    if (start && start.bothPx > 0) onPart(start.part + (clientY - start.y) / start.bothPx);
  };
  const end = () => {
    if (begun.current) onEnd();
    begun.current = null;
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={MIN_SHARE * 100}
      aria-valuemax={100 - MIN_SHARE * 100}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => {
        onPart(0.5);
        onEnd();
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      className="relative z-3 -mt-px h-px flex-none cursor-row-resize touch-none bg-line-2 before:absolute before:inset-x-0 before:-inset-y-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}
