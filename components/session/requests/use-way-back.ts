import { type RefObject, useEffect } from "react";
import { listPlace, rememberPlace } from "@/components/ui/list-place";

/**
 * Has the reader who goes from a request to the thread, and comes back, find the focus on what led there. That has
 * `data-leads`, which nothing else in the box has with the same value.
 * @param list what tells these requests from others, as their place has it
 * @param isThere the requests are
 * @returns is to be called before the reader is led away
 */
export function useWayBack(list: string, box: RefObject<HTMLElement | null>, isThere: boolean): () => void {
  useEffect(() => {
    const there = isThere ? box.current : null;
    const { cursorKey } = listPlace("context", list);
    if (!there || cursorKey === null) return;
    const focusLead = () => {
      const lead = there.querySelector<HTMLElement>(`[data-leads="${CSS.escape(cursorKey)}"]`);
      if (!lead) return;
      observer.disconnect();
      // Whoever has gone on meanwhile stays there.
      if (document.activeElement?.contains(there)) lead.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(focusLead);
    // The bars come when the width of their chart is known.
    observer.observe(there, { childList: true, subtree: true });
    focusLead();
    return () => observer.disconnect();
  }, [list, box, isThere]);
  return () => {
    const lead = document.activeElement?.closest("[data-leads]")?.getAttribute("data-leads") ?? null;
    rememberPlace("context", list, { cursorKey: lead });
  };
}
