import { clsx } from "clsx";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { Rail } from "@/components/thread/rail/rail";
import { type NodeShape, RailRowContext } from "@/components/thread/rail/rail-node";
import { Chevron } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Tag } from "@/components/ui/marks";
import { Elapsed } from "@/components/ui/time";
import { useIsGuest } from "@/lib/client/connection/token";
import { usePreferences } from "@/lib/client/preferences";
import { formatClockSeconds, formatDuration, formatElapsed, formatFullTime } from "@/lib/format/format";
import { firstWords, textStart } from "@/lib/format/text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import { type InheritedRow, type Row, rowKindFacts } from "@/lib/wire/rows";

const LINE = "grid h-row items-center gap-x-2 pr-3 whitespace-nowrap";

const GRID = clsx(
  LINE,
  "grid-cols-[16px_calc(84px*var(--u))_minmax(0,1fr)_auto_104px_calc(52px*var(--u))]",
  // Where there is little room, a long result is cut before it pushes the duration out of the row.
  "sm:@max-[720px]/thread:grid-cols-[16px_calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)_calc(48px*var(--u))]",
  // Beside two panes there may be no room for a duration beside a result.
  "sm:@max-[400px]/thread:grid-cols-[16px_calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)]",
  "max-sm:grid-cols-[calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)]",
);

/** The same with the row's time behind its result. */
const TIMED_GRID = clsx(
  LINE,
  "grid-cols-[16px_calc(84px*var(--u))_minmax(0,1fr)_auto_calc(56px*var(--u))_104px_calc(52px*var(--u))]",
  "sm:@max-[720px]/thread:grid-cols-[16px_calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)_calc(56px*var(--u))_calc(48px*var(--u))]",
  "sm:@max-[400px]/thread:grid-cols-[16px_calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)_calc(56px*var(--u))]",
  "max-sm:grid-cols-[calc(76px*var(--u))_minmax(0,1fr)_minmax(0,auto)_calc(56px*var(--u))]",
);

/** A one-line row: chevron, name, subject, result, span, duration. Text that doesn't fit is truncated. */
export function RowLine({
  row,
  open,
  onToggle,
  name,
  nameTone = "plain",
  subject,
  prose = false,
  result,
  tone = "plain",
  barTone = "done",
  runsSinceMs = null,
}: {
  row: Row;
  /** `null` if there is nothing to open. */
  open: boolean | null;
  onToggle?: () => void;
  name: ReactNode;
  nameTone?: keyof typeof NAME_TONES;
  subject: ReactNode;
  /** The subject is prose rather than code. */
  prose?: boolean;
  result?: ReactNode;
  tone?: keyof typeof TONES;
  barTone?: "done" | "error" | "running" | "waiting" | "thin";
  /** Set for a row that is still running: its elapsed time is counted up. */
  runsSinceMs?: number | null;
}) {
  const { rowTimes } = usePreferences();
  const duration = row.durationMs === null ? null : formatDuration(row.durationMs);
  return (
    // A click anywhere on the line does what the chevron does.
    <div
      className={clsx(rowTimes ? TIMED_GRID : GRID, open !== null && "hover:bg-(--hover)")}
      onClick={
        open === null ? undefined : (event) => !event.defaultPrevented && selectsNothing() && onToggle?.()
      }
    >
      {open === null ? (
        <span className="max-sm:hidden" />
      ) : (
        <RowToggle row={row} open={open} onToggle={onToggle} />
      )}
      <span className={clsx("cut-end text-12", NAME_TONES[nameTone])}>{name}</span>
      <span
        data-log={row.kind === "tool" ? "input" : ""}
        className={clsx("cut-end", prose ? "text-12" : "font-mono text-code", SUBJECT_TONES[tone])}
      >
        {subject}
      </span>
      {(result || duration || row.marks) && (
        <span className={clsx("flex min-w-0 items-center gap-2 text-12 tabular-nums", TONES[tone])}>
          <RowTags marks={row.marks} />
          {result}
          {!result && duration && <span className="text-fg-2 sm:@min-[400px]/thread:hidden">{duration}</span>}
        </span>
      )}
      {rowTimes && <RowTime row={row} className="col-start-5 text-right max-sm:col-start-4" />}
      {row.span && <SpanBar row={row} tone={barTone} column={rowTimes ? "col-start-6" : "col-start-5"} />}
      {(duration || runsSinceMs !== null) && (
        <span
          title={row.atMs === null ? undefined : formatFullTime(row.atMs)}
          className={clsx(
            "-col-end-1 text-right text-12 tabular-nums max-sm:hidden @max-[400px]/thread:hidden",
            runsSinceMs === null ? "text-fg-2" : tone === "warn" ? "text-warn" : "text-run",
          )}
        >
          {runsSinceMs === null ? duration : <Elapsed sinceMs={runsSinceMs} format={formatElapsed} />}
        </span>
      )}
    </div>
  );
}

