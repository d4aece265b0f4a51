import { clsx } from "clsx";
import { Link as LinkIcon, X } from "lucide-react";
import { useRef } from "react";
import { RecordMarks } from "@/components/annotations/row-annotations";
import { AnsiText } from "@/components/content/ansi/ansi-text";
import { useThreadActions } from "@/components/content/row-actions";
import { SaveFiles } from "@/components/session/files/save-files";
import { OVER_PAGE } from "@/components/session/panes/pane-sizes";
import { useSessionPage } from "@/components/session/session-store";
import { Button, CopyButton, IconButton } from "@/components/ui/button";
import { useFocusOver } from "@/components/ui/main-focus";
import { FailedState, SkeletonRows } from "@/components/ui/states";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { api } from "@/lib/client/api";
import { useRecord } from "@/lib/client/queries";
import { formatBytes, formatCount } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { RecordDetail } from "@/lib/wire/record";
import { RecordFacts } from "./record-facts";

/** A record by its facts, or its line as it is on disk. */
type InspectorTab = "record" | "raw";

/** The pane for one record: its position, parent and children, and full content. A sheet on narrow screens. */
export function Inspector({
  sessionId,
  recordId,
  tab,
  onTab,
  onGo,
  onInspect,
  onContext,
  onClose,
}: {
  sessionId: SessionId;
  recordId: RecordId;
  tab: InspectorTab;
  onTab: (tab: InspectorTab) => void;
  onGo: (recordId: RecordId) => void;
  onInspect: (recordId: RecordId) => void;
  /** Replaces this pane with what the model was sent before the record. */
  onContext: (recordId: RecordId) => void;
  onClose: () => void;
}) {
  const hasFiles = (useSessionPage().session?.counts.files ?? 0) > 0;
  const { data, error, refetch } = useRecord(sessionId, recordId);
  const pane = useRef<HTMLElement>(null);
  useFocusOver(pane);
  const unread = error ? (
    <FailedState title="Couldn’t load this record" error={error} onRetry={() => void refetch()} />
  ) : (
    <SkeletonRows count={8} label="Loading the record" />
  );
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label="Inspector"
      className={clsx(
        "relative flex flex-col border-l border-line-2 bg-panel outline-none",
        OVER_PAGE,
        "max-md:border-l-0",
      )}
    >
      <RecordActions recordId={recordId} onContext={onContext} onClose={onClose} />
      <Tabs
        label="Record"
        value={tab}
        onChange={onTab}
        className="flex min-h-0 flex-1 flex-col"
        tabs={[
          { value: "record", label: "Record" },
          { value: "raw", label: "Raw" },
        ]}
      >
        {/* Mounted while loading too, since each tab refers to its panel. */}
        <TabPanel value="record" className="min-h-0 flex-1 overflow-auto">
          {data ? (
            <RecordFacts
              record={data}
              onGo={onGo}
              onInspect={onInspect}
              atPlace={hasFiles && <SaveFiles at={() => recordId} label="Save all files as they were here" />}
            />
          ) : (
            unread
          )}
        </TabPanel>
        <TabPanel value="raw" className="min-h-0 flex-1 overflow-auto">
          {data ? <RawText sessionId={sessionId} record={data} /> : unread}
        </TabPanel>
      </Tabs>
    </section>
  );
}

/** What can be done with the record that is shown, beside the tabs. */
function RecordActions({
  recordId,
  onContext,
  onClose,
}: Pick<Parameters<typeof Inspector>[0], "recordId" | "onContext" | "onClose">) {
  const { copyLink } = useThreadActions();
  return (
    <span className="absolute top-1 right-2 z-1 flex">
      <Button
        kind="quiet"
        aria-label="Context here"
        title="What the model was sent before this (c)"
        onClick={() => onContext(recordId)}
      >
        {/* Short, so that with large text it keeps clear of the tabs. */}
        Context
      </Button>
      <RecordMarks recordId={recordId} />
      <IconButton
        icon={LinkIcon}
        small
        label="Copy link to this record"
        onClick={() => copyLink?.({ recordId, block: 0 })}
      />
      <IconButton icon={X} small label="Close inspector" keys="i" onClick={onClose} />
    </span>
  );
}

/** A longer text node makes selecting and scrolling slow; the whole line can still be copied. */
const SHOWN_CHARACTERS = 100_000;

/** The record's raw line, as it is on disk. */
function RawText({ sessionId, record }: { sessionId: SessionId; record: RecordDetail }) {
  const { raw, at } = record;
  const shown = textStart(raw.text, SHOWN_CHARACTERS);
  return (
    <>
      <div className="flex h-6 items-center gap-2 border-b border-line px-3 text-11 text-fg-2 tabular-nums">
        <span className="flex-1">
          line {formatCount(at.line)}, {formatBytes(at.length)}
          {(raw.cut || shown.length < raw.text.length) &&
            `, the first ${formatCount(shown.length)} characters`}
        </span>
        <CopyButton text={() => api.rawRecord(sessionId, record.recordId)} label="Copy the whole line" />
      </div>
      <pre className="px-3 py-2 font-mono text-11 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <AnsiText text={shown} />
      </pre>
    </>
  );
}
