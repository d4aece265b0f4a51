import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { PositionStore } from "@/components/thread/thread-position";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/api-error";
import type { ThreadChoice } from "@/lib/client/thread-url";
import { useKeys } from "@/lib/client/use-keys";
import { formatCount } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import { loadPrintedRows, type PrintedRows } from "./load-printed-rows";

/** Opened rows read their content; paper waits for it no longer than this. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

/** Prints the thread as it is shown: its rows are loaded, laid out (`printed`), and then the browser asks how. */
export function usePrint(
  sessionId: SessionId,
  choice: ThreadChoice,
  position: PositionStore,
): { printed: PrintedRows | null; print: () => void } {
  const client = useQueryClient();
  const [printed, setPrinted] = useState<PrintedRows | null>(null);
  const prepare = async () => {
    const { branch, agent, detail, fold, runs } = choice;
    toast("Preparing to print…");
    try {
      setPrinted(
        await loadPrintedRows(
          (from, count) => api.rows(sessionId, { branch, agent, detail, fold, runs, from, count }),
          position.get().first,
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
      const until = performance.now() + PATIENCE_MS;
      do await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
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
