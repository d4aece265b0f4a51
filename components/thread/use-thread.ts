import { useEffect, useMemo, useRef, useState } from "react";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import { PAGE_ITEMS } from "@/lib/client/thread-pages";
import { parsePlace } from "@/lib/client/thread-permalink";
import type { ThreadChoice } from "@/lib/client/thread-url";
import { ThreadWindows } from "@/lib/client/thread-windows";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import type { ScanProgress } from "@/lib/wire/session";

/** A thread that is open: its rows, and the row to begin with, `offsetPx` below the list's upper edge. */
export type OpenThread = {
  choice: ThreadChoice;
  /** The branch that it shows, as it was called when it was opened. */
  branch: BranchId | null;
  windows: ThreadWindows<Row>;
  start: {
    index: number;
    selected: boolean;
    offsetPx: number | null;
    atEnd: boolean;
    fork?: boolean;
    focused?: boolean;
  };
};

/** A row on screen that should stay where it is when the thread around it changes. */
export type Anchor = {
  recordId: RecordId;
  block: number;
  offsetPx: number;
  selected: boolean;
  /** The row below it is a fork, which is to be selected: its own record lies on the branch that is left. */
  fork?: boolean;
  /** It had the focus, which goes to the same row of the next thread. */
  focused?: boolean;
};

export type ThreadState = {
  thread: OpenThread | null;
  scanning: ScanProgress["scanning"] | null;
  error: Error | null;
  retry: () => void;
};

/** Where a record is shown that the chosen view does not show: in another thread, or in a run that is folded. */
export type Elsewhere = { agent: AgentId | null } | { run: string };

/** Where the record is shown that was looked around, if not here. */
export function elsewhereOf(
  { elsewhere, run }: RowsResponse,
  { runs }: Pick<ThreadChoice, "runs">,
): Elsewhere | null {
  if (elsewhere) return elsewhere;
  // A run that is open already and yet folded is none that opening it again would help.
  return run !== undefined && !runs?.split(",").includes(run) ? { run } : null;
}

/**
 * Opens the chosen thread: at what `at` points to, else where the reader was in the thread before
 * (`anchor`), else at its first prompt. The thread before stays until the next one is there.
 */
export function useThread(
  sessionId: SessionId,
  choice: ThreadChoice,
  at: string | null,
  anchor: () => Anchor | null,
  follow = false,
  onElsewhere?: (where: Elsewhere) => void,
): ThreadState {
  const [state, setState] = useState<Omit<ThreadState, "retry">>({
    thread: null,
    scanning: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const shown = useRef<OpenThread | null>(null);
  const asked = useRef({ choice, at, anchor, follow, onElsewhere });
  asked.current = { choice, at, anchor, follow, onElsewhere };

  const threadKey = `${sessionId}|${choice.key}`;
  useEffect(() => {
    const controller = new AbortController();
    const { choice, at, anchor, follow } = asked.current;
    const kept = shown.current ? anchor() : null;
    // Without a row on screen (the graph is there instead) what the address names holds again.
    const place = kept ? null : parsePlace(at);
    const onScan = (scanning: ScanProgress["scanning"]) => setState((old) => ({ ...old, scanning }));

    const opening = { place: place ?? kept, toEnd: follow && !shown.current && !place };
    void openThread(sessionId, choice, opening, controller.signal, onScan).then(
      ({ thread, found, elsewhere }) => {
        if (controller.signal.aborted) return thread.windows.dispose();
        const { onElsewhere } = asked.current;
        if (place && elsewhere && onElsewhere) {
          // The view that shows the record opens next, in this one's place.
          thread.windows.dispose();
          return onElsewhere(elsewhere);
        }
        shown.current?.windows.dispose();
        if (found !== null) {
          thread.start = {
            index: found,
            selected: kept ? kept.selected : true,
            offsetPx: kept ? kept.offsetPx : null,
            atEnd: false,
            fork: kept?.fork ?? false,
            focused: kept?.focused ?? false,
          };
        } else if (place) toast("The linked record is not in this view of the thread", "err");
        shown.current = thread;
        setState({ thread, scanning: null, error: null });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((old) => ({
          ...old,
          scanning: null,
          error: error instanceof Error ? error : new Error(String(error)),
        }));
      },
    );
    return () => controller.abort();
    // `threadKey` stands for the session and the choice, `attempt` for a wish to try again.
  }, [sessionId, threadKey, attempt]);

  useEffect(() => () => shown.current?.windows.dispose(), []);
  return useMemo(() => ({ ...state, retry: () => setAttempt((n) => n + 1) }), [state]);
}

/** Loads the first rows of a thread: around `place`, at its end or at its beginning. */
export async function openThread(
  sessionId: SessionId,
  choice: ThreadChoice,
  { place, toEnd }: { place: { recordId: RecordId; block: number | null } | null; toEnd: boolean },
  signal: AbortSignal,
  onScan: (progress: ScanProgress["scanning"]) => void,
): Promise<{ thread: OpenThread; found: number | null; elsewhere: Elsewhere | null }> {
  const { branch, agent, detail, fold, runs } = choice;
  const query = { branch, agent, detail, fold, runs };
  const windows = new ThreadWindows<Row>(async (from, count, pageSignal) =>
    toWindow(await api.rows(sessionId, { ...query, from, count }, { signal: pageSignal })),
  );
  const first = async (around: RecordId | undefined) =>
    api.rows(
      sessionId,
      { ...query, around, from: around ? undefined : 0, count: PAGE_ITEMS },
      { signal, onScan },
    );
  const response = await first(place?.recordId).catch((error: unknown) => {
    // A record of another branch, or of a log that has changed: the thread still opens.
    const gone = place && error instanceof ApiError && error.status === 404 && /record/.test(error.code);
    if (!gone) throw error;
    return first(undefined);
  });
  windows.accept(toWindow(response));
  const start = { index: startIndex(response), selected: false, offsetPx: null, atEnd: toEnd };
  if (toEnd && response.total > 0) {
    start.index = response.total - 1;
    const from = Math.max(0, response.total - PAGE_ITEMS);
    if (from > 0)
      windows.accept(toWindow(await api.rows(sessionId, { ...query, from, count: PAGE_ITEMS }, { signal })));
  }
  return {
    thread: { choice, branch: response.branch, windows, start },
    found: place && findRow(response, place),
    elsewhere: elsewhereOf(response, choice),
  };
}

export function toWindow({ revision, total, from, rows, at }: RowsResponse) {
  return { revision, total, from, items: rows, at };
}

/** Index of the record's block, else of its first row, else `null`: this view hides it. */
function findRow(
  { from, rows, at }: RowsResponse,
  place: { recordId: RecordId; block: number | null },
): number | null {
  const exact = rows.findIndex((row) => row.recordId === place.recordId && row.block === place.block);
  return exact >= 0 ? from + exact : at;
}

/** A thread opens at its first prompt; what the client wrote before it is above. */
function startIndex({ from, rows }: RowsResponse): number {
  if (from > 0) return from;
  const prompt = rows.findIndex((row) => row.kind === "turn");
  return Math.max(0, prompt);
}
