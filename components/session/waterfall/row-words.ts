import { formatClockSeconds, formatDuration, formatMoment, startOfDay } from "@/lib/format/format";
import { shortToolName, toolNamed } from "@/lib/tools/tools";
import type { Span } from "@/lib/wire/spans";
import { isPromptWait, type WaterfallRow } from "./waterfall-model";

/** What is known of lines beside their spans. */
export type RowTexts = {
  subjects: ReadonlyMap<string, string>;
  prompts: ReadonlyMap<number, string>;
};

/** From when to when, each with its day unless that is today, and the second only where it is of another: `24 Oct 22:30:02 – 22:31:10`. */
export function formatTimes({ fromMs, toMs }: { fromMs: number; toMs: number }): string {
  const moment = (atMs: number) => formatMoment(atMs, Date.now(), formatClockSeconds);
  const isSameDay = startOfDay(fromMs) === startOfDay(toMs);
  return `${moment(fromMs)} – ${isSameDay ? formatClockSeconds(toMs) : moment(toMs)}`;
}

/** What a turn's line is called without its prompt. */
export function turnTitle(turn: number): string {
  return turn === 0 ? "Before the first prompt" : `Turn ${turn}`;
}

/** What a span's line is called. */
export function spanTitle(span: Span): string {
  if (span.kind === "model") return span.name === "compaction" ? "compaction" : "model";
  if (span.kind === "human" && span.name === "you")
    return isPromptWait(span) ? "waiting for a prompt" : "waiting for the user";
  return span.kind === "idle" && span.name !== "idle" ? `idle, ${span.name}` : span.name;
}

const FLAWS = {
  missing: "its time is missing in the log",
  equal: "it ended in the millisecond in which it began",
  disordered: "its times are out of order",
  open: "the log does not say that it ended",
};

/** What is to be known of a line's time, in words: that it is a bound, and what is wrong with it. */
export function notesOf(row: WaterfallRow): string[] {
  if (row.kind === "turn") return [];
  const { span, inside } = row;
  const { exact, kind, flaw, critical, background, state } = span;
  const permission = inside.find((one) => one.kind === "permission");
  return [
    ...(state ? [state === "timed-out" ? "timed out" : state === "error" ? "failed" : state] : []),
    ...(flaw ? [FLAWS[flaw]] : []),
    ...(!exact && !flaw
      ? [kind === "model" ? "at most: its start is not in the log" : "at most this long"]
      : []),
    ...(permission
      ? [
          permission.exact
            ? "waiting for permission"
            : "some of it may be waiting for permission, which the log does not tell apart",
        ]
      : []),
    ...(background ? ["in the background"] : []),
    ...(critical ? ["on the critical path"] : []),
  ];
}

/** A line in words: what it is, and what it is about. */
export function wordsOf(
  row: Extract<WaterfallRow, { kind: "span" }>,
  { subjects }: RowTexts,
): { title: string; subject: string; isCode: boolean } {
  const { span, call } = row;
  const subject = subjects.get(span.id) ?? subjects.get(call?.id ?? "") ?? "";
  const title = isTool(span) ? shortToolName(span.name) : spanTitle(span);
  return {
    title,
    subject: subject === title ? "" : subject,
    isCode: isAboutCode(span),
  };
}

function isTool({ kind, name }: Span): boolean {
  return kind === "tool" || (kind === "human" && name !== "you");
}

/** Whether what a span is about is code or a path, not words. */
export function isAboutCode(span: Span): boolean {
  return isTool(span) && toolNamed(span.name)?.prose !== true;
}

/** How long a line took, as its column says it. */
export function tookOf(row: WaterfallRow, nowMs: number | null): string {
  if (row.kind === "turn") return formatDuration(row.workedMs);
  const { startMs, endMs, exact, flaw } = row.span;
  if (flaw === "missing") return "no time";
  if (flaw === "open") return nowMs === null ? "no end" : formatDuration(Math.max(0, nowMs - startMs));
  return `${exact || flaw === "equal" ? "" : "≤ "}${formatDuration(endMs - startMs)}`;
}

/** A line in words: `Bash npm test, 4.2 s, from 14:02:11, failed`. */
export function formatRow(row: WaterfallRow, texts: RowTexts, nowMs: number | null): string {
  const took = tookOf(row, nowMs);
  if (row.kind === "turn")
    return [turnTitle(row.turn), texts.prompts.get(row.turn) ?? "", took].filter(Boolean).join(", ");
  const { title, subject } = wordsOf(row, texts);
  const words = subject === "" ? title : `${title} ${subject}`;
  return [
    words,
    took,
    `from ${formatMoment(row.span.startMs, Date.now(), formatClockSeconds)}`,
    ...notesOf(row),
  ].join(", ");
}
