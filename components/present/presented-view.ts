import { type RefObject, useCallback, useEffectEvent, useLayoutEffect, useRef } from "react";
import { holdPlace } from "@/components/ui/list-place";
import { Listeners } from "@/lib/client/listeners";
import type { ViewStanding } from "@/lib/wire/presence";

/** A view in the thread's place that scrolls by itself: where its reader is, and how it stands as another window's does. */
type PresentedView = {
  standing: () => ViewStanding | null;
  /** `null`: it is the reader's own again. */
  standAs: (standing: ViewStanding | null) => void;
};

let onScreen: PresentedView | null = null;
const onView = new Listeners();

/** Where the reader is in the view in the thread's place; `null` where that has no place of its own. */
export function standingOfView(): ViewStanding | null {
  return onScreen?.standing() ?? null;
}

/** Has the view in the thread's place stand as another window's does, if it is there. */
export function viewStandAs(standing: ViewStanding | null): void {
  onScreen?.standAs(standing);
}

/** Calls `listener` whenever a view has come on screen that has a place. Returns how to end it. */
export const followViews = onView.add;

/**
 * Presents where the reader of a view's box is, and has it stand where who is followed is: again whenever what is in it
 * takes another height, until the reader moves on by hand.
 * @param stand scrolls the box there
 * @returns whether it is held so
 */
export function usePresentedView(
  box: RefObject<HTMLElement | null>,
  { standing, stand }: { standing: () => ViewStanding | null; stand: (standing: ViewStanding) => void },
): () => boolean {
  const standingNow = useEffectEvent(standing);
  const standNow = useEffectEvent(stand);
  const isHeld = useRef(false);
  useLayoutEffect(() => {
    let release = (): void => undefined;
    const view: PresentedView = {
      standing: () => standingNow(),
      standAs: (followed) => {
        release();
        isHeld.current = followed !== null && box.current !== null;
        release = () => undefined;
        if (followed && box.current) release = holdPlace(box.current.children, () => standNow(followed));
      },
    };
    onScreen = view;
    onView.tell();
    return () => {
      release();
      if (onScreen === view) onScreen = null;
    };
  }, [box]);
  return useCallback(() => isHeld.current, []);
}
