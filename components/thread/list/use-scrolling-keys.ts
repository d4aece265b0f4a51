import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useThreadStore } from "@/components/thread/use-thread";
import type { VirtualRowList } from "./use-row-list";

/** What a page's key leaves on screen of what was there, as browsers do. */
const KEPT_SHARE = 1 / 8;

/** What the keys belong to that they are pressed in: fields, and Space also to what it presses. */
const FIELDS = "input, textarea, select, [contenteditable]";
const PRESSED = "a, button, summary, label";

/** Where the keys lead by which browsers scroll. */
type Goal = "start" | "end" | -1 | 1;

/**
 * Takes the keys by which browsers scroll. They glide, and a list's rows that are measured on the way end that far from
 * where it leads: Home from the end of a hundred rows stopped halfway (Chromium 150), so here it is one step. A box in the
 * list that scrolls by itself has its keys to itself.
 */
export function useScrollingKeys(scroller: RefObject<HTMLElement | null>, list: VirtualRowList): void {
  const store = useThreadStore();
  const underWay = useRef<(() => void) | null>(null);
  const stop = () => {
    underWay.current?.();
    underWay.current = null;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const box = scroller.current;
    const goal = goalOf(event);
    if (!box || goal === null || belongsElsewhere(event, box)) return;
    event.preventDefault();
    stop();
    store.leave();
    if (goal === "end") list.scrollToEnd();
    else if (goal === "start") list.scrollToOffset(0);
    else underWay.current = scrollByPage(list, goal);
  });
  const onOther = useEffectEvent(stop);
  useEffect(() => {
    const box = scroller.current;
    const listening = new AbortController();
    const { signal } = listening;
    box?.addEventListener("keydown", (event) => onKey(event), { signal });
    // As on any page also where nothing has the focus, as after a load: then they are the page's own thread's.
    if (box?.matches("main"))
      document.body.addEventListener(
        "keydown",
        (event) => event.target === document.body && box.closest("[inert]") === null && onKey(event),
        { signal },
      );
    // Whoever scrolls otherwise is where that leads.
    for (const name of ["wheel", "touchmove", "pointerdown"])
      box?.addEventListener(name, () => onOther(), { signal, passive: true });
    return () => {
      listening.abort();
      onOther();
    };
  }, [scroller]);
}

/** So many frames after a page back the rows that came with it are measured. */
const FRAMES = 12;

/**
 * A page on or back, by the row that was the first one: back, rows that come to be measured above it would move what is read
 * from where so many pixels lead, so it is aimed at again. Returns what ends that.
 */
function scrollByPage(list: VirtualRowList, by: -1 | 1): () => void {
  const { scrollPaddingStart } = list.options;
  const roomPx = (list.scrollRect?.height ?? 0) - scrollPaddingStart;
  const offset = list.scrollOffset ?? 0;
  const movePx = by * Math.round(roomPx * (1 - KEPT_SHARE));
  const first = list.getVirtualItemForOffset(offset + scrollPaddingStart + 1);
  list.scrollToOffset(offset + movePx);
  if (by === 1 || !first) return () => undefined;
  const belowPx = first.start - offset - movePx;
  let frames = 0;
  let frame = requestAnimationFrame(function aim() {
    const start = list.measurementsCache[first.index]?.start ?? first.start;
    const goal = Math.max(0, start - belowPx);
    if (Math.abs((list.scrollOffset ?? 0) - goal) >= 1) list.scrollToOffset(goal);
    frames += 1;
    if (frames < FRAMES) frame = requestAnimationFrame(aim);
  });
  return () => cancelAnimationFrame(frame);
}

function goalOf({ key, shiftKey, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent): Goal | null {
  if (defaultPrevented || altKey || ctrlKey || metaKey) return null;
  if (key === " ") return shiftKey ? -1 : 1;
  if (shiftKey) return null;
  switch (key) {
    case "Home":
      return "start";
    case "End":
      return "end";
    case "PageUp":
      return -1;
    case "PageDown":
      return 1;
    default:
      return null;
  }
}

function belongsElsewhere({ key, target }: KeyboardEvent, box: HTMLElement): boolean {
  if (!(target instanceof Element)) return true;
  if (target === document.body) return false;
  if (target.closest(key === " " ? `${FIELDS}, ${PRESSED}` : FIELDS)) return true;
  for (let at: Element | null = target; at && at !== box; at = at.parentElement)
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return true;
  return false;
}
