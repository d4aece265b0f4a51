import { ChevronDown, ChevronUp, FileDiff, List, Workflow, X } from "lucide-react";
import { useSessionPage } from "@/components/session/session-store";
import { TabBar } from "@/components/ui/frame/frame";
import { Icon } from "@/components/ui/icon";
import { viewOf } from "@/lib/client/address/session-url";
import type { ErrorsResponse } from "@/lib/wire/session";

const OFF = "disabled:opacity-50";

/** The bar at the foot of a narrow page. */
export function SessionTabBar({
  errors,
  onOutline,
  onGraph,
}: {
  errors: ErrorsResponse | null;
  onOutline: () => void;
  onGraph: () => void;
}) {
  const { url, store } = useSessionPage();
  // As with the keys: nobody would see how the thread moves below.
  const isCovered = viewOf(url) !== "thread";
  return (
    <TabBar label="Session">
      <button type="button" onClick={onOutline}>
        <Icon of={List} />
        Turns
      </button>
      <button
        type="button"
        disabled={isCovered}
        className={OFF}
        onClick={() => void store.thread.stepTurn(-1)}
      >
        <Icon of={ChevronUp} />
        Previous
      </button>
      <button
        type="button"
        disabled={isCovered}
        className={OFF}
        onClick={() => void store.thread.stepTurn(1)}
      >
        <Icon of={ChevronDown} />
        Next
      </button>
      <button
        type="button"
        disabled={isCovered || !hasErrors(errors)}
        className={OFF}
        // The only way to them there: those above are behind the last one.
        onClick={() => void store.thread.stepError(1, true)}
      >
        <Icon of={X} />
        Errors
      </button>
      <button type="button" aria-current={url.view === "graph" ? "page" : undefined} onClick={onGraph}>
        <Icon of={Workflow} />
        Graph
      </button>
      <button
        type="button"
        aria-current={url.view === "changes" ? "page" : undefined}
        onClick={() => (store.views.showsChanges() ? store.views.close() : store.views.openChanges(null))}
      >
        <Icon of={FileDiff} />
        Changes
      </button>
    </TabBar>
  );
}

/** Whether this view shows one, or the session has one that it does not. */
function hasErrors(errors: ErrorsResponse | null): boolean {
  return errors !== null && errors.rows.length + errors.hidden + errors.elsewhere > 0;
}
