import type { RefObject } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import type { ThreadHandle } from "@/components/thread/use-thread-handle";
import { toast } from "@/components/ui/toast";
import { parsePanes, withoutPanes, withPane } from "@/lib/client/panes";
import type { ThreadUrl } from "@/lib/client/thread-url";
import { useKeys } from "@/lib/client/use-keys";
import type { Row } from "@/lib/wire/rows";

/** Keys that open and close panes: the agent of the selected row, the files, the last pane. */
export function usePaneKeys(
  panes: string | null,
  setUrl: (change: Partial<ThreadUrl>) => void,
  actions: Pick<ThreadActions, "openAgent">,
  handle: RefObject<ThreadHandle | null>,
): void {
  const listed = parsePanes(panes);
  const last = listed.at(-1);
  useKeys("panes", [
    {
      keys: ["p"],
      label: "agent beside the thread",
      group: "Open",
      run: () => {
        const row = handle.current?.selected()?.row;
        const agentId = row ? agentOf(row) : null;
        if (agentId) actions.openAgent(agentId);
        else toast("Select an agent’s row first");
      },
    },
    {
      keys: ["F"],
      label: "files of the session",
      group: "Open",
      run: () => {
        const shown = listed.some(({ kind }) => kind === "files");
        setUrl({
          panes: shown
            ? withoutPanes(panes, ({ kind }) => kind === "files")
            : withPane(panes, { kind: "files", id: "" }),
        });
      },
    },
    ...(last
      ? [
          {
            keys: ["Escape"],
            label: "close the last pane",
            group: "Open" as const,
            run: () =>
              setUrl({ panes: withoutPanes(panes, (one) => one.kind === last.kind && one.id === last.id) }),
          },
        ]
      : []),
  ]);
}

function agentOf(row: Row) {
  if (row.kind === "agent-return") return row.agentId;
  return row.kind === "tool" ? (row.agent?.agentId ?? null) : null;
}
