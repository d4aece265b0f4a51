import { parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import { usePreferences } from "@/lib/client/preferences";
import { type ThreadChoice, type ThreadUrl, threadChoice } from "@/lib/client/thread-url";

/** Which rows the address asks for, and the reader's preferences where it says nothing. */
export function useThreadChoice({ branch, agent, detail, fold, runs }: ThreadUrl): ThreadChoice {
  const { detail: preferred, foldRuns } = usePreferences();
  const [searched] = useQueryState("q", parseAsString);
  // What is looked for may stand in any call.
  const foldsRuns = foldRuns && !searched;
  return useMemo(
    () => threadChoice({ branch, agent, detail, fold, runs }, preferred, foldsRuns),
    [branch, agent, detail, fold, runs, preferred, foldsRuns],
  );
}
