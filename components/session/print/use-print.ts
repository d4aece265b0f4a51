import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { type SessionContextValue, useSessionPage } from "@/components/session/session-store";
import { useSelectedPart, type WorkInRange } from "@/components/session/waterfall/selected-part";
import { callQueryKey } from "@/components/thread/tools/tool-detail";
import { toast } from "@/components/ui/toast";
import { type ThreadChoice, type ViewName, viewOf } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { useKeys } from "@/lib/client/key-registry";
import { formatCount } from "@/lib/format/format";
import type { SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { Row, RowsResponse, ToolRow } from "@/lib/wire/rows";

/** Opened rows fetch their content; printing waits no longer than this for it. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 100;

/** What is printed: the thread's rows, or the view that stands in its place, which draws its own sheet. */
export type Printed = { view: "thread"; rows: PrintedRows } | { view: Exclude<ViewName, "thread"> };

/**
 * Prints what is shown, whole, on a sheet of its own: `print` loads the thread's rows, or has the view in its place
 * loaded by its own sheet (`printed`), and opens the browser's print dialog. The browser's own command prints the same
 * sheet.
 *
 * @param loadViewNow loads what the view in the thread's place lacks for its sheet, while the browser waits
 */
export function usePrint(loadViewNow: LoadViewNow): { printed: Printed | null; print: () => void } {
  const { printed, print } = usePreparedPrint();
  const hurried = useHurriedPrint(loadViewNow, printed !== null);
  useKeys([{ keys: ["mod+p"], label: "print", group: "Copy and share", inFields: true, run: print }]);
  return { printed: printed ?? hurried, print };
}

type LoadViewNow = (client: QueryClient, page: SessionContextValue, part: WorkInRange | null) => void;

/** The page's own command: the sheet is loaded in peace, and printed when nothing on it is still being fetched. */
function usePreparedPrint(): { printed: Printed | null; print: () => void } {
  const { sessionId, choice, url, store } = useSessionPage();
  const client = useQueryClient();
  const [printed, setPrinted] = useState<Printed | null>(null);
  const prepare = async () => {
    const view = viewOf(url);
    toast("Preparing to print…");
    if (view !== "thread") return setPrinted({ view });
    try {
      const rows = await loadPrintedRows(
        (from, count) => api.rows(sessionId, rowsOf(choice, from, count)),
        store.thread.get().position.first,
        (done, of) =>
          done % 1_000 === 0 &&
          done > 0 &&
          toast(`Preparing to print: ${formatCount(done)} of ${formatCount(of)} rows`),
      );
      setPrinted({ view, rows });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.words, "err");
    }
  };
  const printNow = useEffectEvent((isCurrent: () => boolean) => {
    void (async () => {
      const until = performance.now() + MAX_WAIT_MS;
      do await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      while (client.isFetching() > 0 && performance.now() < until);
      if (!isCurrent()) return;
      window.print();
      setPrinted(null);
    })();
  });
  useEffect(() => {
    if (!printed) return;
    let current = true;
    printNow(() => current);
    return () => {
      current = false;
    };
  }, [printed]);
  return { printed, print: () => void prepare() };
}

/**
 * The browser's own command: it prints what stands in the page when its event has been handled, so all that is missing is
 * loaded while it waits. Nothing is done where a sheet is there already.
 */
function useHurriedPrint(loadViewNow: LoadViewNow, hasSheet: boolean): Printed | null {
  const page = useSessionPage();
  const { sessionId, choice, url, store } = page;
  const client = useQueryClient();
  const selected = useSelectedPart();
  const part = url.turn === null ? (selected?.part ?? null) : null;
  const [hurried, setHurried] = useState<Printed | null>(null);
  const beforePrint = () => {
    const view = viewOf(url);
    const { thread } = store.thread.get();
    if (hasSheet) return;
    if (view !== "thread") {
      loadViewNow(client, page, part);
      return flushSync(() => setHurried({ view }));
    }
    if (!thread) return;
    const { windows } = thread;
    const rows =
      loadPrintedRowsNow(
        (from, count) => api.rowsNow(sessionId, rowsOf(choice, from, count)),
        store.thread.get().position.first,
      ) ?? rowsAtHand([...windows.loaded()], windows.getSnapshot().total);
    const read = (row: ToolRow) => api.callNow(sessionId, row.recordId, row.block);
    loadCallsNow(client, sessionId, openCalls(rows.rows, store.thread.get().open), read, MAX_CALLS_NOW);
    // The browser prints what stands in the page when this returns.
    flushSync(() => setHurried({ view, rows }));
  };
  useBrowserPrint(beforePrint, () => setHurried(null));
  return hurried;
}