/**
 * Opens and closes a row. It is the accessible control, with the key `o`, or in a thread inside a row, which has no keys,
 * with Tab.
 */
function RowToggle({ row, open, onToggle }: { row: Row; open: boolean; onToggle: (() => void) | undefined }) {
  const { toRow } = useThreadActions();
  return (
    <button
      type="button"
      tabIndex={toRow ? -1 : undefined}
      data-openable
      aria-expanded={open}
      aria-label={labelHidden(`${open ? "Close" : "Open"} ${rowName(row)}`)}
      className="justify-self-start rounded-1 text-fg-3 hover:text-fg max-sm:hidden"
      onClick={(event) => {
        // Keeps the click from toggling the row a second time through the line; the row is still selected.
        event.preventDefault();
        onToggle?.();
      }}
    >
      <Chevron open={open} />
    </button>
  );
}

/** When a row was written, by the second; the day is on hover. Shown where the reader has chosen it. */
export function RowTime({ row: { atMs }, className }: { row: Pick<Row, "atMs">; className: string }) {
  if (atMs === null) return null;
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={formatFullTime(atMs)}
      data-log="none"
      className={clsx("text-12 text-fg-3 tabular-nums select-none", className)}
    >
      {formatClockSeconds(atMs)}
    </time>
  );
}

const MAX_NAME = 80;
const MAX_LABEL = 200;

/** What a row is called where it is not seen: `Bash npm test`, `Thinking`, `an answer`. */
function rowName(row: Row, limit = MAX_NAME): string {
  const { name } = rowKindFacts(row.kind);
  return firstWords(nameParts(row, name).filter(Boolean).join(" "), limit);
}

/** What a row says of itself when it gets the focus: its name, and of a call how it ended where that was not well. */
export function rowLabel(row: Row): string {
  const state = row.kind === "tool" && row.state !== "ok" ? row.state.replace("-", " ") : "";
  return [rowName(row, MAX_LABEL), state].filter(Boolean).join(", ");
}

function nameParts(row: Row, kind: string): (string | null)[] {
  switch (row.kind) {
    case "turn":
      return [`turn ${row.turn}:`, firstLine(row.prompt.text)];
    case "tool":
      return [row.server ?? shortToolName(row.name), row.server ? row.name : null, stripAnsi(row.subject)];
    case "run":
      return [row.server ?? shortToolName(row.name), row.subject];
    case "event":
    case "context":
      return [row.label];
    case "bookkeeping":
    case "unknown":
      return [row.type];
    case "thinking":
    case "text":
    case "agent-return":
      return [`${kind}:`, firstProseLine(row.text.text)];
    default:
      return [kind];
  }
}

/** Whether a click ended without selecting text. A drag that selects text should not open the row. */
function selectsNothing(): boolean {
  return window.getSelection()?.isCollapsed !== false;
}

const TONES = {
  plain: "text-fg-2",
  quiet: "text-fg-3",
  err: "text-err",
  warn: "text-warn",
  run: "text-run",
  stopped: "text-fg-2",
};

const NAME_TONES = { plain: "font-semibold", quiet: "text-fg-2", quietest: "text-fg-3" };

const SUBJECT_TONES: Record<keyof typeof TONES, string> = {
  plain: "text-fg",
  quiet: "text-fg-3",
  err: "text-fg",
  warn: "text-fg-2",
  run: "text-fg",
  stopped: "text-fg-2",
};

const SPAN_TONES = {
  done: "h-1 bg-fg-3",
  thin: "h-0.5 bg-line-3",
  error: "h-1 bg-err",
  running: "h-1 bg-run",
  waiting: "h-1.5 border border-warn",
};

/** The row's share of its turn's duration, in the span column. */
function SpanBar({
  row,
  tone,
  column,
}: {
  row: Row;
  tone: keyof typeof SPAN_TONES;
  column: "col-start-5" | "col-start-6";
}) {
  const turnMs = useContext(RailRowContext)?.turnMs;
  if (!row.span || !turnMs) return null;
  const from = Math.min(99, Math.max(0, (row.span.fromMs / turnMs) * 100));
  const width = Math.min(100 - from, Math.max(0, ((row.span.toMs - row.span.fromMs) / turnMs) * 100));
  return (
    <i
      aria-hidden="true"
      className={clsx(
        column,
        "min-w-0.5 rounded-[1px] @max-[720px]/thread:hidden max-sm:hidden",
        SPAN_TONES[tone],
      )}
      style={{ marginLeft: `${from}%`, width: `${width}%` }}
    />
  );
}

/** The first line with text, for one-line rows, without ANSI codes. */
export function firstLine(text: string, characters = 300): string {
  return textStart(/\S.*/.exec(stripAnsi(text.slice(0, 4_000)))?.[0] ?? "", characters);
}

