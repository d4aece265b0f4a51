import type { ReactNode } from "react";
import { JsonTree } from "@/components/content/json-tree";
import { API_EQUIVALENT, tokenWords } from "@/components/content/text/request-usage";
import { VisibleText } from "@/components/content/text/visible-text";
import { wordsOfMode } from "@/components/thread/rows/prompt-settings";
import { CopyButton } from "@/components/ui/button";
import { formatCost, formatCount, formatDuration, formatFullTime } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { RecordId } from "@/lib/wire/ids";
import type { RecordContext, RecordDetail, RecordHook } from "@/lib/wire/record";

/** A record's facts, position in its file, parent, children and JSON. */
export function RecordFacts({
  record,
  onGo,
  onInspect,
  atPlace,
}: {
  record: RecordDetail;
  onGo: (recordId: RecordId) => void;
  onInspect: (recordId: RecordId) => void;
  /** What can be done at its place. */
  atPlace?: ReactNode;
}) {
  const { at, parent, children, json } = record;
  const show = (recordId: RecordId) => {
    onInspect(recordId);
    onGo(recordId);
  };
  return (
    <>
      <Facts>
        <Fact name="Kind">
          <span className="font-mono">{record.type}</span>
        </Fact>
        <Fact name="At">{record.atMs === null ? "no time in the log" : formatFullTime(record.atMs)}</Fact>
        {record.unreadable && (
          <Fact name="Unreadable">
            <span className="text-err">{record.unreadable}</span>
          </Fact>
        )}
        <ContextFacts context={record.context} />
        <Fact name="Version">{record.version ?? "not recorded"}</Fact>
      </Facts>
      <Section title="Place">{atPlace}</Section>
      <Facts>
        <Fact name="File">
          <span className="font-mono" title={labelHidden(at.file)}>
            {at.file}
          </span>
        </Fact>
        <Fact name="Line">
          {formatCount(at.line)}{" "}
          <span className="text-fg-3">
            byte {formatCount(at.offset)} · {formatCount(at.length)} B
          </span>
        </Fact>
        <Fact name="Record">
          <span className="font-mono">{record.recordId}</span>
        </Fact>
        {record.uuid && (
          <Fact name="UUID">
            <span className="font-mono">{record.uuid}</span>
          </Fact>
        )}
        <Fact name="Parent">
          {parent === null ? (
            "none"
          ) : (
            <RecordLink recordId={parent.recordId} label={parent.uuid} onClick={show} />
          )}
        </Fact>
        <Fact name="Children">
          {children.length === 0 && "none"}
          {children.slice(0, 20).map((child) => (
            <RecordLink key={child} recordId={child} label={child} onClick={show} />
          ))}
          {children.length > 20 && `and ${formatCount(children.length - 20)} more`}
        </Fact>
      </Facts>
      <Section title="JSON">
        {json !== null && <CopyButton text={() => JSON.stringify(json, null, 2)} label="Copy JSON" />}
      </Section>
      <div className="px-3 py-2">
        {json === null ? (
          <p className="text-12 text-fg-2">Not shown as a tree; its text is under Raw.</p>
        ) : (
          <JsonTree key={record.recordId} value={json} openLevels={3} />
        )}
      </div>
    </>
  );
}

const OUTCOMES: Record<NonNullable<RecordHook["outcome"]>, string> = {
  ok: "",
  failed: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
};

/** What the lines around the record say of it; facts that they don't are left out. */
function ContextFacts({ context }: { context: RecordContext | undefined }) {
  // A server that was started before the page was updated does not send it.
  if (!context) return null;
  const { durationMs, permission, mode, hooks, model, usage, isUsageExact } = context;
  const modeWords = mode === null ? null : wordsOfMode(mode);
  return (
    <>
      {durationMs !== null && <Fact name="Duration">{formatDuration(durationMs)}</Fact>}
      {(permission !== null || modeWords !== null) && (
        <Fact name="Permission">{[permission, modeWords].filter(Boolean).join(", ")}</Fact>
      )}
      {hooks.length > 0 && (
        <Fact name="Hooks">
          {hooks.map(({ name, outcome, durationMs: hookMs }, index) => (
            <span key={index} className="block">
              <VisibleText text={name} />
              {hookMs !== null && ` · ${formatDuration(hookMs)}`}
              {outcome && OUTCOMES[outcome] && (
                <span className="font-semibold text-warn"> {OUTCOMES[outcome]}</span>
              )}
            </span>
          ))}
        </Fact>
      )}
      {model !== null && <Fact name="Model">{model}</Fact>}
      {usage && (
        <Fact name="Usage">
          {[tokenWords(usage), !isUsageExact && "of the original, of which this clone leaves out parts"]
            .filter(Boolean)
            .join(" · ")}
        </Fact>
      )}
      {usage && (
        <Fact name="Cost">
          {formatCost(usage.cost.microUsd, usage.cost.unpricedTokens)}{" "}
          <span className="text-fg-3">{API_EQUIVALENT}</span>
        </Fact>
      )}
    </>
  );
}

function RecordLink({
  recordId,
  label,
  onClick,
}: {
  recordId: RecordId | null;
  label: string;
  onClick: (recordId: RecordId) => void;
}) {
  if (!recordId) {
    return (
      <span
        className="block truncate font-mono text-warn"
        title={labelHidden(`${label} is in none of the session’s files`)}
      >
        {label} (missing)
      </span>
    );
  }
  return (
    <button
      type="button"
      title={labelHidden(label)}
      className="block max-w-full truncate font-mono text-accent hover:underline pointer-coarse:min-h-6"
      onClick={() => onClick(recordId)}
    >
      {label}
    </button>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-3 gap-y-0.5 px-3 py-2 text-12/5">{children}</dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="[overflow-wrap:anywhere] tabular-nums">
        {typeof children === "string" ? <VisibleText text={children} /> : children}
      </dd>
    </>
  );
}

function Section({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <h3 className="flex h-6 items-center border-t border-line px-3 text-11 font-semibold text-fg-2">
      <span className="flex-1">{title}</span>
      {children}
    </h3>
  );
}
