import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useSettled } from "@/components/canvas/use-canvas";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { useLiveRefetch } from "@/components/thread/use-thread";
import { api } from "@/lib/client/api";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { Span, SpansPage } from "@/lib/wire/spans";
import type { RowTexts } from "./row-words";
import { readSpans, type WaterfallModel } from "./waterfall-model";
import type { WaterfallStore } from "./waterfall-store";

/** A session's spans, asked for again as it grows: then of its last turns alone. */
export function useWaterfall(
  sessionId: SessionId,
  branch: BranchId | null,
  windows: ThreadWindows<unknown> | null,
  isWanted = true,
): { model: WaterfallModel | null; error: Error | null; retry: () => void } {
  const client = useQueryClient();
  const queryKey = useMemo(() => ["spans", sessionId, branch], [sessionId, branch]);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const model = client.getQueryData<WaterfallModel>(queryKey);
      const known = model?.spans ?? [];
      const last = known.at(-1)?.turn;
      // One turn of which all is known is asked for as well: it says whether what is kept is still there.
      const joint = known.findLast(({ turn }) => turn !== last)?.turn ?? 0;
      // What runs in the background belongs to the turn that set it going, and may end much later, or never.
      const open = new Set(
        known.flatMap(({ flaw, background, turn }) =>
          turn < joint && (flaw === "open" || background) ? [turn] : [],
        ),
      );
      const beginning = beginningOf(known, joint);
      if (joint > 0 && open.size <= MAX_OPEN_TURNS && beginning !== null) {
        const ask = (turn: string) => spansOf({ sessionId, branch }, turn, signal);
        const answers = await Promise.all([`${joint}-`, ...[...open].map(String)].map(ask));
        const isWhole = answers.every(({ turnsLeftOut }) => turnsLeftOut === 0);
        const [fresh = [], ...again] = answers.map(({ spans }) => spans);
        // Once the session has gone on from an earlier prompt, that turn begins with another step.
        if (isWhole && beginningOf(fresh, joint) === beginning) {
          const settled = known.filter(({ turn }) => turn < joint && !open.has(turn));
          const earlier = [...settled, ...again.flat()].sort((a, b) => a.turn - b.turn);
          return readSpans([...earlier, ...fresh], model?.turnsLeftOut);
        }
      }
      const { spans, turnsLeftOut } = await spansOf({ sessionId, branch }, null, signal);
      return readSpans(spans, turnsLeftOut);
    },
    enabled: isWanted,
    gcTime: 30_000,
    // The cached one is shown at once and asked for again.
    staleTime: 0,
    structuralSharing: false,
  });
  useLiveRefetch(isWanted ? windows : null, refetch);
  return { model: data ?? null, error, retry: () => void refetch() };
}

/** The server ends an answer below a megabyte, which is fewer. */
const MAX_PAGE = 5000;

/** All spans of some turns, or of all where it is null; and how many of the first turns the server leaves out. */
async function spansOf(
  { sessionId, branch }: ReadBranch,
  turn: string | null,
  signal: AbortSignal,
): Promise<Pick<SpansPage, "turnsLeftOut"> & { spans: Span[] }> {
  // By their ids: one may come twice where the session has grown between two pages.
  const spans = new Map<string, Span>();
  let cursor: string | null = null;
  let turnsLeftOut = 0;
  do {
    const page: SpansPage = await api.spansPage(
      sessionId,
      { branch, turn, limit: MAX_PAGE, cursor },
      { signal },
    );
    for (const span of page.spans) spans.set(span.id, span);
    ({ nextCursor: cursor, turnsLeftOut } = page);
  } while (cursor !== null);
  return { spans: [...spans.values()], turnsLeftOut };
}

/** Earlier turns that are asked for one by one; with more of them all are. */
const MAX_OPEN_TURNS = 3;

/** The first step of a turn's own thread; where it is the same, so are the turns before. */
function beginningOf(spans: readonly Span[], turn: number): string | null {
  return spans.find((span) => span.turn === turn && span.agentId === undefined)?.id ?? null;
}

type ReadBranch = { sessionId: SessionId; branch: BranchId | null };

const MAX_ASKED = 200;
const PROMPTS_STEP = 100;

/** What spans are about, and turns' prompts, of those that are on screen once it stands still, and of those in the list. */
export function useRowTexts(
  { sessionId, branch }: ReadBranch,
  store: WaterfallStore,
  model: WaterfallModel | null,
  listed: readonly Span[],
): RowTexts {
  const [wanted, setWanted] = useState<{ ids: string[]; turns: [number, number] | null }>({
    ids: [],
    turns: null,
  });
  useSettled(store, model, () => {
    const { from, to } = store.inView();
    const rows = store.chart.rows.slice(from, to);
    const turns = rows.flatMap((row) => (row.kind === "turn" ? [row.turn] : []));
    const step = (turn: number) => Math.floor(turn / PROMPTS_STEP) * PROMPTS_STEP;
    const [first, last] = [turns[0], turns.at(-1)];
    setWanted({
      ids: rows.flatMap((row) => (row.kind === "span" ? [(row.call ?? row.span).id] : [])),
      turns: first === undefined || last === undefined ? null : [step(first), step(last) + PROMPTS_STEP],
    });
  });
  const ids = useMemo(() => [...wanted.ids, ...listed.map(({ id }) => id)], [wanted.ids, listed]);
  const subjects = useSubjects({ sessionId, branch }, ids, model !== null);
  const prompts = usePrompts({ sessionId, branch }, wanted.turns, model);
  return useMemo(() => ({ subjects, prompts }), [subjects, prompts]);
}

/** What spans are about, by their ids. Those of `ids` that are not known yet are asked for, the first ones first. */
function useSubjects(
  { sessionId, branch }: ReadBranch,
  ids: readonly string[],
  enabled: boolean,
): ReadonlyMap<string, string> {
  const [subjects, setSubjects] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useMemo(
    () => [...new Set(ids.filter((id) => !subjects.has(id)))].slice(0, MAX_ASKED).sort(),
    [ids, subjects],
  );
  const { data } = useQuery({
    queryKey: ["span-subjects", sessionId, branch, asked],
    queryFn: ({ signal }) => api.namedSpans(sessionId, { branch, only: asked.join(",") }, { signal }),
    enabled: asked.length > 0 && enabled,
    gcTime: 30_000,
  });
  const found = data?.filter(({ id }) => !subjects.has(id)) ?? [];
  if (found.length > 0)
    setSubjects(new Map([...subjects, ...found.map(({ id, subject }) => [id, subject ?? ""] as const)]));
  return subjects;
}

/** The prompts of turns, by their numbers. `turns`: from which to which; `null` where none are wanted. */
function usePrompts(
  { sessionId, branch }: ReadBranch,
  turns: [number, number] | null,
  model: WaterfallModel | null,
): ReadonlyMap<number, string> {
  const last = model?.spans.at(-1)?.turn ?? 0;
  const beginning = useMemo(() => model && beginningOf(model.spans, last), [model, last]);
  const { data } = useQuery({
    queryKey: ["span-prompts", sessionId, branch, turns, last, beginning],
    queryFn: ({ signal }) =>
      api.outline(
        sessionId,
        {
          branch,
          from: Math.max(0, (turns?.[0] ?? 1) - 1),
          count: (turns?.[1] ?? 1) - (turns?.[0] ?? 0) + 1,
          detail: "prompts",
        },
        { signal },
      ),
    enabled: turns !== null,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  return useMemo(() => new Map(data?.turns.map(({ turn, prompt }) => [turn, prompt])), [data]);
}