function rowsOf({ branch, agent, detail, fold, runs }: ThreadChoice, from: number, count: number) {
  return { branch, agent, detail, fold, runs, from, count };
}

/** Calls these when the browser prints by itself, and when it has: what stands in the page when `before` returns is printed. */
export function useBrowserPrint(before: () => void, after: () => void): void {
  const onBefore = useEffectEvent(before);
  const onAfter = useEffectEvent(after);
  useEffect(() => {
    const begin = () => onBefore();
    const end = () => onAfter();
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
}

/** Opened calls that are fetched while the browser waits; others are printed closed. */
const MAX_CALLS_NOW = 40;

/** The calls among these rows that are open. */
export function openCalls(rows: readonly Row[], open: ReadonlySet<string>): ToolRow[] {
  return rows.filter((row): row is ToolRow => row.kind === "tool" && open.has(row.key));
}

/** Reads what opened calls show and nobody has scrolled to yet, while the browser waits: of `most` calls. */
export function loadCallsNow(
  client: QueryClient,
  sessionId: SessionId,
  calls: readonly ToolRow[],
  read: (row: ToolRow) => CallDetail | null,
  most = Number.POSITIVE_INFINITY,
): void {
  const missing = calls.filter((row) => !client.getQueryData(callQueryKey(sessionId, row)));
  for (const row of missing.slice(0, most)) {
    const call = read(row);
    if (call) client.setQueryData(callQueryKey(sessionId, row), call);
  }
}

/** Limits the paper used, and what the page has to lay out at once. */
export const MAX_PRINTED_ROWS = 2_000;
const WINDOW_ROWS = 200;

/** Rows to print: the whole thread, or up to the maximum starting at `from`. */
export type PrintedRows = { rows: Row[]; from: number; total: number };

type RowsPart = Pick<RowsResponse, "rows" | "total">;

/**
 * Loads the rows to print: all of them if there are few enough, else those from the reader's position on. `onProgress`
 * is called with the number loaded so far.
 */
export async function loadPrintedRows(
  load: (from: number, count: number) => Promise<RowsPart>,
  firstVisible: number,
  onProgress: (done: number, of: number) => void,
): Promise<PrintedRows> {
  const loading = printing(firstVisible);
  let step = loading.next();
  while (!step.done) {
    const { from, count, done, of } = step.value;
    if (of > 0) onProgress(done, of);
    step = loading.next(await load(from, count));
  }
  return step.value;
}

/** The same while the browser waits. `null` where the server does not answer at once. */
export function loadPrintedRowsNow(
  load: (from: number, count: number) => RowsPart | null,
  firstVisible: number,
): PrintedRows | null {
  const loading = printing(firstVisible);
  let step = loading.next();
  while (!step.done) {
    const part = load(step.value.from, step.value.count);
    if (!part) return null;
    step = loading.next(part);
  }
  return step.value;
}

type RowsWanted = { from: number; count: number; done: number; of: number };

/** The windows to ask for, one after another, and in the end the rows. */
function* printing(firstVisible: number): Generator<RowsWanted, PrintedRows, RowsPart> {
  let { rows, total } = yield { from: 0, count: WINDOW_ROWS, done: 0, of: 0 };
  const from = total <= MAX_PRINTED_ROWS ? 0 : Math.min(firstVisible, total - MAX_PRINTED_ROWS);
  const end = Math.min(total, from + MAX_PRINTED_ROWS);
  if (from > 0) rows = [];
  const printed = rows.slice(0, end - from);
  while (from + printed.length < end) {
    const count = Math.min(WINDOW_ROWS, end - from - printed.length);
    const next = yield { from: from + printed.length, count, done: printed.length, of: end - from };
    if (next.rows.length === 0) break;
    total = next.total;
    printed.push(...next.rows);
  }
  return { rows: printed, from, total };
}

/** The rows that the page has, up to the first gap after the earliest: for a server that is gone. */
export function rowsAtHand(loaded: readonly (readonly [number, Row])[], total: number): PrintedRows {
  const sorted = loaded.toSorted(([a], [b]) => a - b);
  const from = sorted[0]?.[0] ?? 0;
  const gap = sorted.findIndex(([index], at) => index !== from + at);
  const whole = gap === -1 ? sorted : sorted.slice(0, gap);
  return { rows: whole.slice(0, MAX_PRINTED_ROWS).map(([, row]) => row), from, total };
}
