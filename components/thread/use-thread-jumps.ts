import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type RefObject, useMemo, useRef } from "react";
import { toast } from "@/components/ui/toast";
import { ApiError, api, type ThreadQuery } from "@/lib/client/api";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { ErrorsResponse } from "@/lib/wire/session";
import { type Elsewhere, elsewhereOf, type OpenThread, toWindow } from "./open-thread";
import type { PositionStore } from "./thread-position";
import { PAGE_ITEMS } from "./thread-windows";
import { useLiveRefetch } from "./use-thread";
import type { ThreadHandle } from "./use-thread-handle";

/** Ways to another place of the thread. Places that are not loaded are asked for. */
export type ThreadJumps = {
  toRow: (index: number) => void;
  toTurn: (turn: number) => Promise<void>;
  /** The next prompt, or the one before; from inside a turn, its own comes first. */
  byTurn: (by: 1 | -1) => Promise<void>;
  toRecord: (recordId: RecordId) => Promise<void>;
  /** The next row with an error, or the one before: `by` is 1 or -1. */
  toError: (by: 1 | -1) => Promise<void>;
};

/** Jumps for the thread on screen. A failure is said in a toast: the thread stays where it is. */
export function useThreadJumps(
  sessionId: SessionId,
  thread: OpenThread | null,
  handle: RefObject<ThreadHandle | null>,
  position: PositionStore,
  onElsewhere: (where: Elsewhere, recordId: RecordId) => void,
): ThreadJumps {
  const goElsewhere = useRef(onElsewhere);
  goElsewhere.current = onElsewhere;
  const shown = useRef(thread);
  /** Where a jump under way will land: the next one starts from there, not from what is still on screen. */
  const landing = useRef<number | null>(null);
  shown.current = thread;
  return useMemo(() => {
    // The branch is named even where the address names none: around a record of another one that would be answered.
    const query = () => threadQuery(shown.current);
    const go = async (index: number, align: "start" | "center") => {
      await handle.current?.goTo(index, align);
    };

    const toRecord = async (recordId: RecordId) => {
      if (!shown.current) return;
      const { windows } = shown.current;
      const answer = await api.rows(sessionId, { ...query(), around: recordId, count: PAGE_ITEMS });
      const elsewhere = elsewhereOf(answer, shown.current.choice);
      if (elsewhere) return goElsewhere.current(elsewhere, recordId);
      if (answer.at === null) return toast("This view hides that record: choose Everything");
      windows.accept(toWindow(answer));
      await go(answer.at, "center");
    };

    const toTurn = async (turn: number) => {
      const { turns } = await api.outline(sessionId, { ...query(), from: Math.max(0, turn - 1), count: 1 });
      const entry = turns[0];
      if (!entry) return;
      await go(entry.row, "start");
      // A jump from there counts from what is drawn.
      await position.reached(entry.row);
    };

    const byTurn = async (by: 1 | -1) => {
      const { selected, first, last, turn } = position.get();
      const onScreen = selected !== null && selected >= first && selected <= last;
      const row = shown.current?.windows.itemAt(onScreen ? selected : first);
      const inside = by === -1 && row !== undefined && row.kind !== "turn";
      const target = Math.max(
        1,
        landing.current === null ? (row?.turn ?? turn) + (inside ? 0 : by) : landing.current + by,
      );
      landing.current = target;
      try {
        await toTurn(target);
      } finally {
        if (landing.current === target) landing.current = null;
      }
    };

    const toError = async (by: 1 | -1) => {
      const { rows, hidden, elsewhere } = await api.errors(sessionId, threadQuery(shown.current));
      const { selected, first, last } = position.get();
      const onScreen = selected !== null && selected >= first && selected <= last;
      const from = onScreen ? selected : by === 1 ? first - 1 : first;
      const next = by === 1 ? rows.find((row) => row > from) : rows.findLast((row) => row < from);
      if (next !== undefined) return go(next, "center");
      const beyond = hidden + elsewhere > 0 ? `; ${hidden + elsewhere} elsewhere, listed above` : "";
      toast(`${by === 1 ? "No error below" : "No error above"}${beyond}`);
    };

    return {
      toRow: (index) => void go(index, "start"),
      toTurn: said(toTurn),
      byTurn: said(byTurn),
      toRecord: said(toRecord),
      toError: said(toError),
    };
  }, [sessionId, handle, position]);
}

function said<Argument>(jump: (argument: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
  return async (argument) => {
    try {
      await jump(argument);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, "err");
    }
  };
}

/** A number, not a row: it may come after what it counts. */
const PAUSE_MS = 1_000;

/** Where the errors of the thread on screen are, renewed as its rows change; `null` until that is known. */
export function useThreadErrors(sessionId: SessionId, thread: OpenThread | null): ErrorsResponse | null {
  const { data, refetch } = useQuery({
    queryKey: ["thread-errors", sessionId, thread?.choice.key],
    queryFn: ({ signal }) => api.errors(sessionId, threadQuery(thread), { signal }),
    enabled: thread !== null,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  useLiveRefetch(thread?.windows ?? null, refetch, true, PAUSE_MS);
  return data ?? null;
}

/** What names the thread on screen to the server: its branch as it was called when it was opened. */
export function threadQuery(thread: OpenThread | null): ThreadQuery {
  const { agent, detail, fold, runs } = thread?.choice ?? {};
  return { branch: thread?.branch, agent, detail, fold, runs };
}
