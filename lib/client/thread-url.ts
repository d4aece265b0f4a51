import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { AgentId, BranchId, RecordId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";

export const DETAILS = [
  "prompts",
  "conversation",
  "tools",
  "everything",
] as const satisfies readonly Detail[];

/** What the address of a session says, as it stands there. */
export type ThreadUrl = {
  branch: string | null;
  agent: string | null;
  detail: Detail | null;
  fold: string | null;
  at: string | null;
  panes: string | null;
  /** `graph`: the session's picture in place of its thread. */
  view: string | null;
  /** `1`: opens at the end. */
  follow: string | null;
};

const PARSERS = {
  branch: parseAsString,
  agent: parseAsString,
  detail: parseAsStringLiteral(DETAILS),
  fold: parseAsString,
  at: parseAsString,
  panes: parseAsString,
  view: parseAsString,
  follow: parseAsString,
};

/** The view's part of the address. Changes replace the entry: a scroll through folds is no history. */
export function useThreadUrl(): [ThreadUrl, (change: Partial<ThreadUrl>) => void] {
  const [url, setUrl] = useQueryStates(PARSERS, { history: "replace", shallow: true });
  return [url, (change) => void setUrl(change)];
}

/** Which thread is shown, and how much of it; `key` tells two of them apart. */
export type ThreadChoice = {
  key: string;
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail;
  fold: string | null;
};

/** The thread that an address means; `preferred` is the reader's own detail. */
export function threadChoice(
  { branch, agent, detail, fold }: Pick<ThreadUrl, "branch" | "agent" | "detail" | "fold">,
  preferred: Detail,
): ThreadChoice {
  const shown = detail ?? preferred;
  return {
    key: [branch, agent, shown, fold].join("|"),
    branch: branch as BranchId | null,
    agent: agent as AgentId | null,
    detail: shown,
    fold,
  };
}

/** The record whose inspector stands open, from `panes=record:<id>,…`. */
export function inspectedRecord(panes: string | null): RecordId | null {
  const pane = panes?.split(",").find((one) => one.startsWith("record:"));
  return pane ? (pane.slice("record:".length) as RecordId) : null;
}
