import { type RefObject, useMemo, useState } from "react";
import { listPlace, rememberPlace, useBoxPlace } from "@/components/ui/list-place";

/** How a comparison is looked at: which turns were folded or unfolded by hand, the stem, and the current line. */
export type CompareLook = {
  toggled: ReadonlySet<number>;
  toggle: (pair: number) => void;
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
 * Whoever went from a comparison to a row comes back to it as it was, and to where they were in it.
 * @param list which comparison it is
 * @param listBox its list, which scrolls; where the page is narrow the element around it does
 * @param isThere the comparison is in it
 */
export function useCompareLook(
  list: string,
  listBox: RefObject<HTMLElement | null>,
  isThere: boolean,
): CompareLook {
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(listPlace("compare", list).groups.expanded),
  );
  const [at, setAt] = useState(() => listPlace("compare", list).cursorKey);
  const [box] = useState(() => scrollerOf(listBox));
  const onScroll = useBoxPlace({ view: "compare", list }, box, isThere);
  const toggled = useMemo(() => new Set([...opened].filter((name) => name !== STEM).map(Number)), [opened]);
  const flip = (name: string) => {
    const next = new Set(opened);
    if (!next.delete(name)) next.add(name);
    setOpened(next);
    rememberPlace("compare", list, { groups: { folded: [], expanded: [...next] } });
  };
  return {
    toggled,
    toggle: (pair) => flip(String(pair)),
    isStemOpen: opened.has(STEM),
    toggleStem: () => flip(STEM),
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
