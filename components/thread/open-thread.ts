import { toast } from "@/components/ui/toast";
import { type ThreadChoice, type ThreadUrl, withRuns } from "@/lib/client/address/session-url";
import type { api, ThreadQuery } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import type { ScanProgress } from "@/lib/wire/session";
import { PAGE_ITEMS, ThreadWindows } from "./thread-windows";

/** A thread that is open: its rows, and the row to begin with, `offsetPx` below the list's upper edge. */
export type OpenThread = {
  choice: ThreadChoice;
  windows: ThreadWindows<Row>;
  start: {
    index: number;
    selected: boolean;
    offsetPx: number | null;
    atEnd: boolean;
    fork?: boolean;
    focused?: boolean;
  };
  /** Of its rows those before this one had been there when the reader was last at the end; absent: all of them. */
  seenRows?: number;
};

const visits = new WeakMap<OpenThread["start"], number>();
let visited = 0;

/** Tells a thread on screen from one that opens in its place, also from the same one opened anew. */
export function threadKey({ start }: OpenThread): number {
  const known = visits.get(start);
  if (known !== undefined) return known;
  visited += 1;
  visits.set(start, visited);
  return visited;
}

/** A row on screen that should stay where it is when the thread around it changes. */
export type Anchor = {
  recordId: RecordId;
  block: number;
  offsetPx: number;
  selected: boolean;
  /** The fork below it is meant, where that stands, and is to be selected: its own record is of the branch that is left. */
  fork?: boolean;
  /** It had the focus, which goes to the same row of the next thread. */
  focused?: boolean;
};

/**
 * Where a record is shown that the chosen view does not show: in another thread, on another branch of this one (`null`: the
 * active one), or in a run that is folded.
 */
export type Elsewhere = { agent: AgentId | null } | { branch: BranchId | null } | { run: string };

/** Where the record is shown that was looked around, if not here. */
export function elsewhereOf(
  { elsewhere, otherBranch, run }: RowsResponse,
  { runs }: Pick<ThreadChoice, "runs">,
): Elsewhere | null {
  if (elsewhere) return elsewhere;
  if (otherBranch !== undefined) return { branch: otherBranch };
  // A run that is open already and yet folded is none that opening it again would help.
  return run !== undefined && !runs?.split(",").includes(run) ? { run } : null;
}

/** What of the address changes so that the record is shown; `runs`: what it says of open runs. */
export function addressOfElsewhere(where: Elsewhere, runs: string | null): Partial<ThreadUrl> {
  if ("run" in where) return { runs: withRuns(runs, [where.run]) };
  const thread = "agent" in where ? { agent: where.agent, branch: null } : { branch: where.branch };
  return { ...thread, fold: null, runs: null };
}

/** Where a thread's rows and places are asked for. */
export type ThreadSource = Pick<typeof api, "rows" | "firstRows" | "outline" | "errors">;

type Place = { recordId: RecordId; block: number | null };

/** What is told while the server reads the session for the first time. */
export type WhileScanning = {
  onScan: (progress: ScanProgress["scanning"]) => void;
  /** The first rows are known; the whole thread follows. Without it they are not asked for. */
  onBeginning?: (beginning: OpenThread) => void;
};

/** The thread that is asked for, and where. */
type AskedThread = {
  sessionId: SessionId;
  source: Pick<ThreadSource, "rows" | "firstRows">;
  choice: ThreadChoice;
};

function queryOf({ choice: { branch, agent, detail, fold, runs } }: AskedThread) {
  return { branch, agent, detail, fold, runs };
}

/**
 * A page of a thread's rows. `shown`: the branch whose rows it shows where its address names none; one that the log has
 * no more, since it was written anew, gives way to the active one.
 */
async function rowsPage(
  asked: AskedThread,
  shown: BranchId | null,
  part: { from: number; count: number },
  signal: AbortSignal,
) {
  const { branch } = asked.choice;
  const ask = (of: BranchId | null) =>
    asked.source.rows(asked.sessionId, { ...queryOf(asked), ...part, branch: of }, { signal });
  try {
    return toWindow(await ask(branch ?? shown));
  } catch (error) {
    if (branch === null && shown !== null && isNoRecord(error)) return toWindow(await ask(null));
    throw error;
  }
}

/** A thread that has the rows of its first answer, and asks for others as they are wanted. */
function threadOf(asked: AskedThread, answer: RowsResponse, atEnd: boolean): OpenThread {
  const windows = new ThreadWindows<Row>((from, count, signal, shown) =>
    rowsPage(asked, shown, { from, count }, signal),
  );
  windows.accept(toWindow(answer));
  const start = { index: startIndex(answer), selected: false, offsetPx: null, atEnd };
  return { choice: asked.choice, windows, start };
}

