import { useSessionPage } from "@/components/session/session-store";
import { Segmented } from "@/components/ui/field";
import { type ViewName, viewOf } from "@/lib/client/address/session-url";

const VIEWS = [
  { value: "thread", label: "Thread" },
  { value: "graph", label: "Graph" },
  { value: "waterfall", label: "Waterfall" },
  { value: "changes", label: "Changes" },
  { value: "context", label: "Context" },
] as const;

/** How a session is shown: its thread, its graph, where its time went, what it changed, or what filled the model's window. */
export function ViewTabs({ onGraph }: { onGraph: () => void }) {
  const { url } = useSessionPage();
  const onView = useOpenView(onGraph);
  return (
    <Segmented<ViewName>
      label="View"
      choices={VIEWS}
      value={viewOf(url)}
      onChange={onView}
      // Between a phone and a laptop the bar may have no room for all of them beside a state: they scroll.
      className="max-md:min-w-0 max-md:shrink-[0.001] max-md:overflow-x-auto max-md:[scrollbar-width:none] max-sm:hidden"
    />
  );
}

/** Shows another view. `onGraph` shows the graph, or the thread where the graph is shown. */
function useOpenView(onGraph: () => void): (view: ViewName) => void {
  const { url, store } = useSessionPage();
  return (view) => {
    const shown = viewOf(url);
    if (view === shown) return;
    if (view === "changes") store.views.openChanges(null);
    else if (view === "context") store.views.openRequests();
    else if (view === "waterfall") store.views.openWaterfall();
    else if (view === "graph" || shown === "graph") onGraph();
    else store.views.close();
  };
}
