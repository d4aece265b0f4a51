import { type ReactNode, useMemo, useState } from "react";
import { ShowMore, useSteps } from "@/components/content/code/code-line";
import { Segmented } from "@/components/ui/field";
import { formatPlural } from "@/lib/format/format";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { MessagesResponse } from "@/lib/wire/model-requests/messages";
import {
  type ContextEntry,
  type ContextView,
  contextEntries,
  countNew,
  viewEntries,
} from "./context-entries";
import { ContextLine } from "./context-line";
import { ContextMessage } from "./context-message";
import { DeclaredLines } from "./declared-lines";
import { useTokenEstimate } from "./token-estimate";

const VIEWS: { value: ContextView; label: string }[] = [
  { value: "all", label: "All" },
  { value: "changes", label: "Changes" },
  { value: "size", label: "By size" },
];

type ListProps = { sessionId: SessionId; response: MessagesResponse; onGo: (recordId: RecordId) => void };

/** The request in order: system prompt, tools, dropped messages, old messages, new messages. */
export function ContextList({ sessionId, response, onGo }: ListProps) {
  const [view, setView] = useState<ContextView>("all");
  const entries = useMemo(() => contextEntries(response), [response]);
  const items = useMemo(() => viewEntries(entries, view), [entries, view]);
  const largest = Math.max(
    1,
    response.shares.system,
    response.shares.tools,
    ...entries.map(({ chars }) => chars),
  );
  const { dropped } = response;
  const [unfolded, setUnfolded] = useState(false);
  const line = (entry: ContextEntry) => (
    <EntryLine
      key={entry.number}
      sessionId={sessionId}
      entry={entry}
      largest={largest}
      marked={entry.isNew && dropped !== null}
      onGo={onGo}
    />
  );
  return (
    <>
      <div className="flex min-h-7 flex-none flex-wrap items-center gap-x-2 gap-y-1 border-y border-line px-3 py-0.5 text-12 max-sm:py-1.5">
        <SinceBefore entries={entries} dropped={dropped} />
        <span className="flex-1" />
        <Segmented label="Messages" className="h-5!" choices={VIEWS} value={view} onChange={setView} />
      </div>
      <div tabIndex={0} className="min-h-0 flex-1 overflow-auto pb-4 -outline-offset-2!">
        {view !== "changes" && <DeclaredLines response={response} largest={largest} />}
        {dropped && dropped.messages > 0 && (
          <ContextLine
            sign="−"
            name=""
            subject={
              <>
                {formatPlural(dropped.messages, "message")} of the request before{" "}
                <span className="text-fg-2">
                  {dropped.compacted ? "replaced by a compaction’s summary" : "no longer sent"}
                </span>
              </>
            }
            chars={dropped.chars}
            largest={largest}
            fill="result"
          />
        )}
        {items.map((item) =>
          item.kind === "entry" ? (
            line(item.entry)
          ) : (
            <ContextLine
              key="fold"
              number={`1–${item.entries.length}`}
              name=""
              subject={
                <span className="text-fg-2">
                  {formatPlural(item.entries.length, "older message")}, unchanged
                </span>
              }
              chars={item.chars}
              largest={Math.max(largest, item.chars)}
              fill="client"
              open={unfolded}
              onToggle={() => setUnfolded(!unfolded)}
            >
              <Older entries={item.entries} line={line} />
            </ContextLine>
          ),
        )}
      </div>
    </>
  );
}

function Older({
  entries,
  line,
}: {
  entries: readonly ContextEntry[];
  line: (entry: ContextEntry) => ReactNode;
}) {
  const steps = useSteps("entries", entries.length);
  return (
    <>
      {entries.slice(0, steps.shown).map(line)}
      <ShowMore steps={steps} unit="messages" />
    </>
  );
}

function EntryLine({
  sessionId,
  entry,
  largest,
  marked,
  onGo,
}: {
  sessionId: SessionId;
  entry: ContextEntry;
  largest: number;
  marked: boolean;
  onGo: (recordId: RecordId) => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <ContextLine
      sign={marked ? "+" : undefined}
      number={String(entry.number)}
      name={entry.kind}
      subject={<span className={entry.kind === "client" ? "text-fg-2" : ""}>{entry.subject}</span>}
      chars={entry.chars}
      largest={largest}
      fill={entry.kind}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      <ContextMessage sessionId={sessionId} entry={entry} onGo={onGo} />
    </ContextLine>
  );
}

function SinceBefore({
  entries,
  dropped,
}: {
  entries: readonly ContextEntry[];
  dropped: MessagesResponse["dropped"];
}) {
  const estimate = useTokenEstimate();
  if (!dropped) return <span className="text-fg-2">The first request: nothing came before it</span>;
  const fresh = countNew(entries);
  return (
    <>
      <span className="text-fg-2">Since the previous request</span>
      <span className="text-add-fg tabular-nums">
        +{formatPlural(fresh.messages, "message")}, {estimate.short(fresh.chars)}
      </span>
      {dropped.messages > 0 && (
        <span className="text-del-fg tabular-nums">
          −{formatPlural(dropped.messages, "message")}, {estimate.short(dropped.chars)}
        </span>
      )}
    </>
  );
}
