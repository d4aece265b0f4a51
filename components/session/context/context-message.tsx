import { formatCount } from "@/lib/format/format-count";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { ContextBlockView } from "./context-block-view";
import { contextBlocks } from "./context-blocks";
import type { ContextEntry } from "./context-entries";

const SHOWN_RECORDS = 8;

/** An opened message: its blocks, and the records that it was made of. */
export function ContextMessage({
  sessionId,
  entry,
  onGo,
}: {
  sessionId: SessionId;
  entry: ContextEntry;
  onGo: (recordId: RecordId) => void;
}) {
  const blocks = contextBlocks(entry.message.content);
  return (
    <>
      {blocks.map((block, index) => (
        <ContextBlockView key={index} block={block} prose={entry.kind === "answer" || entry.kind === "you"} />
      ))}
      {blocks.length === 0 && <p className="px-3 py-1.5 text-12 text-fg-3">without content</p>}
      <RecordLinks sessionId={sessionId} recordIds={entry.recordIds} onGo={onGo} />
    </>
  );
}

function RecordLinks({
  sessionId,
  recordIds,
  onGo,
}: {
  sessionId: SessionId;
  recordIds: readonly RecordId[];
  onGo: (recordId: RecordId) => void;
}) {
  if (recordIds.length === 0) {
    return (
      <p className="border-t border-line px-3 py-1 text-11 text-fg-3">
        Sent by the client, but in none of the session’s records.
      </p>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 border-t border-line px-3 py-1 text-11 text-fg-3">
      In the thread:
      {recordIds.slice(0, SHOWN_RECORDS).map((recordId) => (
        <a
          key={recordId}
          href={`/sessions/${encodeURIComponent(sessionId)}?at=${recordId}`}
          className="font-mono text-accent hover:underline"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
            event.preventDefault();
            onGo(recordId);
          }}
        >
          {recordId}
        </a>
      ))}
      {recordIds.length > SHOWN_RECORDS && (
        <span>and {formatCount(recordIds.length - SHOWN_RECORDS)} more</span>
      )}
    </p>
  );
}
