import { type ReactNode, useState } from "react";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { Markdown } from "@/components/content/markdown/markdown";
import { CopyButton } from "@/components/ui/button";
import { PlainLink } from "@/components/ui/link";
import { formatCount } from "@/lib/format/format";
import { clip } from "@/lib/format/text";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { type ContextBlock, type ContextEntry, contextBlocks } from "./context-entries";

const SHOWN_RECORDS = 8;

/** An opened message: its blocks, and the records it was built from. */
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
        <PlainLink
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
        </PlainLink>
      ))}
      {recordIds.length > SHOWN_RECORDS && (
        <span>and {formatCount(recordIds.length - SHOWN_RECORDS)} more</span>
      )}
    </p>
  );
}

/** A block of a message. The model's text is rendered as Markdown; tool and client text is shown as is. */
function ContextBlockView({ block, prose }: { block: ContextBlock; prose: boolean }) {
  switch (block.kind) {
    case "text":
      return (
        <Part label="text" chars={block.text.length} copy={block.text}>
          {prose ? <LongText text={block.text} className="px-3 py-1.5" /> : <Wrapped text={block.text} />}
        </Part>
      );
    case "thinking":
      return (
        <Part label="thinking" chars={block.text.length} copy={block.text}>
          <LongText text={block.text} className="px-3 py-1.5 text-fg-2" />
        </Part>
      );
    case "call":
      return (
        <Part
          label={
            <>
              call of <span className="font-semibold text-fg">{block.name}</span>
            </>
          }
          copy={() => JSON.stringify(block.input, null, 2)}
        >
          <div className="px-3 py-1.5">
            <JsonTree value={block.input} openLevels={2} />
          </div>
        </Part>
      );
    case "result":
      return (
        <Part
          label={
            <span className={block.isError ? "text-err" : ""}>{block.isError ? "error" : "result"}</span>
          }
        >
          {block.blocks.length === 0 && <p className="px-3 py-1.5 text-12 text-fg-3">empty</p>}
          {block.blocks.map((one, index) =>
            one.kind === "text" ? (
              <Wrapped key={index} text={one.text} isError={block.isError} />
            ) : (
              <ContextBlockView key={index} block={one} prose={false} />
            ),
          )}
        </Part>
      );
    case "media":
      return (
        <Part label={block.type}>
          <p className="px-3 py-1.5 text-12 text-fg-2">
            {block.mediaType ?? "of an unknown type"}; shown at its record in the thread
          </p>
        </Part>
      );
    case "other":
      return (
        <Part label={block.type} copy={() => JSON.stringify(block.json, null, 2)}>
          <div className="px-3 py-1.5">
            <JsonTree value={block.json} />
          </div>
        </Part>
      );
  }
}

function Wrapped({ text, isError = false }: { text: string; isError?: boolean }) {
  return (
    <div data-wrap="true" className="group/opened">
      <OutputText text={text} isError={isError} />
    </div>
  );
}

function Part({
  label,
  chars,
  copy,
  children,
}: {
  label: ReactNode;
  chars?: number;
  copy?: string | (() => string);
  children: ReactNode;
}) {
  return (
    <div className="border-t border-line first:border-t-0">
      <div className="flex h-control items-center gap-2 bg-panel pr-1 pl-3 text-11 text-fg-3 tabular-nums">
        <span className="flex-1">{label}</span>
        {chars === undefined ? null : <span>{formatCount(chars)} ch</span>}
        {copy && <CopyButton text={copy} label="Copy this block" className="h-5" />}
      </div>
      {children}
    </div>
  );
}

const STEP_CHARACTERS = 6_000;

/** Markdown of any length, revealed in steps: laying out one long text at once would block the page. */
function LongText({ text, className }: { text: string; className?: string }) {
  const [shown, setShown] = useState(STEP_CHARACTERS);
  const left = text.length - shown;
  return (
    <div className={className}>
      <Markdown text={left > 0 ? clip(text, shown) : text} />
      {left > 0 && (
        <button
          type="button"
          className="mt-1 text-12 text-accent hover:underline"
          onClick={() => setShown(shown + STEP_CHARACTERS * 4)}
        >
          {formatCount(left)} more characters
        </button>
      )}
    </div>
  );
}
