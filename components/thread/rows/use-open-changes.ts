import { parseAsInteger, parseAsString, useQueryStates } from "nuqs";

/** Opens the review of a turn's changes, or (`null`) of the session's. */
export function useOpenChanges(): (turn: number | null) => void {
  const [, set] = useQueryStates({ view: parseAsString, turn: parseAsInteger }, { history: "push" });
  return (turn) => void set({ view: "changes", turn });
}
