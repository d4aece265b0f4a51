import { type RefObject, useMemo, useState } from "react";
import { listPlace, rememberPlace, useBoxPlace, useKeptGroups } from "@/components/ui/list-place";

/** The turns that were folded or unfolded by hand, by the names of `turnNames`. */
export type TurnFolds = { folded: ReadonlySet<string>; expanded: ReadonlySet<string> };

/** How a comparison is looked at: which turns were folded or unfolded by hand, the stem, and the current line. */
export type CompareLook = {
  folds: TurnFolds;
  /** Folds or unfolds the turns of these names. */
  fold: (names: readonly string[], isFolded: boolean) => void;
  isStemOpen: boolean;
  toggleStem: () => void;
  /** The key of the current line. */
  at: string | null;
  setAt: (key: string) => void;
  /** Is to be called as the list scrolls, or the page around it. */
  onScroll: () => void;
};

const STEM = "stem";

/**
 * Whoever went from a comparison to a row comes back to it as it was, and to where they were in it. What was folded
 * stays so with another branch beside it.
 * @param list which comparison it is
 * @param listBox its list, which scrolls; where the page is narrow the element around it does
 * @param isThere the comparison is in it
 */
export function useCompareLook(
  list: string,
  listBox: RefObject<HTMLElement | null>,
  isThere: boolean,
): CompareLook {
  const [groups, setGroups] = useState(() => listPlace("compare", list).groups);
  useKeptGroups("compare", list, groups);
  const [at, setAt] = useState(() => listPlace("compare", list).cursorKey);
  const [box] = useState(() => scrollerOf(listBox));
  const onScroll = useBoxPlace({ view: "compare", list }, box, isThere);
  const folds = useMemo(
    () => ({ folded: new Set(groups.folded), expanded: new Set(groups.expanded) }),
    [groups],
  );
  const fold = (names: readonly string[], isFolded: boolean) => {
    const others = (list: readonly string[]) => list.filter((name) => !names.includes(name));
    const [folded, expanded] = [others(groups.folded), others(groups.expanded)];
    setGroups(
      isFolded ? { folded: [...folded, ...names], expanded } : { folded, expanded: [...expanded, ...names] },
    );
  };
  const isStemOpen = folds.expanded.has(STEM);
  return {
    folds,
    fold,
    isStemOpen,
    toggleStem: () => fold([STEM], isStemOpen),
    at,
    setAt: (key) => {
      setAt(key);
      rememberPlace("compare", list, { cursorKey: key });
    },
    onScroll,
  };
}

/** What scrolls at the moment: the page may become narrow, and wide again. */
function scrollerOf(listBox: RefObject<HTMLElement | null>): RefObject<HTMLElement | null> {
  return {
    get current() {
      const list = listBox.current;
      return list && getComputedStyle(list).overflowY === "visible" ? list.parentElement : list;
    },
  };
}
