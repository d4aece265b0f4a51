import { type KeyboardEvent, useState } from "react";
import { usePreferences } from "@/lib/client/preferences";
import { useKeys } from "@/lib/client/use-keys";
import { useOpenPage } from "@/lib/client/use-open-page";
import type { SessionId } from "@/lib/wire/ids";
import { type HitItem, hitOf } from "./search-groups";
import { hitHref } from "./search-href";

/** The selected hit and the keys that move it: `j k` hits, `J K` sessions, Enter opens. */
export function useHitCursor({
  items,
  query,
  reveal,
  expand,
  focusField,
}: {
  items: readonly HitItem[];
  query: string;
  reveal: (index: number) => void;
  expand: (sessionId: SessionId) => void;
  focusField: () => void;
}) {
  const openPage = useOpenPage();
  const { detail } = usePreferences();
  const [key, setKey] = useState<string | null>(null);
  const index = key === null ? -1 : items.findIndex((item) => item.key === key);

  const goTo = (next: number) => {
    const item = items[next];
    if (!item) return;
    setKey(item.key);
    reveal(next);
  };
  const step = (by: 1 | -1) => {
    let next = index < 0 && by < 0 ? items.length : index;
    do next += by;
    while (isHead(items[next]));
    goTo(next);
  };
  /** To the first hit of the next session, or of this one or the one before. */
  const stepSession = (by: 1 | -1) => {
    const heads = items.flatMap((item, at) => (item.kind === "session" ? [at] : []));
    const place = heads.findLastIndex((at) => at <= index);
    const atFirst = index === firstOf(heads[place] ?? 0);
    const head = heads[place + (by === 1 ? 1 : atFirst ? -1 : 0)];
    if (head !== undefined) goTo(firstOf(head));
  };
  const firstOf = (head: number) => (isHead(items[head]) ? head + 1 : head);
  const open = (newTab = false) => {
    const item = items[index] ?? items.find((one) => hitOf(one) !== null);
    if (item?.kind === "more") return expand(item.sessionId);
    const hit = hitOf(item);
    if (!hit) return;
    const href = hitHref(hit, query.trim(), detail);
    if (newTab) window.open(href, "_blank", "noopener");
    else openPage(href);
  };

  useKeys("search", [
    { keys: ["/"], label: "query", group: "Find", run: focusField },
    { keys: ["j", "ArrowDown"], label: "next hit", group: "Move", run: () => step(1) },
    { keys: ["k", "ArrowUp"], label: "previous hit", group: "Move", run: () => step(-1) },
    { keys: ["J"], label: "next session", group: "Move", run: () => stepSession(1) },
    { keys: ["K"], label: "previous session", group: "Move", run: () => stepSession(-1) },
    { keys: ["G"], label: "last hit", group: "Move", run: () => goTo(items.length - 1) },
    { keys: ["Enter", "o"], label: "open at the hit", group: "Open", run: () => open() },
    { keys: ["mod+enter"], label: "open in a new tab", group: "Open", inFields: true, run: () => open(true) },
  ]);

  return {
    index,
    /** Which of the hits is selected, from 1; `null` for none. */
    hitNumber: index < 0 ? null : items.slice(0, index + 1).filter((item) => hitOf(item) !== null).length,
    /** In the field: arrows go into the list, Enter opens, Escape leaves the field. */
    onFieldKey: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey) return;
      if (event.key === "ArrowDown") step(1);
      else if (event.key === "ArrowUp") step(-1);
      else if (event.key === "Enter") open();
      else if (event.key === "Escape") event.currentTarget.blur();
      else return;
      event.preventDefault();
    },
  };
}

/** A heading that is no hit itself is passed over. */
function isHead(item: HitItem | undefined): boolean {
  return item?.kind === "session" && item.hit === null;
}
