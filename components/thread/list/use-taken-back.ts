import { type RefObject, useEffect } from "react";
import { useThreadState, useThreadStore } from "@/components/thread/use-thread";

/** What turns of a wheel have between them that belong to one movement, which a trackpad goes on with by itself. */
const ONE_MOVEMENT_MS = 150;

/**
 * Who scrolls by hand while a key (`G`) waits for the rest of the thread says where they want to be: they are not taken
 * away when the rest comes. The keys that scroll say it by themselves (`useScrollingKeys`).
 */
export function useTakenBack(scroller: RefObject<HTMLElement | null>): void {
  const store = useThreadStore();
  const awaitsRest = useThreadState(store, (state) => state.awaitsRest);
  useEffect(() => {
    const box = scroller.current;
    if (!awaitsRest || !box) return;
    // What scrolls as rows are measured is not the reader.
    let isByHand = false;
    const hand = () => {
      isByHand = true;
    };
    let wheelMs = performance.now();
    const onWheel = ({ timeStamp }: Event) => {
      // A movement that was under way before the key was pressed is not an answer to it.
      if (timeStamp - wheelMs > ONE_MOVEMENT_MS) hand();
      wheelMs = timeStamp;
    };
    const onPointer = ({ target }: Event) => target === box && hand();
    const onScroll = () => isByHand && store.leave();
    const listening = new AbortController();
    const listen = { passive: true, signal: listening.signal };
    box.addEventListener("wheel", onWheel, listen);
    box.addEventListener("touchmove", hand, listen);
    box.addEventListener("pointerdown", onPointer, listen);
    box.addEventListener("scroll", onScroll, listen);
    return () => listening.abort();
  }, [scroller, awaitsRest, store]);
}
