import { firstPlace } from "@/lib/format/lists";
import { firstWords, textStart } from "@/lib/format/text";
import { userTextKind } from "@/lib/log/adding/user-text";
import type { Branch } from "@/lib/log/graph/branches";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { describeCall } from "@/lib/log/rows/calls/describe-call";
import { userEvent } from "@/lib/log/rows/events";
import { callBlock, callStateOf, cwdOf } from "@/lib/log/rows/tool-row";
import { promptOf, promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import type { LogSpan } from "@/lib/log/spans/log-span";
import { spansOf } from "@/lib/log/spans/session-spans";
import { RecordKind } from "@/lib/log/table/kinds";
import { markdownLine } from "@/lib/markup/parse-markdown";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { SpansCut, SpansQuery } from "@/lib/wire/requests/spans";
import type { Span, SpansPage } from "@/lib/wire/spans";
import type { OpenSession } from "../open-session";
import { pageBySize } from "../page-by-size";
import { readRecords } from "../read-records";
import { chooseBranch } from "./branch-entries";

const NONE = -1;
/** Some 5 MB as JSON. */
const MAX_SPANS = 30_000;
/** Page by page a browser takes more: some 20 MB there. */
const MAX_PAGED_SPANS = 60_000;
const MAX_SUBJECT = 160;
/** This much of an answer is read for its line, in which Markdown's marks are not shown. */
const MAX_ANSWER_UNITS = 1_000;
const KEEP_BYTES = 2048;

/** A branch's spans, cached with its graph: a page requests them again to learn what some of them are about. */
const kept = new WeakMap<SessionGraph, { leaf: number; spans: LogSpan[] }>();

/**
 * Where the time of a branch's turns went. If a branch has more spans than an answer may have, only the last turns that
 * fit; one turn is always complete.
 */
export async function spansOfBranch(session: OpenSession, query: SpansQuery): Promise<Span[]> {
  const told = toldSpans(session, query);
  if (!told) return [];
  const answer = told.given.map((index) => toWire(session, told, index));
  if (!query.only) return answer;
  const subjects = await subjectsOf(
    session,
    told.given.map((index) => told.spans[index] as LogSpan),
  );
  return answer.map((span, index) => ({ ...span, subject: subjects[index] ?? "" }));
}

/** The same page by page, without what they are about. Throws ViewerError `bad-cursor`. */
export function pageOfSpans(session: OpenSession, query: SpansQuery & SpansCut): SpansPage {
  const told = toldSpans(session, query, MAX_PAGED_SPANS);
  const given = told?.given ?? [];
  const { items, nextCursor } = pageBySize(given, query, (index) => toWire(session, told as Told, index));
  return { spans: items, total: given.length, turnsLeftOut: told?.turnsLeftOut ?? 0, nextCursor };
}

/** Which spans are given group by group. `withSubjects`: with what they are about, which is read from their lines. */
export type SpanGroupsQuery = Pick<SpansQuery, "branch" | "turn"> & { withSubjects: boolean };

/** The number of spans in a group. */
const GROUP = 2_000;

/** All spans of a branch or of turns of it, in order, in groups: however many there are, one group is in memory. */
export async function* spanGroups(
  session: OpenSession,
  { branch, turn, withSubjects }: SpanGroupsQuery,
): AsyncGenerator<Span[]> {
  const told = toldSpans(session, { branch, turn, only: null }, Number.POSITIVE_INFINITY);
  if (!told) return;
  for (let from = 0; from < told.given.length; from += GROUP) {
    const group = told.given.slice(from, from + GROUP);
    const answer = group.map((index) => toWire(session, told, index));
    if (!withSubjects) {
      yield answer;
      await nextSlice();
      continue;
    }
    const subjects = await subjectsOf(
      session,
      group.map((index) => told.spans[index] as LogSpan),
    );
    yield answer.map((span, index) => ({ ...span, subject: subjects[index] ?? "" }));
  }
}

/** The spans of a branch, and which of them are asked for; null for a branch that has no record. */
function toldSpans(session: OpenSession, query: SpansQuery, most = MAX_SPANS): Told | null {
  const branch = chooseBranch(session, { branch: query.branch, agent: null }, null);
  if (!branch) return null;
  const { from, to } = query.turn ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const spans = spansIn(session, branch, query.turn !== null && from === to ? from : null);
  const wanted = query.only && new Set(query.only);
  const asked: number[] = [];
  for (const [index, span] of spans.entries())
    if (span.turn >= from && span.turn <= to && (!wanted || wanted.has(idOf(session, span))))
      asked.push(index);
  const behind = overlapping(
    spans.filter(({ background, parent }) => background && !spans[parent]?.background),
  );
  const given = wholeTurns(spans, asked, most);
  const leftOut = asked.slice(0, asked.length - given.length);
  return { spans, given, turnsLeftOut: new Set(leftOut.map((index) => spans[index]?.turn)).size, behind };
}

function spansIn(session: OpenSession, branch: Branch, turn: number | null): LogSpan[] {
  const { table, graph } = session;
  const known = kept.get(graph);
  if (known?.leaf === branch.leaf) return known.spans;
  const path = session.path(branch);
  if (turn !== null) return spansOf(table, graph, path, { from: turn, to: turn });
  const spans = spansOf(table, graph, path, { from: 0, to: path.turns.length });
  kept.set(graph, { leaf: branch.leaf, spans });
  return spans;
}

/** These spans without those of the first turns, which do not fit. */
function wholeTurns(spans: readonly LogSpan[], asked: readonly number[], most: number): readonly number[] {
  const turnOf = (index: number | undefined) => spans[index ?? 0]?.turn;
  let from = Math.max(0, asked.length - most);
  const last = turnOf(asked.at(-1));
  // The turn that would be cut is left out, unless it is the last one.
  if (from > 0 && turnOf(asked[from]) !== last)
    while (turnOf(asked[from]) === turnOf(asked[from - 1])) from += 1;
  else while (from > 0 && turnOf(asked[from - 1]) === last) from -= 1;
  return asked.slice(from);
}

const LETTERS: Readonly<Record<LogSpan["source"], string>> = {
  answer: "a",
  compaction: "z",
  call: "t",
  permission: "p",
  background: "b",
  hook: "h",
  command: "c",
  agent: "g",
  wait: "w",
};

function idOf(session: OpenSession, { source, kind, thread, round, record, block }: LogSpan): string {
  if (source === "agent") return `g.${session.graph.threads[thread]?.agentId ?? thread}.${round}`;
  const place = record === NONE ? "0" : session.recordId(record);
  return `${source === "wait" && kind === "idle" ? "i" : LETTERS[source]}.${place}.${Math.max(0, block)}`;
}

/** `given`: the places of those that are asked for, but for the first turns of these, so many as are left out. */
type Told = {
  spans: readonly LogSpan[];
  given: readonly number[];
  turnsLeftOut: number;
  behind: ReturnType<typeof overlapping>;
};

/** Whether any of these is running between two times. */
export function overlapping(
  spans: readonly Pick<LogSpan, "startMs" | "endMs">[],
): (fromMs: number, toMs: number) => boolean {
  const sorted = spans
    .map(({ startMs, endMs }) => ({ startMs, endMs }))
    .sort((a, b) => a.startMs - b.startMs);
  /** For each the latest end of it and of all that began before it. */
  const reach: number[] = [];
  for (const { endMs } of sorted) reach.push(Math.max(endMs, reach.at(-1) ?? endMs));
  return (fromMs, toMs) => {
    const behind = firstPlace(0, sorted.length, (index) => (sorted[index]?.startMs ?? 0) >= toMs);
    return behind > 0 && (reach[behind - 1] ?? fromMs) > fromMs;
  };
}

function toWire(session: OpenSession, { spans, behind }: Told, index: number): Span {
  const span = spans[index] as LogSpan;
  const { parent, kind, startMs, endMs, exact, flaw, background, path, turn, block, thread } = span;
  const of = session.graph.threads[thread];
  const state = span.source === "call" ? callStateOf(session.table, span.call) : "ok";
  const wire: Span = {
    id: idOf(session, span),
    parentId: parent === NONE ? null : idOf(session, spans[parent] as LogSpan),
    kind,
    name: nameOf(session, behind, span),
    startMs,
    endMs,
    exact,
    critical: path.length > 0,
    recordId: session.recordId(Math.max(0, span.record)),
    block: Math.max(0, block),
    turn,
  };
  // Field by field: spreading thousands of objects took half of an answer's time.
  if (of?.agentId != null) wire.agentId = of.agentId;
  if (kind === "agent" && of) wire.lane = of.lane;
  if (background) wire.background = background;
  if (flaw) wire.flaw = flaw;
  if (state !== "ok" && state !== "no-result" && state !== "running") wire.state = state;
  if (path.length > 0) wire.path = path;
  return wire;
}

function nameOf({ table, graph }: OpenSession, behind: Told["behind"], span: LogSpan): string {
  switch (span.source) {
    case "call":
    case "background":
    case "permission":
      return table.tools.at(table.calls.tool.at(span.call)) ?? "unknown tool";
    case "answer": {
      const message = table.records.message.at(span.record);
      return (message === NONE ? null : table.models.at(table.messages.model.at(message))) || "model";
    }
    case "agent": {
      const thread = graph.threads[span.thread];
      return thread?.description ?? thread?.type ?? "agent";
    }
    case "wait":
      if (span.kind === "human") return "you";
      return behind(span.startMs, span.endMs) ? "agents in the background" : "idle";
    default:
      return span.source;
  }
}

/** The subjects of spans, read from their lines. */
async function subjectsOf(session: OpenSession, spans: readonly LogSpan[]): Promise<string[]> {
  const recordOf = ({ source, record }: LogSpan) =>
    source === "wait" ? promptRecord(session, record) : record;
  const read = await readRecords(session, spans.map(recordOf), KEEP_BYTES);
  return spans.map((span) => firstWords(subjectOf(span, read(recordOf(span))), MAX_SUBJECT));
}

function subjectOf({ source, kind, block }: LogSpan, record: SessionRecord | null): string {
  switch (source) {
    case "call":
    case "background":
    case "permission":
    case "agent": {
      const use = callBlock(record, block);
      if (!use) return "";
      const { name, input } = use;
      const facts = {
        name,
        input,
        cwd: cwdOf(record),
        isError: false,
        text: null,
        isCut: false,
        result: null,
      };
      return describeCall(facts).subject;
    }
    case "answer": {
      const text =
        record?.kind === "assistant" ? record.blocks.find((one) => one.kind === "text") : undefined;
      return text?.kind === "text" ? markdownLine(textStart(text.text, MAX_ANSWER_UNITS)) : "";
    }
    case "hook":
      return record?.kind === "attachment" ? (asString(record.attachment.hookName) ?? "") : "";
    case "command":
      return commandOf(record) ?? "";
    case "wait":
      return kind === "human" ? (commandOf(record) ?? promptTitle(record)) : "";
    default:
      return "";
  }
}

/** The command that a line gives, as its row shows it; `null` for any other line. */
function commandOf(record: SessionRecord | null): string | null {
  const text = promptOf(record);
  const kind = userTextKind(text);
  return kind === "command" || kind === "bash" ? (userEvent(RecordKind.command, text)?.label ?? null) : null;
}
