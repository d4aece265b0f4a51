import { createContext, useContext } from "react";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { RowState } from "./row-state";

/**
 * The actions that rows can trigger. They are stable, so that a row rerenders only when it changes. Missing actions are
 * not offered: a file has no other page to open, and no address to link to.
 */
export type ThreadActions = {
  sessionId: SessionId;
  /** The rows are of a file that was exported by a link that leaves out the model's thinking. */
  lacksThinking?: boolean;
  /** 0 for the main thread, else the lane of the agent whose thread this is. */
  lane: number;
  toggleOpen: (key: string) => void;
  /** What was unfolded in the row with this key; absent where nothing is kept. */
  unfoldedIn?: (key: string) => RowState;
  /** The lines that the address names, and whether the reader has been taken to them; absent where there are none. */
  linkedLines?: { isReached: (at: string) => boolean; reach: (at: string) => void };
  /** Folds a turn or unfolds it; absent where turns don't fold (an agent's thread beside or inside another). */
  toggleFold?: ((turn: number) => void) | undefined;
  /** Opens or closes a run of calls, by the run's key. */
  toggleRun: (run: string) => void;
  inspect?: (recordId: RecordId) => void;
  /** Shows what the model was sent for this record, in a pane beside the thread. */
  showContext?: (recordId: RecordId) => void;
  /** Shows all changes of a turn, or of the session if `null`, on one page. */
  openChanges?: (turn: number | null) => void;
  /** Shows two branches beside each other. */
  compare?: (left: BranchId, right: BranchId) => void;
  /** Copies a link to the row; `suffix` selects lines or a hunk as in permalinks (`:L12-20`, `:h2`). */
  copyLink?: (row: Pick<Row, "recordId" | "block">, suffix?: string) => void;
  linkTo?: (row: Pick<Row, "recordId" | "block">, suffix?: string) => string;
  /** Goes to a row by index; absent where rows have none (a thread inside a row). */
  toRow?: (index: number) => void;
  /** `fork` is the row that was clicked; it keeps its position on screen. */
  switchBranch: (branch: BranchId, fork?: Pick<Row, "key">) => void;
  /** Opens the agent's thread in a pane beside this one. */
  openAgent: (agent: AgentId) => void;
  /** Shows only the agent's thread, or the main thread again if `null`. */
  showAgent: (agent: AgentId | null) => void;
};

/** The actions that change what is read of a thread, and so are of its own store, not of the one around it. */
type OwnActions = Pick<ThreadActions, "toggleOpen" | "unfoldedIn" | "linkedLines">;

/**
 * The actions for rows of an agent's thread that stands beside or inside another: those of the thread around it, but for
 * what is its own. Its turns don't fold.
 * @param own stable, as `rest` is: the same object for as long as nothing of it changes
 */
export function agentActions(
  outer: ThreadActions,
  own: OwnActions,
  rest: Required<Pick<ThreadActions, "lane" | "toggleRun" | "switchBranch">> &
    Pick<ThreadActions, "toRow" | "linkTo" | "copyLink">,
): ThreadActions {
  const { toggleOpen, unfoldedIn, linkedLines } = own;
  return { ...outer, toggleOpen, unfoldedIn, linkedLines, toggleFold: undefined, ...rest };
}

export const ThreadContext = createContext<ThreadActions | null>(null);

/** The actions for rows of this thread. Throws outside a thread. */
export function useThreadActions(): ThreadActions {
  const actions = useContext(ThreadContext);
  if (!actions) throw new Error("A row is outside of a thread.");
  return actions;
}
