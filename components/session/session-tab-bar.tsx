import { ChevronDown, ChevronUp, List, Workflow, X } from "lucide-react";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { TabBar } from "@/components/ui/frame";
import { Icon } from "@/components/ui/icon";
import type { ErrorsResponse } from "@/lib/wire/session";

/** The bar at the foot of a narrow page. */
export function SessionTabBar({
  onOutline,
  jumps,
  errors,
  graphShown,
  onGraph,
}: {
  onOutline: () => void;
  jumps: ThreadJumps;
  errors: ErrorsResponse | null;
  graphShown: boolean;
  onGraph: () => void;
}) {
  return (
    <TabBar label="Session">
      <button type="button" onClick={onOutline}>
        <Icon of={List} />
        Turns
      </button>
      <button type="button" onClick={() => void jumps.byTurn(-1)}>
        <Icon of={ChevronUp} />
        Previous
      </button>
      <button type="button" onClick={() => void jumps.byTurn(1)}>
        <Icon of={ChevronDown} />
        Next
      </button>
      <button type="button" disabled={!errors?.rows.length} onClick={() => void jumps.toError(1)}>
        <Icon of={X} />
        Errors
      </button>
      <button type="button" aria-current={graphShown ? "page" : undefined} onClick={onGraph}>
        <Icon of={Workflow} />
        Graph
      </button>
    </TabBar>
  );
}
