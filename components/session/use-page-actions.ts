import { type RefObject, useMemo, useRef } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import { useOpenChanges } from "@/components/thread/rows/turn-row";
import { formatFold, parseFold } from "@/components/thread/thread-position";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/client/copy-text";
import {
  formatPermalink,
  type ThreadUrl,
  toggledRun,
  type useThreadUrl,
  withPane,
} from "@/lib/client/session-url";
import type { SessionId } from "@/lib/wire/ids";

/** What the rows of the page's thread may ask for. The functions never change. */
export function usePageActions(
  sessionId: SessionId,
  { fold, runs, panes }: Pick<ThreadUrl, "fold" | "runs" | "panes">,
  setUrl: ReturnType<typeof useThreadUrl>[1],
  toggleOpen: (key: string) => void,
  handle: RefObject<ThreadHandle | null>,
): ThreadActions {
  const openChanges = useOpenChanges();
  const newest = useRef({ fold, runs, panes, setUrl, openChanges });
  newest.current = { fold, runs, panes, setUrl, openChanges };
  return useMemo(() => {
    const linkTo: ThreadActions["linkTo"] = ({ recordId, block }, suffix = "") => {
      const link = new URL(window.location.href);
      link.hash = "";
      const at = formatPermalink({ recordId, block, lines: null, hunk: null }) + suffix;
      link.searchParams.delete("at");
      // By hand: `~` and `:` need no escape in a query, and a link should stay readable.
      return `${link.href}${link.search ? "&" : "?"}at=${at}`;
    };
    return {
      sessionId,
      lane: 0,
      toggleOpen,
      toggleFold: (turn) => {
        const turns = parseFold(newest.current.fold ?? "");
        if (!turns.delete(turn)) turns.add(turn);
        newest.current.setUrl({ fold: formatFold(turns) });
      },
      toggleRun: (run) => {
        handle.current?.holdRun(`${run}.run`);
        newest.current.setUrl({ runs: toggledRun(newest.current.runs, run) });
      },
      inspect: (id) =>
        newest.current.setUrl({ panes: withPane(newest.current.panes, { kind: "record", id }) }),
      openChanges: (turn) => newest.current.openChanges(turn),
      showContext: (id) =>
        newest.current.setUrl({ panes: withPane(newest.current.panes, { kind: "context", id }) }),
      linkTo,
      copyLink: async (row, suffix) => {
        const copied = await copyText(linkTo(row, suffix));
        toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err");
      },
      toRow: (index) => void handle.current?.goTo(index, "center"),
      switchBranch: (branch, fork) => {
        if (fork) handle.current?.holdFork(fork.key);
        newest.current.setUrl({ branch, fold: null });
      },
      openAgent: (id) =>
        newest.current.setUrl({ panes: withPane(newest.current.panes, { kind: "agent", id }) }),
      showAgent: (agent) => newest.current.setUrl({ agent, at: null, fold: null }),
    };
  }, [sessionId, toggleOpen, handle]);
}
