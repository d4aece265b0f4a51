import { Button } from "./button";
import { ErrorState } from "./states";

/**
 * In the place of what a part of the page’s own code would draw that did not come. `onRetry` asks for it again; without
 * it, and where the server was updated, the page is loaded anew.
 */
export function PartFault({ title, onRetry }: { title: string; onRetry?: () => void }) {
  const reload = () => window.location.reload();
  return (
    <ErrorState
      title={title}
      message="A part of the page’s own code was not loaded."
      hint="Backscroll may have been stopped or updated meanwhile."
      onRetry={onRetry ?? reload}
    >
      {onRetry && <Button onClick={reload}>Reload the page</Button>}
    </ErrorState>
  );
}
