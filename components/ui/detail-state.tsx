import { ApiError } from "@/lib/client/api-error";
import { useDelayed } from "@/lib/client/use-delayed";
import { Button } from "./button";

/** Below an opened row while its content comes, or when it does not. */
export function DetailState({
  query,
}: {
  query: { error: Error | null; isFetching: boolean; refetch: () => unknown };
}) {
  const slow = useDelayed(query.isFetching);
  const { error } = query;
  return (
    <div className="mr-3 mb-2 ml-6 flex min-h-6 items-center gap-3 rounded-2 border border-line-2 px-2 py-1 text-12 text-fg-2 max-sm:ml-0">
      {error && !query.isFetching ? (
        <>
          <span className="text-err">{error.message}</span>
          {error instanceof ApiError && <span>{error.hint}</span>}
          <Button kind="quiet" onClick={() => query.refetch()}>
            Try again
          </Button>
        </>
      ) : (
        slow && "Reading the log…"
      )}
    </div>
  );
}
