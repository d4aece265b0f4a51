import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ApiError } from "@/lib/client/api-error";
import { useThreadUrl } from "@/lib/client/thread-url";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import { BriefFacts } from "./brief-facts";
import { useBrief } from "./use-brief";

/** A turn in brief, as a block below its header: what was wanted, what was done, what it took. */
export function TurnBriefBlock({ sessionId, turn }: { sessionId: SessionId; turn: number }) {
  const [{ branch }, setUrl] = useThreadUrl();
  const { data, error, refetch } = useBrief(sessionId, turn, branch as BranchId | null);
  return (
    <section
      aria-label={`Turn ${turn} in brief`}
      className="mt-2 mr-3 mb-2 min-w-0 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:mr-2"
    >
      {error && !data && (
        <ErrorState
          title="This turn’s brief can’t be told"
          message={error.message}
          hint={error instanceof ApiError ? error.hint : undefined}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <SkeletonRows count={4} label="Reading the turn" rowClass="h-5" />}
      {data && <BriefFacts brief={data} onGo={(recordId) => setUrl({ at: recordId })} />}
    </section>
  );
}
