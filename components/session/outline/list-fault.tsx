import { Button } from "@/components/ui/button";
import { ApiError } from "@/lib/client/connection/api-error";

/** What stands in a list of the outline that could not be read: why, and a button that asks again. */
export function ListFault({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-1 px-3 py-2 text-12 [overflow-wrap:anywhere]">
      <p className="text-err">{error instanceof ApiError ? error.problem : error.message}</p>
      {error instanceof ApiError && error.hint && <p className="text-fg-2">{error.hint}</p>}
      <Button onClick={() => void onRetry()}>Try again</Button>
    </div>
  );
}
