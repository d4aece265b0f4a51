import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { isRecordHidden } from "@/components/thread/thread-position";
import { useThreadState } from "@/components/thread/use-thread";
import { parsePermalink, type ThreadChoice, type ThreadUrl } from "@/lib/client/address/session-url";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { SearchField } from "@/lib/wire/search";
import type { HitTarget } from "./row-marks";

/** The least that must change of the view for a record that it hides: the folds, else the detail. */
async function changeToShow(
  sessionId: SessionId,
  choice: ThreadChoice,
  recordId: RecordId,
): Promise<Partial<ThreadUrl>> {
  const unfolded = { ...choice, fold: null };
  if (choice.fold !== null && !(await isRecordHidden(sessionId, unfolded, recordId))) return { fold: null };
  const isWithTools =
    choice.detail !== "tools" &&
    !(await isRecordHidden(sessionId, { ...unfolded, detail: "tools" }, recordId));
  return { detail: isWithTools ? "tools" : "everything", fold: null };
}

/**
 * Goes to what `at` in the address points at whenever that changes; where a query is open, in a view that shows it and
 * to the mark in its row.
 * @param field of the hit there that is meant
 * @param reveal shows a hit when its row is drawn
 * @returns the place, `null` where there is none or the graph covers the thread, and how to go there once more
 */
export function useFoundPlace(
  query: string,
  field: SearchField | null,
  reveal: (hit: HitTarget) => void,
): { at: string | null; goAgain: () => void } {
  const { sessionId, choice, url, setUrl, store: page } = useSessionPage();
  const store = page.thread;
  // Under the graph the address names what is selected there. It moves the thread when the thread is back.
  const isUnderGraph = url.view === "graph";
  const at = isUnderGraph ? null : url.at;
  const ready = useThreadState(store, ({ thread }) => thread?.choice.key === choice.key);
  /** The place that was gone to last, and whether the page has opened at its first. */
  const gone = useRef<string | null>(null);
  const started = useRef(false);
  const follow = useEffectEvent(async (target: string, first: boolean) => {
    const { recordId, block } = parsePermalink(target) ?? {};
    if (!recordId) return;
    // Whoever comes back is where they were, in the view that they had, with the rows open that were.
    if (first && store.wasRestored()) return;
    if (query === "")
      return first ? undefined : void (await store.goTo({ record: recordId, block: block ?? null }));
    if (await isRecordHidden(sessionId, choice, recordId)) {
      if (!first && gone.current !== target) return;
      const change = await changeToShow(sessionId, choice, recordId);
      // Meanwhile the reader has gone on: a view for this place would be of no use to them.
      if (gone.current !== target) return;
      // Comes back here when the thread that shows it is there.
      gone.current = null;
      return setUrl(change);
    }
    // The thread itself opens at the place that the page came with.
    if (first) await store.whenDrawn();
    // No call is in a folded run: where one looks for something, every call has its row.
    const row = first ? store.selected()?.row : await store.goTo({ record: recordId, block: block ?? null });
    // Meanwhile the reader has gone on to another hit.
    if (gone.current !== target) return;
    // A hit inside a closed row would not be seen.
    if (row && row.kind !== "turn") store.openRow(row.key);
    if (row) reveal({ recordId, block: block ?? null, field });
  });
  /** How often the hit at the same place was asked for again. */
  const [again, setAgain] = useState(0);
  const asked = useRef(again);
  useEffect(() => {
    if (!ready) return;
    const first = !started.current;
    // A reload under the graph has the thread where it was left, and the reader comes back to it only behind the graph.
    started.current = !isUnderGraph || !store.wasRestored();
    // The place that was gone to before the graph is not gone to again behind it: the reader may have gone on from it.
    if (isUnderGraph) return;
    if (gone.current === at && asked.current === again) return;
    gone.current = at;
    asked.current = again;
    if (at !== null) void follow(at, first);
  }, [ready, at, again, isUnderGraph, store]);
  return { at, goAgain: () => setAgain(again + 1) };
}
