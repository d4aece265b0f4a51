import { keepPreviousData, type QueryClient, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type CompareSides } from "@/lib/client/api";
import { useDebounced } from "@/lib/client/use-debounced";
import type {
  ComparedSide,
  ComparePairResponse,
  CompareResponse,
  RowPair,
  SideName,
  TurnPair,
} from "@/lib/wire/compare";
import type { SessionId } from "@/lib/wire/ids";
import type { TurnFolds } from "./use-compare-look";

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

/** A comparison's turns, and of which sessions they are. */
type ComparedTurns = Pick<CompareResponse, "turns"> & Record<SideName, Pick<ComparedSide, "sessionId">>;

/** The names of the turns that stand beside each other: each has its own, whatever stands beside it. */
export function turnNames(
  { left, right }: Omit<ComparedTurns, "turns">,
  turns: Pick<TurnPair, SideName>,
): string[] {
  const named = [
    turns.left && `${left.sessionId}/${turns.left.recordId}`,
    turns.right && `${right.sessionId}/${turns.right.recordId}`,
  ];
  return [...new Set(named.filter((name) => name !== null))];
}

/** Turns that are open at first. */
const OPEN_TURNS = 8;

/** Whether a turn is open: as the reader left it or the one beside it, else if it is one of the first. */
export function isTurnOpen(
  compared: ComparedTurns,
  turns: Pick<TurnPair, SideName | "pair">,
  { folded, expanded }: TurnFolds,
): boolean {
  const names = turnNames(compared, turns);
  if (names.some((name) => expanded.has(name))) return true;
  if (names.some((name) => folded.has(name))) return false;
  return turns.pair < (compared.turns[0]?.pair ?? 0) + OPEN_TURNS;
}

/**
 * The lines of the turns that are open, with their rows as far as they are there.
 * @param isBefore `compared` is what was compared before these sides: their rows would stand below its turns
 */
export function useCompareItems(
  sessionId: SessionId,
  sides: CompareSides,
  { compared, isBefore }: { compared: CompareResponse | undefined; isBefore: boolean },
  folds: TurnFolds,
  onlyDifferent: boolean,
): CompareItem[] {
  const opened = useMemo(
    () => compared?.turns.filter((turns) => isTurnOpen(compared, turns, folds)) ?? [],
    [compared, folds],
  );
  const answers = useQueries({
    queries: opened.map(({ pair, left, right }) => ({
      // A turn's rows stay as they are until it has others.
      queryKey: ["compare-rows", sessionId, sides.left, sides.right, pair, left, right],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.comparedPair(sessionId, { ...sides, pair }, { signal }),
      enabled: !isBefore,
      gcTime: 60_000,
    })),
    combine: (results) => results.map(({ data, error }) => data ?? error),
  });
  return useMemo(() => {
    const byPair = new Map(opened.map(({ pair }, index) => [pair, answers[index] ?? null]));
    return compared ? compareItems(compared, byPair, folds, onlyDifferent) : [];
  }, [compared, opened, answers, folds, onlyDifferent]);
}

type Answers = ReadonlyMap<number, ComparePairResponse | Error | null>;

/**
 * Turns that are open from the beginning come one after the other, each when its rows are there: they would move those
 * below, which their reader has begun to read.
 */
export function compareItems(
  compared: ComparedTurns,
  byPair: Answers,
  { expanded }: TurnFolds,
  onlyDifferent: boolean,
): CompareItem[] {
  const { turns } = compared;
  const isByHand = (one: TurnPair) => turnNames(compared, one).some((name) => expanded.has(name));
  const awaited = turns.findIndex((one) => byPair.get(one.pair) === null && !isByHand(one));
  const shown = awaited === -1 ? turns : turns.slice(0, awaited + 1);
  return shown.flatMap((one) =>
    itemsOf(turnNames(compared, one).toSorted().join(" "), one, byPair, onlyDifferent),
  );
}

function itemsOf(key: string, turns: TurnPair, byPair: Answers, onlyDifferent: boolean): CompareItem[] {
  const { pair, samePrompt } = turns;
  const open = byPair.has(pair);
  const head: CompareItem = { key, kind: "turns", turns, open, differs: !samePrompt };
  const answer = byPair.get(pair);
  if (!open) return [head];
  const note = (words: string, isAwaited = false): CompareItem => {
    return { key: `${key} note`, kind: "note", words, isAwaited, differs: false };
  };
  if (!answer) return [head, note("Reading the log…", true)];
  if (answer instanceof Error) return [head, note(answer.message)];
  const rows = answer.rows.flatMap((row, index): CompareItem[] =>
    onlyDifferent && row.same
      ? []
      : [{ key: `${key} ${index}`, kind: "rows", turns, rows: row, differs: !row.same }],
  );
  return [head, ...rows, ...(answer.more > 0 ? [note(`${answer.more} more rows, in the thread`)] : [])];
}
