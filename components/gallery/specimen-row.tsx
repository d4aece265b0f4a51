import { useMemo, useState } from "react";
import { type ThreadActions, ThreadContext } from "@/components/content/row-actions";
import { ThreadRow } from "../thread/thread-row";
import type { Specimen } from "./collect-specimens";

/** A row as its thread would show it, opened. Its links lead nowhere: it stands alone. */
export function SpecimenRow({ specimen: { row, sessionId, state } }: { specimen: Specimen }) {
  const [open, setOpen] = useState(true);
  const actions = useMemo(
    (): ThreadActions => ({
      sessionId,
      lane: 0,
      toggleOpen: () => setOpen((old) => !old),
      toggleFold: () => undefined,
      toggleRun: () => undefined,
      inspect: () => undefined,
      openChanges: () => undefined,
      showContext: () => undefined,
      copyLink: () => undefined,
      linkTo: () => window.location.href,
      switchBranch: () => undefined,
      showAgent: () => undefined,
      openAgent: () => undefined,
    }),
    [sessionId],
  );
  return (
    <ThreadContext.Provider value={actions}>
      <div
        data-specimen={row.kind}
        data-state={state}
        data-record-id={row.recordId}
        className="group/row relative"
      >
        <ThreadRow row={row} turnMs={null} open={open && row.kind !== "turn"} selected={false} />
      </div>
    </ThreadContext.Provider>
  );
}
