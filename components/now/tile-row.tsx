import { clsx } from "clsx";
import { ChangedLines, LatestStep } from "@/components/content/text/more-text";
import { asksPerson, callNode, type NodeShape, RailNode } from "@/components/thread/rail/rail-node";
import { RunningRing } from "@/components/ui/marks";
import { Elapsed } from "@/components/ui/time";
import { formatDuration, formatElapsed, formatPlural, withTokens } from "@/lib/format/format";
import { firstWords, textStart } from "@/lib/format/text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { markdownLine } from "@/lib/markup/parse-markdown";
import { shortToolName } from "@/lib/tools/tools";
import type { Row, ToolRow } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";

const LINE = "grid h-6 items-center gap-2 pr-3 text-13 whitespace-nowrap";
/** A call that a person is asked about is what they decide on: it has as many lines as it needs, up to six. */
const ASKING_LINE =
  "relative grid min-h-6 items-start gap-2 pr-3 whitespace-nowrap max-sm:grid-cols-[30px_72px_minmax(0,1fr)_64px]";
const COLUMNS = "grid-cols-[30px_72px_minmax(0,1fr)_auto_64px]";

/** A thread row as one line of a tile. */
export function TileRow({ row }: { row: Row }) {
  if (row.kind === "tool") return <ToolLine row={row} />;
  if (row.kind === "thinking") {
    return (
      <div className={clsx(LINE, COLUMNS, "text-fg-3")}>
        <TileNode node={{ shape: "thinking" }} />
        <span className="text-12">Thinking</span>
        <span className="truncate">{firstWords(row.text.text, MAX_LINE_UNITS)}</span>
        <span />
        <Duration ms={row.durationMs} />
      </div>
    );
  }
  const error = row.kind === "event" && row.level === "error";
  return (
    <div className={clsx(LINE, "grid-cols-[30px_minmax(0,1fr)]", error && "text-err")}>
      <TileNode node={{ shape: error ? "error" : "text" }} />
      <span className="truncate">{textOf(row)}</span>
    </div>
  );
}

/** The type of most agents, which is not worth showing. */
const USUAL_TYPE = "general-purpose";

/** A running agent: its task, its current step and its elapsed time. */
export function TileAgent({ agent }: { agent: AgentEntry }) {
  const { type, description, lane, step, toolCalls, tokens, startedAtMs } = agent;
  return (
    <div className={clsx(LINE, COLUMNS)}>
      <TileNode node={{ shape: "agent-call", lane }} />
      <span className="truncate text-12 font-semibold" title={labelHidden(type ?? undefined)}>
        {type === null || type === USUAL_TYPE ? "Agent" : type}
      </span>
      <span className="truncate text-12">
        {description}
        <LatestStep step={step} />
      </span>
      <span className="text-12 text-run tabular-nums">
        {withTokens(formatPlural(toolCalls, "tool"), tokens)}
      </span>
      <span className="text-right text-12 text-run tabular-nums">
        <Elapsed sinceMs={startedAtMs} format={formatElapsed} />
      </span>
    </div>
  );
}

function ToolLine({ row }: { row: ToolRow }) {
  const runs = row.state === "running";
  const asks = asksPerson(row);
  const failed = row.state === "error" || row.state === "timed-out";
  return (
    <div className={clsx(asks ? ASKING_LINE : LINE, COLUMNS)}>
      {/* The spine ends at the node, however high the line is. */}
      {asks && (
        <span aria-hidden="true" className="absolute top-[19px] bottom-0 left-[10px] w-[10px] bg-bg" />
      )}
      <TileNode node={callNode(row)} />
      <span className={clsx("truncate text-12 font-semibold", asks && "leading-6")}>
        {row.server ?? shortToolName(row.name)}
      </span>
      <span
        className={clsx(
          "text-12",
          asks
            ? "my-[3px] line-clamp-6 leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere]"
            : "truncate",
          !row.agent && "font-mono",
        )}
      >
        {stripAnsi(row.subject)} {row.aside && <span className="text-fg-3">{stripAnsi(row.aside)}</span>}
      </span>
      <span
        className={clsx(
          "flex max-w-44 items-center gap-1.5 truncate text-12",
          // A phone's tile says it in its head.
          failed ? "text-err" : asks ? "leading-6 text-warn max-sm:hidden" : "text-fg-2",
        )}
      >
        {runs && !asks ? (
          <span className="flex flex-none text-run">
            <RunningRing label="running" />
          </span>
        ) : (
          <span className="truncate">{row.result !== null && stripAnsi(row.result)}</span>
        )}
        <ChangedLines added={row.added} removed={row.removed} />
      </span>
      {runs ? (
        <span className={clsx("text-right text-12 tabular-nums", asks ? "leading-6 text-warn" : "text-run")}>
          <Elapsed sinceMs={row.atMs} format={formatElapsed} />
        </span>
      ) : (
        <Duration ms={row.durationMs} />
      )}
    </div>
  );
}

/** A row's node on the tile's spine, drawn as in a thread. */
function TileNode({ node }: { node: NodeShape }) {
  return (
    <span aria-hidden="true" className="relative h-6 [--ground:var(--bg)] [--row:24px] [--spine-x:15px]">
      <RailNode node={node} placed />
    </span>
  );
}

function Duration({ ms }: { ms: number | null }) {
  return (
    <span className="text-right text-12 text-fg-2 tabular-nums">{ms === null ? "" : formatDuration(ms)}</span>
  );
}

function textOf(row: Exclude<Row, ToolRow>): string {
  if (row.kind === "text" || row.kind === "agent-return")
    return firstWords(markdownLine(textStart(row.text.text, MAX_UNITS)), MAX_LINE_UNITS);
  // Its text is what it added to the context, such as a whole file.
  if (row.kind === "context") return row.label;
  if (row.kind === "event") return [row.label, wordsOf(row.text.text)].filter(Boolean).join(" ");
  if ("text" in row) return wordsOf(typeof row.text === "string" ? row.text : row.text.text);
  if (row.kind === "compaction") return "Compacted";
  return row.kind === "blob" ? "An image" : "";
}

function wordsOf(text: string): string {
  return firstWords(stripAnsi(textStart(text, MAX_UNITS)), MAX_LINE_UNITS);
}

/** This much of an answer is read for its line, and this much of the line is drawn. */
const MAX_UNITS = 2_000;
const MAX_LINE_UNITS = 300;
