import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { loadPromptsNow } from "@/components/graph/graph-sheet";
import { GraphView } from "@/components/graph/graph-view";
import type { useGraphView } from "@/components/graph/use-graph-view";
import { useThreadState } from "@/components/thread/use-thread";
import { parsePermalink, type ThreadUrl, viewOf } from "@/lib/client/address/session-url";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { loadChangesNow } from "./changes/changed-files";
import { ChangesView } from "./changes/changes-view";
import { CompareView } from "./compare/compare-view";
import { loadDifferencesNow } from "./compare/compared-files";
import { knownComparison } from "./compare/use-compare";
import { FileView } from "./files/file-view";
import { Sheet, SheetHead } from "./print/print-sheet";
import { RequestsView } from "./requests/requests-view";
import { useSessionPage } from "./session-store";
import type { WorkInRange } from "./waterfall/selected-part";
import { WaterfallView } from "./waterfall/waterfall-view";

/*
 * The views that stand in the thread's place: the graph, all that changed, what filled the window, where the time went. A
 * part of the page of its own (`session-parts.ts`).
 */

/** The view that the address names. `printed`: which view is being printed. */
export function ShownView({
  graph,
  printed,
}: {
  graph: ReturnType<typeof useGraphView>;
  printed: string | null;
}): ReactNode {
  const { sessionId, session, url, store } = useSessionPage();
  const windows = useThreadState(store.thread, ({ thread }) => thread?.windows ?? null);
  switch (viewOf(url)) {
    case "graph":
      return (
        <GraphView
          sessionId={sessionId}
          windows={windows}
          at={parsePermalink(url.at)?.recordId ?? null}
          onSelect={graph.select}
          onGo={graph.go}
          paper={printed === "graph" ? GraphPaper : null}
        />
      );
    case "changes":
      return url.file ? (
        <FileView key={url.file} path={url.file} />
      ) : (
        <ChangesView
          sessionId={sessionId}
          root={session?.project.path ?? null}
          onFile={store.views.openFile}
          onClose={store.views.close}
          printed={printed === "changes"}
        />
      );
    case "context":
      return <RequestsView printed={printed === "context"} />;
    case "compare":
      return <CompareView printed={printed === "compare"} />;
    case "waterfall":
      return <WaterfallView printed={printed === "waterfall"} />;
    case "thread":
      return null;
  }
}

function GraphPaper({ children }: { children: ReactNode }) {
  return (
    <Sheet>
      <SheetHead />
      {children}
    </Sheet>
  );
}

/** Loads what the view that the address names has on paper and not on screen, while the browser waits to print it. */
export function loadViewNow(
  client: QueryClient,
  { sessionId, session, url }: { sessionId: SessionId; session: SessionDetail | null; url: ThreadUrl },
  part: WorkInRange | null,
): void {
  const view = viewOf(url);
  if (view === "changes")
    loadChangesNow(client, sessionId, { turn: url.turn, part }, session?.project.path ?? null);
  else if (view === "graph") loadPromptsNow(client, sessionId);
  else if (view === "compare") {
    const compared = knownComparison(client, sessionId, url);
    if (compared) loadDifferencesNow(client, compared);
  }
}