/** Loads the first rows of a thread: around `place`, at its end or at its beginning. */
export async function openThread(
  asked: AskedThread,
  { place, toEnd }: { place: Place | null; toEnd: boolean },
  signal: AbortSignal,
  { onScan, onBeginning }: WhileScanning,
): Promise<{
  thread: OpenThread;
  found: number | null;
  near: number | null;
  elsewhere: Elsewhere | null;
  /** Why the place is nowhere in the session. */
  gone: ApiError | null;
}> {
  const { sessionId, source, choice } = asked;
  const query = queryOf(asked);
  const first = async (around: RecordId | undefined) => {
    if (onBeginning && !around && !toEnd) {
      const { body, progress } = await source.firstRows(
        sessionId,
        { ...query, count: PAGE_ITEMS },
        { signal },
      );
      if (body) return body;
      onScan(progress.scanning);
      if (progress.beginning) onBeginning(threadOf(asked, progress.beginning, toEnd));
    }
    return source.rows(
      sessionId,
      { ...query, around, from: around ? undefined : 0, count: PAGE_ITEMS },
      { signal, onScan },
    );
  };
  let gone: ApiError | null = null;
  const response = await first(place?.recordId).catch((error: unknown) => {
    // A record of a log that has changed: the thread still opens.
    gone = place && isNoRecord(error) ? error : null;
    if (!gone) throw error;
    return first(undefined);
  });
  const thread = threadOf(asked, response, toEnd);
  // An address that names a branch is opened on it, whatever else it names.
  const { otherBranch: _, ...onNamed } = response;
  if (toEnd && response.total > 0) {
    thread.start.index = response.total - 1;
    const from = Math.max(0, response.total - PAGE_ITEMS);
    if (from > 0)
      thread.windows.accept(await rowsPage(asked, response.branch, { from, count: PAGE_ITEMS }, signal));
  }
  return {
    thread,
    found: place && findRow(response, place),
    near: nearRow(response),
    elsewhere: elsewhereOf(choice.branch === null ? response : onNamed, choice),
    gone,
  };
}

function isNoRecord(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404 && /record/.test(error.code);
}

/** What names the thread on screen to the server: the branch whose rows it shows now, also where the address names none. */
export function threadQuery(thread: OpenThread | null): ThreadQuery {
  const { agent, detail, fold, runs } = thread?.choice ?? {};
  return { branch: thread?.windows.getSnapshot().branch, agent, detail, fold, runs };
}

/** An answer of rows as the list takes it. */
export function toWindow({ revision, total, from, rows, at, branch }: RowsResponse) {
  return { revision, total, from, items: rows, at, branch };
}

/** Index of the record's block, else of its first row, else `null`: this view hides it. */
export function findRow({ from, rows, at }: RowsResponse, place: Place): number | null {
  // A fork stands above the row of the record from which the branch goes on, and has no other place.
  const exact = rows.findIndex(
    ({ kind, recordId, block }) => kind !== "fork" && recordId === place.recordId && block === place.block,
  );
  return exact >= 0 ? from + exact : at;
}

/**
 * How many rows of the chosen view had been there when the reader of another view of the same thread was last at its end,
 * below whose `seen` rows others have come since. `null` where the log has changed meanwhile, or nobody answers.
 */
export async function seenRowsIn(
  { sessionId, source }: { sessionId: SessionId; source: Pick<ThreadSource, "rows"> },
  { thread, seen }: { thread: OpenThread; seen: number },
  { detail, fold, runs }: ThreadChoice,
  signal: AbortSignal,
): Promise<number | null> {
  const query = threadQuery(thread);
  try {
    const [last] = (await source.rows(sessionId, { ...query, from: seen - 1, count: 1 }, { signal })).rows;
    if (!last) return null;
    const around = { ...query, detail, fold, runs, around: last.recordId, count: PAGE_ITEMS };
    const answer = await source.rows(sessionId, around, { signal });
    const index = findRow(answer, last) ?? nearRow(answer);
    return index === null ? null : index + 1;
  } catch (error) {
    // What has the rows themselves says so.
    if (error instanceof ApiError || signal.aborted) return null;
    throw error;
  }
}

/** Index of the row that stands for a record which this view hides; `null` in another thread than the record's. */
export function nearRow({ near, total, elsewhere }: RowsResponse): number | null {
  return near === undefined || elsewhere || near >= total ? null : near;
}

/** Begins a thread at the row before the place of one that is hidden. Its beginning is in view. */
export function startNear(index: number, held: Anchor | null): OpenThread["start"] {
  const offsetPx = Math.max(0, held?.offsetPx ?? 0);
  return { index, selected: false, offsetPx, atEnd: false, focused: held?.focused === true };
}

/** Begins a thread at the row that is held, which then stays where it was. */
export function startAtHeld(index: number, held: Anchor): OpenThread["start"] {
  const { selected, offsetPx, fork = false, focused = false } = held;
  return { index, selected, offsetPx, atEnd: false, fork, focused };
}

/** A thread opens at its first prompt; what the client wrote before it is above. */
function startIndex({ from, rows }: RowsResponse): number {
  if (from > 0) return from;
  const prompt = rows.findIndex((row) => row.kind === "turn");
  return Math.max(0, prompt);
}

/**
 * The whole of a thread of which the beginning is on screen. Where it begins with the same rows it goes on below them;
 * where a fork now stands among them, or another branch has become the active one, the row that is read stays in its place.
 */
export async function continueThread(
  { sessionId, source }: { sessionId: SessionId; source: Pick<ThreadSource, "rows"> },
  beginning: OpenThread,
  whole: OpenThread,
  anchor: () => Anchor | null,
  signal: AbortSignal,
): Promise<OpenThread> {
  const shown = [...beginning.windows.loaded()];
  if (shown.every(([index, { key }]) => whole.windows.itemAt(index)?.key === key))
    return { ...whole, start: beginning.start };
  const held = anchor();
  if (!held) return whole;
  // The branch is named, or around a record of another one that would be answered.
  const query = { ...threadQuery(whole), around: held.recordId, count: PAGE_ITEMS };
  const answer = await source.rows(sessionId, query, { signal });
  const found = findRow(answer, held);
  const near = nearRow(answer);
  if (found !== null || near !== null) whole.windows.accept(toWindow(answer));
  if (found !== null) return { ...whole, start: startAtHeld(found, held) };
  toast("The session was continued from an earlier prompt: this is how it went on");
  return near === null ? whole : { ...whole, start: startNear(near, held) };
}
