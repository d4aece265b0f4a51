import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { Detail } from "@/lib/wire/rows";
import { noteWrite } from "./address-writes";

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
  /** Keys of runs that are open, where runs are folded. */
  runs: string | null;
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
  runs: parseAsString,
  at: parseAsString,
  panes: parseAsString,
  view: parseAsString,
  follow: parseAsString,
};

/** The view's part of the address. Changes replace the entry: a scroll through folds is no history. */
export function useThreadUrl(): [ThreadUrl, (change: Partial<ThreadUrl>) => void] {
  const [url, setUrl] = useQueryStates(PARSERS, { history: "replace", shallow: true });
  return [url, (change) => void noteWrite(setUrl(change))];
}

/** Which thread is shown, and how much of it; `key` tells two of them apart. */
export type ThreadChoice = {
  key: string;
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail;
  fold: string | null;
  /** As the server takes it: `folded`, then the keys of open runs; `null` where every call has its row. */
  runs: string | null;
};

/** The thread that an address means; `preferred` is the reader's own detail, `foldsRuns` whether runs are folded. */
export function threadChoice(
  {
    branch,
    agent,
    detail,
    fold,
    runs,
  }: Pick<ThreadUrl, "branch" | "agent" | "detail" | "fold"> & { runs?: string | null },
  preferred: Detail,
  foldsRuns: boolean,
): ThreadChoice {
  const shown = detail ?? preferred;
  // Only this detail has calls in a row and leaves something out.
  const folded = foldsRuns && shown === "tools" ? ["folded", runs].filter(Boolean).join(",") : null;
  return {
    key: [branch, agent, shown, fold, folded].join("|"),
    branch: branch as BranchId | null,
    agent: agent as AgentId | null,
    detail: shown,
    fold,
    runs: folded,
  };
}

/** Open runs with this one opened, or closed where it is open: `null` for none. */
export function toggledRun(runs: string | null, key: string): string | null {
  const open = new Set(runs?.split(",").filter(Boolean));
  if (!open.delete(key)) open.add(key);
  return [...open].join(",") || null;
}

/** Open runs with these among them. */
export function withRuns(runs: string | null, keys: readonly string[]): string | null {
  return [...new Set([...(runs?.split(",").filter(Boolean) ?? []), ...keys])].join(",") || null;
}
