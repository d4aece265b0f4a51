import { createContext, useContext } from "react";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** What rows may ask for. The functions never change, so that a row draws again only when it changes. */
export type ThreadActions = {
  sessionId: SessionId;
  /** 0 for the main thread, else the lane of the agent whose thread this is. */
  lane: number;
  toggleOpen: (key: string) => void;
  toggleFold: (turn: number) => void;
  /** Opens or closes a run of calls, by its key. */
  toggleRun: (run: string) => void;
  inspect: (recordId: RecordId) => void;
  /** Shows what the model was sent for this record, beside the thread. */
  showContext: (recordId: RecordId) => void;
  /** Shows all changes of a turn, or (`null`) of the session, on one page. */
  openChanges: (turn: number | null) => void;
  /** Copies a link to the row; `suffix` as permalinks have it (`:L12-20`, `:h2`). */
  copyLink: (row: Pick<Row, "recordId" | "block">, suffix?: string) => void;
  linkTo: (row: Pick<Row, "recordId" | "block">, suffix?: string) => string;
  /** Goes to a row by its index; absent where rows have none (a thread inside a row). */
  toRow?: (index: number) => void;
  /** `fork`: the row that offers it, which stays where it is. */
  switchBranch: (branch: BranchId, fork?: Pick<Row, "key">) => void;
  /** Opens the agent's thread beside this one. */
  openAgent: (agent: AgentId) => void;
  /** Shows an agent's thread alone, or (`null`) the main thread again. */
  showAgent: (agent: AgentId | null) => void;
};

export const ThreadContext = createContext<ThreadActions | null>(null);

/** What the rows of this thread may ask for. Throws outside of one. */
export function useThreadActions(): ThreadActions {
  const actions = useContext(ThreadContext);
  if (!actions) throw new Error("A row stands outside a thread.");
  return actions;
}
