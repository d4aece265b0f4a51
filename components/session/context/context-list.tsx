import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useId, useMemo, useState } from "react";
import { ShowMore, useSteps } from "@/components/content/code/code-line";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { Segmented } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { cx } from "@/lib/client/class-names";
import { formatCount, formatPercent, formatPlural } from "@/lib/format/format";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { ContextShares, MessagesResponse } from "@/lib/wire/messages";
import {
  type ContextEntry,
  type ContextView,
  contextEntries,
  countNew,
  declaredTools,
  estimateTokens,
  formatEstimate,
  formatTools,
  systemParts,
  viewEntries,
} from "./context-entries";
import { ContextMessage } from "./context-message";

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
  const steps = useSteps(entries.length);
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
  if (!dropped) return <span className="text-fg-2">The first request: nothing came before it</span>;
  const fresh = countNew(entries);
  return (
    <>
      <span className="text-fg-2">Since the previous request</span>
      <span className="text-add-fg tabular-nums">
        +{formatPlural(fresh.messages, "message")}, {estimateTokens(fresh.chars)}
      </span>
      {dropped.messages > 0 && (
        <span className="text-del-fg tabular-nums">
          −{formatPlural(dropped.messages, "message")}, {estimateTokens(dropped.chars)}
        </span>
      )}
    </>
  );
}

/** The system prompt and the tools of a recorded request, as lines that open. */
function DeclaredLines({ response, largest }: { response: MessagesResponse; largest: number }) {
  const [open, setOpen] = useState<"system" | "tools" | null>(null);
  const toggle = (which: "system" | "tools") => () => setOpen(open === which ? null : which);
  const parts = systemParts(response.system);
  const tools = declaredTools(response.tools);
  const cached = parts.some((part) => part.cached);
  return (
    <>
      {parts.length > 0 && (
        <div className="border-b border-line">
          <ContextLine
            name="System prompt"
            nameWide
            subject={
              <span className="text-fg-2">{`${formatPlural(parts.length, "part")}${cached ? ", cached" : ""}`}</span>
            }
            chars={response.shares.system}
            largest={largest}
            fill="system"
            open={open === "system"}
            onToggle={toggle("system")}
          >
            {parts.map(({ text }, index) => (
              <div
                key={index}
                data-wrap="true"
                className="group/opened border-t border-line first:border-t-0"
              >
                <OutputText text={text} />
              </div>
            ))}
          </ContextLine>
        </div>
      )}
      {tools.length > 0 && (
        <div className="border-b border-line">
          <ContextLine
            name="Tools"
            nameWide
            subject={<span className="text-fg-2">{formatTools(tools)}</span>}
            chars={response.shares.tools}
            largest={largest}
            fill="system"
            open={open === "tools"}
            onToggle={toggle("tools")}
          >
            {tools.map((tool, index) => (
              <ToolLine key={index} tool={tool} />
            ))}
          </ContextLine>
        </div>
      )}
    </>
  );
}

function ToolLine({ tool }: { tool: ReturnType<typeof declaredTools>[number] }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-expanded={open}
        className="grid min-h-6 w-full grid-cols-[calc(132px*var(--u))_minmax(0,1fr)_auto_auto] items-center gap-x-2 px-3 text-left text-12 whitespace-nowrap -outline-offset-2! hover:bg-raised"
        onClick={() => setOpen(!open)}
      >
        <span className="truncate font-mono">{tool.name}</span>
        <span className="truncate text-fg-3">{tool.description.split("\n", 1)[0]}</span>
        <span className="text-11 text-fg-3">{tool.deferred && "deferred"}</span>
        <span className="text-fg-2 tabular-nums">{estimateTokens(tool.chars)}</span>
      </button>
      {open && (
        <div data-wrap="true" className="group/opened border-t border-line bg-panel">
          {tool.description && <OutputText text={tool.description} />}
          <div className="px-3 pb-2">
            <JsonTree value={tool.schema} openLevels={2} />
          </div>
        </div>
      )}
    </div>
  );
}

const GRID = cx(
  "grid min-h-6 w-full items-center gap-x-2 px-3 text-left text-12 whitespace-nowrap",
  "grid-cols-[12px_12px_26px_56px_minmax(0,1fr)_80px_calc(48px*var(--u))]",
  "max-sm:min-h-8 @max-[440px]/context:grid-cols-[12px_12px_26px_52px_minmax(0,1fr)_calc(48px*var(--u))]",
);

