import { type RefObject, useEffect } from "react";
import type { Anchor } from "@/components/thread/open-thread";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import type { ThreadChoice, ThreadUrl } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import { type KeptPlace, keepPlace, keptPlace } from "./kept-place";

/** The list has been drawn where it came to rest. */
const RESTED_MS = 300;

/**
 * Keeps where the reader is, so that a reload and a way back end there. Answers how to ask for it: what opens at
 * its end or at another place than the one that was left has none.
 */
export function useKeptPlace(
  sessionId: SessionId,
  choice: ThreadChoice,
  { at, follow }: Pick<ThreadUrl, "at" | "follow">,
  handle: RefObject<ThreadHandle | null>,
): () => Anchor | null {
  const of = [sessionId, choice.key, at].join("|");
  useEffect(() => {
    const keep = () => {
      const place: KeptPlace | null = handle.current?.topPlace() ?? null;
      if (place) keepPlace(of, place);
    };
    let timer = setTimeout(keep, RESTED_MS);
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, RESTED_MS);
    };
    document.addEventListener("scroll", soon, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener("scroll", soon, { capture: true });
    };
  }, [of, handle]);
  return () => {
    const kept = follow === "1" ? null : keptPlace(of);
    return kept && { ...kept, selected: false };
  };
}
