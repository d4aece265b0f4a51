import { type ReactNode, useEffect } from "react";
import { GraphView, type useGraphView } from "@/components/graph/graph-view";
import { useThreadState } from "@/components/thread/use-thread";
import { parsePermalink } from "@/lib/client/session-url";
import { ChangesView } from "./changes/changes-view";
import { CompareView } from "./compare/compare-view";
import { FileView } from "./files/file-view";
import { Sheet, SheetHead } from "./print/print-sheet";
import type { Printed } from "./print/use-print";
import { RequestsView } from "./requests/requests-view";
import { useSessionPage } from "./session-store";
import { WaterfallView } from "./waterfall/waterfall-view";

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
  const { sessionId, session, url, store } = useSessionPage();
  useEffect(() => {
    if (!url.view) store.reachGoal();
  }, [url.view, store]);
  const windows = useThreadState(store.thread, ({ thread }) => thread?.windows ?? null);
  return (
    <>
      {graph.shown && (
        <Over>
          <GraphView
            sessionId={sessionId}
            windows={windows}
            at={parsePermalink(url.at)?.recordId ?? null}
            onSelect={graph.select}
            onGo={graph.go}
            paper={printed === "graph" ? GraphPaper : null}
          />
        </Over>
      )}
      {url.view === "changes" && (
        <Over>
          {url.file ? (
            <FileView key={url.file} path={url.file} />
          ) : (
            <ChangesView
              sessionId={sessionId}
              root={session?.project.path ?? null}
              onFile={store.openFile}
              onClose={store.closeView}
              printed={printed === "changes"}
            />
          )}
        </Over>
      )}
      {url.view === "context" && (
        <Over>
          <RequestsView printed={printed === "context"} />
        </Over>
      )}
      {url.view === "compare" && (
        <Over>
          <CompareView printed={printed === "compare"} />
        </Over>
      )}
      {url.view === "waterfall" && (
        <Over>
          <WaterfallView printed={printed === "waterfall"} />
        </Over>
      )}
    </>
  );
}

/** Over the thread, which is inert meanwhile. */
function Over({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 z-10 bg-bg outline-none" data-main="" tabIndex={-1}>
      {children}
    </div>
  );
}

function GraphPaper({ children }: { children: ReactNode }) {
  return (
    <Sheet>
      <SheetHead />
      {children}
    </Sheet>
  );
}