/** A line of the request: sign, number, author, start of the text, size. Opens to show its content. */
function ContextLine({
  sign,
  number,
  name,
  nameWide = false,
  subject,
  chars,
  largest,
  fill,
  open,
  onToggle,
  children,
}: {
  /** `+` for a message that the previous request didn't have, `−` for one that was dropped since. */
  sign?: "+" | "−";
  number?: string;
  name: ReactNode;
  /** The name spans the number's column too. */
  nameWide?: boolean;
  subject: ReactNode;
  chars: number;
  /** The size of the longest line, which is the scale of the bars. */
  largest: number;
  fill: keyof typeof KIND_FILLS;
  /** `undefined` if there is nothing to open. */
  open?: boolean;
  onToggle?: () => void;
  children?: ReactNode;
}) {
  const panel = useId();
  const line = (
    <>
      <span className={cx("text-center", sign === "−" ? "text-del-fg" : "text-add-fg")}>{sign}</span>
      <span className="flex text-fg-3">
        {open === undefined ? null : <Icon of={open ? ChevronDown : ChevronRight} small />}
      </span>
      {nameWide ? null : <span className="text-right text-11 text-fg-3 tabular-nums">{number}</span>}
      <span className={nameWide ? "col-span-2" : "text-fg-2"}>{name}</span>
      <span className={cx("truncate", nameWide && "pl-4")}>{subject}</span>
      <span aria-hidden="true" className="@max-[440px]/context:hidden">
        {chars > 0 && (
          <span
            className={cx("block h-1.5 min-w-0.5", KIND_FILLS[fill])}
            style={{ width: `${largest > 0 ? (100 * chars) / largest : 0}%` }}
          />
        )}
      </span>
      <span
        title={formatEstimate(chars)}
        className={cx("text-right tabular-nums", sign === "−" ? "text-del-fg" : "text-fg-2")}
      >
        {sign === "−" && "− "}
        {estimateTokens(chars)}
      </span>
    </>
  );
  const tint = sign === "+" ? "bg-add-bg" : sign === "−" ? "bg-del-bg" : "hover:bg-raised";
  if (open === undefined) return <div className={cx(GRID, tint)}>{line}</div>;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        onClick={onToggle}
        className={cx(GRID, tint, "-outline-offset-2!")}
      >
        {line}
      </button>
      {open && (
        <div id={panel} className="border-y border-line bg-bg">
          {children}
        </div>
      )}
    </div>
  );
}

/** What a request consists of: a bar in sending order, and the same as a list. */
export function ContextSharesView({ shares, recorded }: { shares: ContextShares; recorded: boolean }) {
  const total = totalChars(shares);
  return (
    <div className="px-3 pt-2 pb-2">
      <div aria-hidden="true" className="flex h-4 gap-px">
        {SHARES.filter(({ key }) => shares[key] > 0).map(({ key, fill }) => (
          <span key={key} className={cx("min-w-0.5", fill)} style={{ flexGrow: shares[key], flexBasis: 0 }} />
        ))}
      </div>
      <ul className="mt-1.5 grid gap-x-6 text-11/[18px] text-fg-2 @min-[480px]/context:grid-cols-2">
        {SHARES.map(({ key, label, fill }) => {
          // Records contain neither; a rebuilt request shows them as unknown instead of 0.
          const unknown = !recorded && (key === "system" || key === "tools");
          if (shares[key] === 0 && !unknown) return null;
          return (
            <li
              key={key}
              title={unknown ? undefined : formatEstimate(shares[key])}
              className="grid grid-cols-[10px_minmax(0,1fr)_auto_44px_36px] items-center gap-x-2 tabular-nums"
            >
              <span aria-hidden="true" className={cx("size-2.5", fill)} />
              <span className="truncate">{label}</span>
              {unknown ? (
                <span className="col-span-3 text-fg-3">not in the log</span>
              ) : (
                <>
                  <span className="text-right whitespace-nowrap text-fg-3">
                    {formatCount(shares[key])} ch
                  </span>
                  <span className="text-right">{estimateTokens(shares[key])}</span>
                  <span className="text-right text-fg-3">
                    {shares[key] * 100 < total ? "<1 %" : formatPercent(shares[key] / total)}
                  </span>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The length of a whole request in characters. */
export function totalChars(shares: ContextShares): number {
  return SHARES.reduce((sum, { key }) => sum + shares[key], 0);
}

/** The parts of a request in sending order. Their tones are neutral, because colours stand for states here. */
const SHARES: readonly { key: keyof ContextShares; label: string; fill: string }[] = [
  {
    key: "system",
    label: "system prompt",
    fill: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
  },
  {
    key: "tools",
    label: "tools",
    fill: "bg-[repeating-linear-gradient(45deg,var(--line-3)_0_1px,var(--raised)_1px_4px)]",
  },
  {
    key: "memory",
    label: "memory",
    fill: "bg-[repeating-linear-gradient(90deg,var(--line-3)_0_2px,var(--bg)_2px_4px)]",
  },
  {
    key: "reminders",
    label: "reminders",
    fill: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  },
  { key: "files", label: "files", fill: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]" },
  { key: "toolOutput", label: "tool output", fill: "bg-fg-3" },
  { key: "conversation", label: "conversation", fill: "bg-fg" },
];

/**
 * The same tones for single messages: solid for you, medium for answers, outlined for results, striped for the client.
 */
const KIND_FILLS = {
  you: "bg-fg",
  answer: "bg-fg-3",
  result: "bg-line-2 shadow-[inset_0_0_0_1px_var(--line-3)]",
  client: "bg-[repeating-linear-gradient(0deg,var(--line-3)_0_1px,var(--bg)_1px_3px)]",
  system: "bg-[repeating-linear-gradient(135deg,var(--line-3)_0_2px,var(--raised)_2px_4px)]",
} as const;
