import { type KeyboardEvent, useState } from "react";
import { copyCommand } from "@/components/thread/row-text";
import { listPlace, rememberPlace } from "@/components/ui/list-place";
import { toast } from "@/components/ui/toast";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { withBasePath } from "@/lib/client/address/base-path";
import { isForInputMethod } from "@/lib/client/key-events";
import { useKeys } from "@/lib/client/key-registry";
import { usePreferences } from "@/lib/client/preferences";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import { useAwaitedEnter } from "./awaited-enter";
import { copyHit } from "./copy-hit";
import { firstOfSession, stepHit } from "./hit-steps";
import { hitHref } from "./search-facets";
import { type HitItem, hitOf } from "./search-groups";
import type { PageSearch } from "./use-search";

/** The selected hit and the keys for it: `j k` and `J K` go to hits and sessions, Enter opens, `mod+c` copies. */
export function useHitCursor({
  list,
  items,
  search,
  query,
  reveal,
  expand,
  focusField,
}: {
  /** Identifies the list, as for `HitList`. */
  list: string;
  items: readonly HitItem[];
  search: PageSearch;
  query: string;
  reveal: (index: number) => void;
  expand: (sessionId: SessionId) => void;
  focusField: () => void;
}) {
  const selected = useSelectedHit(list, items);
  const openHit = useOpenHit(query);
  const { index } = selected;
  const firstHit = items.find((item) => hitOf(item) !== null);
  const openNow = (newTab: boolean) => {
    const item = items[index] ?? firstHit;
    if (item?.kind === "more") return expand(item.sessionId);
    const hit = hitOf(item);
    if (hit) openHit(hit, newTab);
  };
  const enter = useAwaitedEnter({ search, query, hasHit: firstHit !== undefined, open: openNow });
  const open = (newTab = false) => (enter.isDue ? enter.remember(newTab) : openNow(newTab));

  const goTo = (next: number, inField = false) => {
    enter.forget();
    const item = items[next];
    if (!item) return;
    // A reader who moved into the list from the field may continue typing.
    selected.choose(item, !inField);
    reveal(next);
  };
  const step = (by: 1 | -1, inField = false) => goTo(stepHit(items, index, by), inField);
  const stepSession = (by: 1 | -1) => {
    const next = firstOfSession(items, index, by);
    if (next !== null) goTo(next);
  };
  const copy = () => {
    const hit = hitOf(items[index]);
    if (hit) void copyHit(hit);
    else toast("Select a result first");
  };
  useHitKeys({ focusField, step, stepSession, toLast: () => goTo(items.length - 1), open, copy });

  return {
    index,
    hasMoved: selected.hasMoved,
    hitNumber: selected.hitNumber,
    /** The hit that was opened is where the reader continues when they come back. */
    choose: (item: HitItem) => {
      if (hitOf(item) !== null) selected.choose(item, false);
    },
    /** In the field: arrows move into the list, Enter opens a hit, Escape leaves the field. */
    onFieldKey: (event: KeyboardEvent<HTMLInputElement>) => {
      if (isForInputMethod(event.nativeEvent) || event.metaKey || event.ctrlKey) return;
      if (event.key === "ArrowDown") step(1, true);
      else if (event.key === "ArrowUp") step(-1, true);
      else if (event.key === "Enter") open();
      else if (event.key === "Escape") event.currentTarget.blur();
      else return;
      event.preventDefault();
    },
    /** A reader who leaves the field has changed their mind about the Enter pressed there. */
    onFieldLeft: enter.forget,
  };
}

/** The hit that is selected in a list, which is kept for coming back to that list. */
function useSelectedHit(list: string, items: readonly HitItem[]) {
  const [key, setKey] = useState(() => listPlace("search", list).cursorKey);
  /**
   * The list in which the keys have moved, or to which the reader has come back: while another one is shown they may be
   * typing.
   */
  const [movedIn, setMovedIn] = useState(key === null ? null : list);
  const index = key === null ? -1 : items.findIndex((item) => item.key === key);
  return {
    /** -1 for none. */
    index,
    /** The keys have moved there, so it gets the focus. */
    hasMoved: movedIn === list,
    /** The number of the selected hit, from 1; `null` for none. */
    hitNumber: index < 0 ? null : items.slice(0, index + 1).filter((item) => hitOf(item) !== null).length,
    choose: (item: HitItem, byKeys: boolean) => {
      setKey(item.key);
      setMovedIn(byKeys ? list : null);
      rememberPlace("search", list, { cursorKey: item.key });
    },
  };
}

/** What opens a hit of a query in its session, here or in a tab of its own. */
function useOpenHit(query: string): (hit: SearchHit, newTab: boolean) => void {
  const openPage = useOpenPage();
  const { detail } = usePreferences();
  return (hit, newTab) => {
    const href = hitHref(hit, query.trim(), detail);
    if (newTab) window.open(withBasePath(href), "_blank", "noopener");
    else openPage(href);
  };
}

function useHitKeys({
  focusField,
  step,
  stepSession,
  toLast,
  open,
  copy,
}: {
  focusField: () => void;
  step: (by: 1 | -1) => void;
  stepSession: (by: 1 | -1) => void;
  toLast: () => void;
  open: (newTab?: boolean) => void;
  copy: () => void;
}): void {
  useKeys([
    { keys: ["/"], label: "query", group: "Find", run: focusField },
    { keys: ["j", "ArrowDown"], label: "next result", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "previous result", group: "Move", run: () => step(-1) },
    { keys: ["J"], label: "next session", group: "Move", run: () => stepSession(1) },
    { keys: ["K"], label: "previous session", group: "Move", run: () => stepSession(-1) },
    { keys: ["G"], label: "last result", group: "Move", run: toLast },
    { keys: ["Enter", "o"], label: "open at the result", group: "Open and read", run: () => open() },
    {
      keys: ["mod+enter"],
      label: "open in a new tab",
      group: "Open and read",
      inFields: true,
      run: () => open(true),
    },
    copyCommand("copy the result’s whole text", copy),
  ]);
}