/** The first line of a Markdown text, without its markup. Underscores inside names are kept. */
export function firstProseLine(text: string, characters = 300): string {
  const line = firstLine(text, 2 * characters)
    .replace(/^(?:#{1,6}|[-*>])\s+/, "")
    .replace(/[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}/g, "")
    .replace(/(?<![\w_])_{1,2}(?=[^\s_])([^_]*)(?<=[^\s_])_{1,2}(?![\w_])/g, "$1");
  return textStart(line, characters);
}

/** A row's frame: rail on the left, content on the right, and the tint of the selected row behind both. */
export function RowFrame({
  node,
  selected,
  tint = "line",
  children,
}: {
  node: NodeShape;
  selected: boolean;
  /** How much of it the selection tints: its line, all of it, or all of it faintly where that is prose. */
  tint?: "line" | "whole" | "prose";
  /** A line and what is open below it: at most two elements, beside the rail. */
  children: ReactNode;
}) {
  const { lane } = useThreadActions();
  return (
    <div
      className={clsx(
        "grid grid-cols-[var(--rail)_minmax(0,1fr)]",
        // Positioned only where the tint is behind it: a positioned element costs the browser more.
        selected && "relative isolate [--hover:transparent]",
        selected && (tint === "prose" ? "[--ground:var(--sel-faint)]" : "[--ground:var(--sel)]"),
      )}
    >
      {selected && <RowTint height={tint} />}
      <Rail node={node} lane={lane} opens />
      {children}
    </div>
  );
}

/** The selection's tint, with a bar at the left edge; the focused row has a frame as well. */
export function RowTint({ height }: { height: keyof typeof TINTS }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "absolute inset-x-0 top-0 -z-1 border-l-2 border-accent",
        "group-focus-visible/row:ring-2 group-focus-visible/row:ring-accent group-focus-visible/row:ring-inset",
        TINTS[height],
      )}
    />
  );
}

/** A long answer would be flooded by the tint of a line. */
const TINTS = {
  line: "h-row bg-sel",
  twoLines: "h-10 bg-sel",
  whole: "h-full bg-sel",
  prose: "h-full bg-sel-faint",
};

/** Props of every kind of row. */
export type RowProps<Kind extends Row["kind"]> = {
  row: Extract<Row, { kind: Kind }>;
  open: boolean;
  selected: boolean;
};

/** A row of any kind, with how long its turn took, where that is known. */
export type AnyRowProps = RowProps<Row["kind"]> & { turnMs: number | null };

/** Draws a row of a thread. Given to what an opened row shows, which may hold a thread of its own. */
export const RowViewContext = createContext<ComponentType<AnyRowProps>>(() => null);

/** How long the turns among these rows took, by their number: the scale of their rows' spans. */
export function turnSpans(rows: Iterable<Row>): ReadonlyMap<number, number | null> {
  const spans = new Map<number, number | null>();
  for (const row of rows) if (row.kind === "turn") spans.set(row.turn, row.durationMs);
  return spans;
}

/** A newer server than this page may send others. */
const MARKS: Record<NonNullable<Row["marks"]>[number], { word: string; means: string }> = {
  deleted: { word: "deleted", means: "Deleted by the user; the line is still in the log" },
  aborted: { word: "cut off", means: "Stopped while it was being written; the log has no more" },
};

/** Tags for what the log says about the whole line, such as deleted. The row itself is dimmed. */
export function RowTags({ marks }: Pick<Row, "marks">) {
  return marks?.map((mark) => (
    <span key={mark} title={MARKS[mark]?.means} className="flex-none leading-none">
      <Tag>{MARKS[mark]?.word ?? mark}</Tag>
    </span>
  ));
}

/** A newer server than this page may send other ways. */
const CARRIED: Readonly<Record<InheritedRow["way"], { words: string; about: string }>> = {
  from: { words: "from the previous session", about: "Carried over from" },
  to: { words: "result in the next session", about: "Answered in" },
  on: { words: "to the next session", about: "Goes on in" },
};

/**
 * Links to the session that a row was carried over from, or that its own goes on in: carrying out a plan starts a session
 * with lines of the one before.
 */
export function InheritedLink({ carried }: { carried: InheritedRow }) {
  const { way, sessionId, title, recordId } = carried;
  const { words, about } = CARRIED[way] ?? { words: "to the other session", about: "Belongs to" };
  const query = recordId === null ? "" : `?at=${encodeURIComponent(recordId)}`;
  // The other session was not shared.
  if (useIsGuest()) return null;
  return (
    <Link
      prefetch={false}
      tabIndex={-1}
      href={`/sessions/${encodeURIComponent(sessionId)}${query}`}
      title={labelHidden(`${about} “${title}”`)}
      className="flex-none text-accent hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {words}
    </Link>
  );
}
