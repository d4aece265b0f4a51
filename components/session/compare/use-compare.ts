import { keepPreviousData, type QueryClient, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type CompareSides } from "@/lib/client/api";
import { useDebounced } from "@/lib/client/use-debounced";
import type { ComparePairResponse, CompareResponse, RowPair, TurnPair } from "@/lib/wire/compare";
import type { SessionId } from "@/lib/wire/ids";

const SETTLED_MS = 2_000;

/** What is compared, while it is there. `revision`: of the session's page, whose log may grow. */
export function useComparison(sessionId: SessionId, sides: CompareSides, revision: number | null) {
  // Of a session at work all would be rebuilt with each line.
  const settled = useDebounced(revision, SETTLED_MS) ?? revision;
  return useQuery({
    queryKey: ["compare", sessionId, sides.left, sides.right, settled],
    queryFn: ({ signal }) => api.compare(sessionId, sides, { signal }),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
  });
}

/** What is compared, as far as it is there. */
export function knownComparison(
  client: QueryClient,
  sessionId: SessionId,
  { left, right }: CompareSides,
): CompareResponse | undefined {
  const known = client.getQueriesData<CompareResponse>({ queryKey: ["compare", sessionId, left, right] });
  return known.findLast(([, data]) => data !== undefined)?.[1];
}

/**
 * A line of the list: the heads of two turns, or two rows of theirs. `differs` is gone to by key. `isAwaited`: in the
 * place of rows that are on their way.
 */
export type CompareItem =
  | { key: string; kind: "turns"; turns: TurnPair; open: boolean; differs: boolean }
  | { key: string; kind: "rows"; turns: TurnPair; rows: RowPair; differs: boolean }
  | { key: string; kind: "note"; words: string; isAwaited: boolean; differs: false };

/**
 * The lines of the turns that are open, with their rows as far as they are there.
 * @param toggled turns that the reader opened or closed
 */
export function useCompareItems(
  sessionId: SessionId,
  sides: CompareSides,
  compared: CompareResponse | undefined,
  { isOpen, toggled }: { isOpen: (pair: number) => boolean; toggled: ReadonlySet<number> },
  onlyDifferent: boolean,
): CompareItem[] {
  const turns = compared?.turns;
  const opened = useMemo(() => turns?.filter(({ pair }) => isOpen(pair)) ?? [], [turns, isOpen]);
  const answers = useQueries({
    queries: opened.map(({ pair, left, right }) => ({
      // A turn's rows stay as they are until it has others.
      queryKey: ["compare-rows", sessionId, sides.left, sides.right, pair, left, right],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.comparedPair(sessionId, { ...sides, pair }, { signal }),
      gcTime: 60_000,
    })),
    combine: (results) => results.map(({ data, error }) => data ?? error),
  });
  return useMemo(() => {
    const byPair = new Map(opened.map(({ pair }, index) => [pair, answers[index] ?? null]));
    return compareItems(turns ?? [], byPair, toggled, onlyDifferent);
  }, [turns, opened, answers, toggled, onlyDifferent]);
}

type Answers = ReadonlyMap<number, ComparePairResponse | Error | null>;

/**
 * Turns that are open from the beginning come one after the other, each when its rows are there: they would move those
 * below, which their reader has begun to read.
 */
export function compareItems(
  turns: readonly TurnPair[],
  byPair: Answers,
  toggled: ReadonlySet<number>,
  onlyDifferent: boolean,
): CompareItem[] {
  const isAwaited = ({ pair }: TurnPair) => byPair.get(pair) === null && !toggled.has(pair);
  const awaited = turns.findIndex(isAwaited);
  const shown = awaited === -1 ? turns : turns.slice(0, awaited + 1);
  return shown.flatMap((one) => itemsOf(one, byPair, onlyDifferent));
}

function itemsOf(turns: TurnPair, byPair: Answers, onlyDifferent: boolean): CompareItem[] {
  const { pair, samePrompt } = turns;
  const open = byPair.has(pair);
  const head: CompareItem = { key: `${pair}`, kind: "turns", turns, open, differs: !samePrompt };
  const answer = byPair.get(pair);
  if (!open) return [head];
  const note = (words: string, isAwaited = false): CompareItem => {
    return { key: `${pair} note`, kind: "note", words, isAwaited, differs: false };
  };
  if (!answer) return [head, note("Reading the log…", true)];
  if (answer instanceof Error) return [head, note(answer.message)];
  const rows = answer.rows.flatMap((row, index): CompareItem[] =>
    onlyDifferent && row.same
      ? []
      : [{ key: `${pair} ${index}`, kind: "rows", turns, rows: row, differs: !row.same }],
  );
  return [head, ...rows, ...(answer.more > 0 ? [note(`${answer.more} more rows, in the thread`)] : [])];
}
