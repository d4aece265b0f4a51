import { useCallback, useEffect, useMemo, useState } from "react";
import { ThreadWindows } from "@/components/thread/thread-windows";
import { useThreadWindows } from "@/components/thread/use-thread-windows";
import { api } from "@/lib/client/api";
import type { ThreadChoice } from "@/lib/client/thread-url";
import type { SessionId } from "@/lib/wire/ids";
import type { OutlineEntry } from "@/lib/wire/session";

type TurnWindows = ThreadWindows<OutlineEntry>;

/**
 * The turns of a thread. When another view of it is chosen (a run opened, a turn folded) they stand at other rows:
 * the list that is on screen stays until its entries are known anew.
 */
export function useTurnWindows(
  sessionId: SessionId,
  choice: ThreadChoice,
): { windows: TurnWindows; total: number; want: (first: number, last: number) => void } {
  const latest = useLatestWindows(sessionId, choice);
  const [shown, setShown] = useState(latest);
  const [wanted, setWanted] = useState({ first: 0, last: 0 });
  const { total } = useThreadWindows(shown);
  const news = useThreadWindows(latest);
  if (shown !== latest && (news.error || isLoaded(latest, news.total, wanted))) setShown(latest);
  const want = useCallback((first: number, last: number) => setWanted({ first, last }), []);
  useEffect(() => latest.want(wanted.first, wanted.last), [latest, wanted]);
  return { windows: shown, total, want };
}

function isLoaded(
  windows: TurnWindows,
  total: number,
  { first, last }: { first: number; last: number },
): boolean {
  if (windows.getSnapshot().loaded === 0) return false;
  for (let turn = first; turn <= Math.min(last, total - 1); turn++) if (!windows.itemAt(turn)) return false;
  return true;
}

function useLatestWindows(sessionId: SessionId, choice: ThreadChoice): TurnWindows {
  const windows = useMemo(() => {
    const { branch, detail, fold, runs } = choice;
    return new ThreadWindows<OutlineEntry>(async (from, count, signal) => {
      const query = { branch, detail, fold, runs, from, count };
      const answer = await api.outline(sessionId, query, { signal });
      return { revision: answer.revision, total: answer.total, from: answer.from, items: answer.turns };
    });
  }, [sessionId, choice]);
  const isMain = choice.agent === null;
  useEffect(() => {
    // How many turns there are is known with the first page; an agent's thread has no outline.
    if (isMain) windows.begin();
    return () => windows.dispose();
  }, [windows, isMain]);
  return windows;
}
