import { clsx } from "clsx";
import { useEffect } from "react";
import type { useGraphView } from "@/components/graph/use-graph-view";
import { PartFault } from "@/components/ui/part-fault";
import { SkeletonRows } from "@/components/ui/states";
import { type ViewName, viewOf } from "@/lib/client/address/session-url";
import { useKeptKeys, useKeys } from "@/lib/client/key-registry";
import { usePagePart } from "@/lib/client/page-part";
import { useDelayed } from "@/lib/client/use-debounced";
import type { Printed } from "./print/use-print";
import { SESSION_VIEWS } from "./session-parts";
import { useSessionPage } from "./session-store";

/**
 * What can stand in the thread's place: the graph, all that changed, what filled the window, where the time went. The
 * thread waits below.
 */
export function SessionOverlays({
  graph,
  printed,
}: {
  graph: ReturnType<typeof useGraphView>;
  /** Which view is being printed. */
  printed: Printed["view"] | null;
}) {
  const { url, store } = useSessionPage();
  const view = viewOf(url);
  const isCovered = view !== "thread";
  const { code, failed, retry } = usePagePart(SESSION_VIEWS, isCovered);
  const isLate = useDelayed(isCovered && code === null);
  useKeptKeys(isCovered && !failed ? view : null, code !== null);
  useEffect(() => {
    if (!url.view) store.views.reachGoal();
  }, [url.view, store]);
  if (!isCovered) return null;
  return (
    // Over the thread, which is inert meanwhile, and is seen for the moment until the view is there.
    <main
      key={view}
      className={clsx("absolute inset-0 z-10 outline-none", (code || failed || isLate) && "bg-bg")}
      tabIndex={-1}
    >
      {/* Before the view, whose own keys win. The graph has its own from the page around it. */}
      {view !== "graph" && <BackByEscape />}
      {code ? (
        <code.ShownView graph={graph} printed={printed} />
      ) : (
        <MissingView view={view} failed={failed} onRetry={retry} />
      )}
    </main>
  );
}

/** Escape leads out of a view also where it has no key for that: while it asks for what it shows, and where that failed. */
function BackByEscape() {
  const { store } = useSessionPage();
  useKeys([
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: store.views.close },
  ]);
  return null;
}

const TITLES: Record<ViewName, string> = {
  thread: "Couldn’t load the thread",
  graph: "Couldn’t load the graph",
  waterfall: "Couldn’t load the waterfall",
  changes: "Couldn’t load the changes",
  context: "Couldn’t load the context",
  compare: "Couldn’t load the comparison",
};

/** In the place of a view whose code is not there yet, or did not come. */
function MissingView({ view, failed, onRetry }: { view: ViewName; failed: boolean; onRetry: () => void }) {
  const { store } = useSessionPage();
  useKeys([
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: store.views.close },
  ]);
  return failed ? (
    <PartFault title={TITLES[view]} onRetry={onRetry} />
  ) : (
    <SkeletonRows count={12} label="Loading the view" />
  );
}
