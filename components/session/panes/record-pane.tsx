import { ContextPane } from "@/components/session/context/context-pane";
import { Inspector } from "@/components/session/inspector/inspector";
import { useSessionPage } from "@/components/session/session-store";
import type { RecordId } from "@/lib/wire/ids";

/** A pane about a record: its facts, or what the model was sent at it. A part of the page of its own (`session-parts.ts`). */
export function RecordPane({
  kind,
  recordId,
  onClose,
}: {
  kind: "record" | "context";
  recordId: RecordId;
  onClose: () => void;
}) {
  const { sessionId, url, setUrl, store } = useSessionPage();
  const shared = { sessionId, recordId, onGo: store.goToRecord, onInspect: store.panes.inspect, onClose };
  return kind === "record" ? (
    <Inspector
      {...shared}
      tab={url.record === "raw" ? "raw" : "record"}
      onTab={(tab) => setUrl({ record: tab === "raw" ? tab : null })}
      onContext={store.panes.showContext}
    />
  ) : (
    <ContextPane {...shared} />
  );
}
