import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { hasModifier } from "@/lib/client/key-events";

/** What a chart does with its bars. */
type BarActions<Bar> = {
  /** A bar was clicked, or Enter or the space bar pressed on it. */
  onChoose: (bar: Bar) => void;
  /** The bars that Page Up and Page Down go to; these keys are the page's where a chart marks none. */
  isMarked?: (bar: Bar) => boolean;
  /** Escape was pressed on a bar; the key is the page's where a chart does nothing with it. */
  onEscape?: (() => void) | undefined;
  /** The index of the bar that Tab comes to first. */
  start?: number;
};

/**
 * The bars of a chart as one tab stop: arrow keys, Home and End go from bar to bar, and one is pointed at, by mouse or
 * focus. For a finger bars are narrow: its first tap points at one, sliding over them at others, and a tap on the one
 * that is pointed at chooses it. `group` is the element with the bars, and `barProps` what each of them is given; nothing
 * else in there has `data-bar`.
 */
export function useChartBars<Bar>(
  bars: readonly Bar[],
  { onChoose, isMarked = () => false, onEscape, start = 0 }: BarActions<Bar>,
) {
  const group = useRef<SVGSVGElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const [stop, setStop] = useState<number | null>(null);

  const goTo = (index: number) => {
    setStop(index);
    // Not by the focus alone: the same element may have it already, as another bar.
    setAt(index);
    group.current?.querySelectorAll<SVGGElement>("[data-bar]")[index]?.focus();
  };

  const stopAt = Math.min(stop ?? start, bars.length - 1);

  /** What a key does while no bar has the focus: it leads to the one that Tab comes to, or to the next with a mark. */
  const enter = (key: "Arrow" | "PageDown" | "PageUp") => {
    const next =
      key === "Arrow" ? stopAt : barAfter(key, key === "PageDown" ? stopAt - 1 : stopAt + 1, bars, isMarked);
    if (next !== undefined && bars[next]) goTo(next);
  };

  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (hasModifier(event)) return;
    if (event.key === "Escape" && onEscape) {
      event.stopPropagation();
      onEscape();
    } else if (event.key === "Enter" || event.key === " ") onChoose(bars[index] as Bar);
    else {
      const next = barAfter(event.key, index, bars, isMarked);
      if (next === undefined || !bars[next]) return;
      goTo(next);
    }
    event.preventDefault();
  };

  const finger = useFinger(group, at, goTo);

  return {
    group,
    enter,
    /** The index of the bar that is pointed at, `null` for none. */
    at,
    pointAtNone: () => setAt(null),
    /** Draws other bars, and focuses the one with this index among them. Not to be called while something is drawn. */
    replace: (draw: () => void, index: number) => {
      flushSync(draw);
      goTo(index);
    },
    barProps: (index: number) => ({
      role: "button",
      tabIndex: index === stopAt ? 0 : -1,
      onMouseEnter: () => setAt(index),
      onFocus: () => setAt(index),
      onBlur: () => setAt(null),
      onPointerDown: (event: PointerEvent) => finger.comesDown(event, index),
      onPointerMove: finger.moves,
      onClick: () => {
        if (finger.chooses(index)) onChoose(bars[index] as Bar);
      },
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
    }),
  };
}

/** The index of the bar to which a key leads from another one, perhaps of none; `undefined` for a key that leads nowhere. */
function barAfter<Bar>(
  key: string,
  from: number,
  bars: readonly Bar[],
  isMarked: (bar: Bar) => boolean,
): number | undefined {
  switch (key) {
    case "ArrowRight":
      return from + 1;
    case "ArrowLeft":
      return from - 1;
    case "Home":
      return 0;
    case "End":
      return bars.length - 1;
    case "PageDown":
      return bars.findIndex((bar, index) => index > from && isMarked(bar));
    case "PageUp":
      return bars.findLastIndex((bar, index) => index < from && isMarked(bar));
    default:
      return undefined;
  }
}

/** A finger on the bars of `group`, of which the one with the index `at` is pointed at: where it slides, `goTo` is called. */
function useFinger(group: RefObject<SVGSVGElement | null>, at: number | null, goTo: (index: number) => void) {
  /** What it did since it came down: whether the bar below it was pointed at before, and whether it slid to others. */
  const touch = useRef<{ wasAt: boolean; slid: boolean } | null>(null);
  return {
    comesDown: ({ pointerType }: PointerEvent, index: number) => {
      touch.current = pointerType === "touch" ? { wasAt: at === index, slid: false } : null;
    },
    moves: ({ clientX, clientY }: PointerEvent) => {
      if (!touch.current) return;
      // A finger keeps the element on which it came down.
      const below = document.elementFromPoint(clientX, clientY)?.closest("[data-bar]") ?? null;
      const index = [...(group.current?.querySelectorAll("[data-bar]") ?? [])].findIndex(
        (one) => one === below,
      );
      if (index === -1 || index === at) return;
      touch.current.slid = true;
      goTo(index);
    },
    /** Whether a click on a bar chooses it: any of a mouse does; where a finger came down first at this bar, it is gone to. */
    chooses: (index: number): boolean => {
      const { current: done } = touch;
      touch.current = null;
      if (done === null || (done.wasAt && !done.slid)) return true;
      if (!done.slid) goTo(index);
      return false;
    },
  };
}
