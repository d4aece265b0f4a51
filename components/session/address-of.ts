import type { Elsewhere } from "@/components/thread/open-thread";
import { type ThreadUrl, withRuns } from "@/lib/client/thread-url";

/** What of the address changes so that a record is shown which this view leaves out. */
export function addressOf(where: Elsewhere, { runs }: Pick<ThreadUrl, "runs">): Partial<ThreadUrl> {
  return "run" in where
    ? { runs: withRuns(runs, [where.run]) }
    : { agent: where.agent, branch: null, fold: null, runs: null };
}
