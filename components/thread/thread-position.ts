import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { foldedTurns } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";

/** Where the reader is in a thread. Indexes are of rows; `turn` is 0 before the first prompt. */
export type ThreadPosition = {
  first: number;
  last: number;
  total: number;
  turn: number;
  selected: number | null;
  /** The end of the thread is in view. */
  atEnd: boolean;
  /** Rows that have come below since the end was in view. */
  fresh: number;
};

/** Reads folded turns, `1-20,30`. What is no number is left out. */
export function parseFold(text: string): Set<number> {
  return new Set(foldedTurns(text));
}

/** The inverse, as short as ranges make it; `null` for none. */
export function formatFold(turns: ReadonlySet<number>): string | null {
  const sorted = [...turns].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i];
    while (sorted[i + 1] === (sorted[i] ?? 0) + 1) i++;
    parts.push(from === sorted[i] ? `${from}` : `${from}-${sorted[i]}`);
  }
  return parts.length > 0 ? parts.join(",") : null;
}

/**
 * How many turns the thread has that `choice` shows: those of its branch, which are fewer than the session's where
 * it was rewound. `null` where that is not known: no session yet, an agent's thread, a branch past the first 21.
 */
export function threadTurns(
  session: Pick<SessionDetail, "branches"> | null,
  { agent, branch }: Pick<ThreadChoice, "agent" | "branch">,
): number | null {
  if (!session || agent !== null) return null;
  const shown = session.branches.find(({ id, active }) => (branch === null ? active : id === branch));
  return shown?.turns ?? null;
}

/** Whether the chosen view leaves a record out. One that cannot be asked for, or is of another branch, counts as shown. */
export async function isRecordHidden(
  sessionId: SessionId,
  { branch, agent, detail, fold, runs }: ThreadChoice,
  recordId: RecordId,
): Promise<boolean> {
  if (detail === "everything" && fold === null) return false;
  try {
    const query = { branch, agent, detail, fold, runs, around: recordId, count: 1 };
    const { at, otherBranch } = await api.rows(sessionId, query);
    return at === null && otherBranch === undefined;
  } catch (cause) {
    if (cause instanceof ApiError) return false;
    throw cause;
  }
}
