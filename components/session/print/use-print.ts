import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { toast } from "@/components/ui/toast";
import { ApiError, api } from "@/lib/client/api";
import { useKeys } from "@/lib/client/key-registry";
import { formatCount } from "@/lib/format/format";
import type { Row, RowsResponse } from "@/lib/wire/rows";

/** Opened rows fetch their content; printing waits no longer than this for it. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 100;

/** Prints the thread as shown: loads its rows, renders them (`printed`), and opens the browser's print dialog. */
export function usePrint(): { printed: PrintedRows | null; print: () => void } {
  const { sessionId, choice, store } = useSessionPage();
  const client = useQueryClient();
  const [printed, setPrinted] = useState<PrintedRows | null>(null);
  const prepare = async () => {
    const { branch, agent, detail, fold, runs } = choice;
    toast("Preparing to print…");
    try {
      setPrinted(
        await loadPrintedRows(
          (from, count) => api.rows(sessionId, { branch, agent, detail, fold, runs, from, count }),
          store.thread.get().position.first,
          (done, of) =>
            done % 1_000 === 0 &&
            done > 0 &&
            toast(`Preparing to print: ${formatCount(done)} of ${formatCount(of)} rows`),
        ),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, "err");
    }
  };
  const print = () => void prepare();
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
  useKeys("print", [
    { keys: ["mod+p"], label: "print", group: "Views and copies", inFields: true, run: print },
  ]);
  return { printed, print };
}

/** Limits the paper used, and what the page has to lay out at once. */
export const MAX_PRINTED_ROWS = 2_000;
const WINDOW_ROWS = 200;

/** Rows to print: the whole thread, or up to the maximum starting at `from`. */
export type PrintedRows = { rows: Row[]; from: number; total: number };

/**
 * Loads the rows to print: all of them if there are few enough, else those from the reader's position on. `onProgress`
 * is called with the number loaded so far.
 */
export async function loadPrintedRows(
  load: (from: number, count: number) => Promise<Pick<RowsResponse, "rows" | "total">>,
  firstVisible: number,
  onProgress: (done: number, of: number) => void,
): Promise<PrintedRows> {
  let { rows, total } = await load(0, WINDOW_ROWS);
  const from = total <= MAX_PRINTED_ROWS ? 0 : Math.min(firstVisible, total - MAX_PRINTED_ROWS);
  const end = Math.min(total, from + MAX_PRINTED_ROWS);
  if (from > 0) rows = [];
  const printed = rows.slice(0, end - from);
  while (from + printed.length < end) {
    onProgress(printed.length, end - from);
    const next = await load(from + printed.length, Math.min(WINDOW_ROWS, end - from - printed.length));
    if (next.rows.length === 0) break;
    total = next.total;
    printed.push(...next.rows);
  }
  return { rows: printed, from, total };
}
