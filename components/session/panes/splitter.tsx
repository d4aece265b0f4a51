import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { LEAST_PANE_PX, MOST_PANE_PX } from "./pane-sizes";

const STEP_PX = 24;

/** The edge left of a column of panes: drag it, or move it with the arrow keys. */
export function Splitter({
  label,
  widthPx,
  onResize,
}: {
  label: string;
  widthPx: number;
  onResize: (px: number) => void;
}) {
  const begun = useRef<{ x: number; widthPx: number } | null>(null);
  const resize = (px: number) => onResize(Math.round(Math.min(MOST_PANE_PX, Math.max(LEAST_PANE_PX, px))));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: STEP_PX, ArrowRight: -STEP_PX }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    resize(widthPx + by);
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (begun.current) resize(begun.current.widthPx + begun.current.x - clientX);
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-valuemin={LEAST_PANE_PX}
      aria-valuemax={MOST_PANE_PX}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, widthPx };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        begun.current = null;
      }}
      onPointerCancel={() => {
        begun.current = null;
      }}
      className="relative z-3 -mr-px w-px flex-none cursor-col-resize touch-none bg-line-2 before:absolute before:inset-y-0 before:-inset-x-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}
