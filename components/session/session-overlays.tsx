import { GraphView, type useGraphView } from "@/components/graph/graph-view";
import type { OpenThread } from "@/components/thread/open-thread";
import { parsePermalink } from "@/lib/client/session-url";
import type { SessionId } from "@/lib/wire/ids";
import { ChangesView } from "./changes/changes-view";

/** What can stand in the thread's place: the session's graph, or all that it changed. The thread waits below. */
export function SessionOverlays({
  sessionId,
  root,
  at,
  thread,
  graph,
  changes,
}: {
  sessionId: SessionId;
  /** The project's folder, where it is known. */
  root: string | null;
  /** The place that the address names. */
  at: string | null;
  thread: OpenThread | null;
  graph: ReturnType<typeof useGraphView>;
  changes: { shown: boolean; close: () => void };
}) {
  return (
    <>
      {graph.shown && (
        <div className="absolute inset-0 z-10 bg-bg">
          <GraphView
            sessionId={sessionId}
            windows={thread?.windows ?? null}
            at={parsePermalink(at)?.recordId ?? null}
            onSelect={graph.select}
            onGo={graph.go}
          />
        </div>
      )}
      {changes.shown && (
        <div className="absolute inset-0 z-10 bg-bg">
          <ChangesView sessionId={sessionId} root={root} onClose={changes.close} />
        </div>
      )}
    </>
  );
}
