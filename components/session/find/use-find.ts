import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { PageSearch } from "@/components/search/use-search";
import { useSessionPage } from "@/components/session/session-store";
import { focusRow } from "@/components/ui/main-focus";
import { useKeys } from "@/lib/client/key-registry";
import type { SearchHit } from "@/lib/wire/search";
import { useFindMarks } from "./use-find-marks";
import { useHitSteps } from "./use-hit-steps";
import { useSessionHits } from "./use-session-hits";

/** Find in session: what is looked for, the hits in the thread's order, and the way from one to the next. */
export type Find = {
  query: string;
  setQuery: (query: string) => void;
  search: PageSearch;
  hits: readonly SearchHit[];
  /** Hits in records that the chosen detail leaves out. */
  hidden: number;
  /** Hits that do not lie in the selected part of the time. */
  outside: number;
  /** The hit that was gone to last, -1 for none. */
  index: number;
  step: (by: 1 | -1) => void;
  /** Gives up the selected part of the time. */
  showOutside: () => void;
  /** Chooses the detail in which the hidden hits are shown. */
  showHidden: () => void;
  close: () => void;
  /** For who has gone from the field already. */
  leave: () => void;
  /** On a narrow page the field takes the tool bar's place when it is asked for. */
  shown: boolean;
  show: () => void;
  field: RefObject<HTMLInputElement | null>;
};

/**
 * Looks for the address's `q` in this session, marks it in the rows, and goes to what `at` points at
 * whenever that changes. `/` goes to the field, `n` and `N` from hit to hit.
 */
export function useFind(): Find {
  const { url, setUrl, store: page } = useSessionPage();
  const query = url.q ?? "";
  const { marks, ...found } = useSessionHits(query);
  const { index, step, forget } = useHitSteps(query, found, useFindMarks(query, marks));
  const { search, hits, hidden, outside } = found;
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const show = () => {
    // At once, so that a touch keyboard comes up with it.
    flushSync(() => setShown(true));
    input.current?.select();
  };
  const leave = () => {
    forget();
    setShown(false);
    setUrl({ q: null });
  };
  const close = () => {
    leave();
    focusRow();
  };
  const has = query !== "";
  const isUncovered = () => !page.views.isCovered();
  const canStep = () => has && isUncovered();
  useKeys([
    { keys: ["/"], label: "find in this session", group: "Find", when: isUncovered, run: show },
    { keys: ["n"], label: "next match", group: "Find", when: canStep, run: () => step(1) },
    { keys: ["N"], label: "previous match", group: "Find", when: canStep, run: () => step(-1) },
  ]);

  return {
    query,
    setQuery: (next) => setUrl({ q: next || null }),
    search,
    hits,
    hidden,
    outside,
    index,
    step,
    showOutside: () => setUrl({ range: null }),
    showHidden: () => setUrl({ detail: "everything", fold: null }),
    close,
    leave,
    shown: shown || has,
    show,
    field: input,
  };
}
