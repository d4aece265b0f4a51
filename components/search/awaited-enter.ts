import { useEffect, useRef } from "react";
import type { PageSearch } from "./use-search";

/** Whether the hits on screen answer this query, and not the one before. */
export function isAnswerTo(search: Pick<PageSearch, "of">, query: string): boolean {
  return search.of === query.trimEnd();
}

/**
 * Enter right after the last letter means the first hit of what was typed, which is still being loaded. It is
 * remembered until that hit arrives, and forgotten when the query changes or nothing is found. `hasHit`: there is one
 * to open.
 */
export function useAwaitedEnter({
  search,
  query,
  hasHit,
  open,
}: {
  search: Pick<PageSearch, "of" | "phase">;
  query: string;
  hasHit: boolean;
  open: (newTab: boolean) => void;
}): {
  /** Hits of this query are still to come: a press is remembered. */
  isDue: boolean;
  remember: (newTab: boolean) => void;
  forget: () => void;
} {
  const awaited = useRef<{ newTab: boolean; query: string } | null>(null);
  const isOnItsWay = !isAnswerTo(search, query) || (!hasHit && search.phase === "running");
  const isDue = query.trim() !== "" && isOnItsWay;
  useEffect(() => {
    const press = awaited.current;
    if (press === null || (press.query === query && isDue)) return;
    awaited.current = null;
    if (press.query === query && hasHit) open(press.newTab);
  });
  return {
    isDue,
    remember: (newTab) => {
      awaited.current = { newTab, query };
    },
    forget: () => {
      awaited.current = null;
    },
  };
}
