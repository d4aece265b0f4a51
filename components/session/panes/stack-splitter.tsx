import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { LEAST_SHARE } from "./pane-sizes";

const STEP = 0.05;

/** The edge between two panes of a column: drag it, or move it with the arrow keys; twice pressed halves. */
export function StackSplitter({
  label,
  part,
  onPart,
}: {
  label: string;
  /** How much of the height of both the upper one has. */
  part: number;
  onPart: (part: number) => void;
}) {
  const begun = useRef<{ y: number; part: number; bothPx: number } | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -STEP, ArrowDown: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onPart(part + by);
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
    begun.current = null;
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={Math.round(part * 100)}
      aria-valuemin={LEAST_SHARE * 100}
      aria-valuemax={100 - LEAST_SHARE * 100}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onPart(0.5)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      className="relative z-3 -mt-px h-px flex-none cursor-row-resize touch-none bg-line-2 before:absolute before:inset-x-0 before:-inset-y-1 hover:bg-accent focus-visible:bg-accent max-md:hidden"
    />
  );
}
