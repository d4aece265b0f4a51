import type { TimeRange } from "@/lib/client/address/session-url";
import { formatCount } from "@/lib/format/format";
import { addTo } from "@/lib/format/lists";
import { shortToolName } from "@/lib/tools/tools";
import { NO_CALLS, type Span, type SpanKind } from "@/lib/wire/spans";

/** A line of the chart: a turn, or a span with what is drawn in it as well. */
export type WaterfallRow =
  | { kind: "turn"; key: string; turn: number; first: Span; startMs: number; endMs: number; workedMs: number }
  | {
      kind: "span";
      key: string;
      span: Span;
      depth: number;
      /** Of an agent: the call that it has this line from. */
      call: Span | null;
      /** Its wait for permission, and what went on of it in the background. */
      inside: Span[];
    };

/** What is left out of the chart. */
export type WaterfallShown = { model: boolean; waiting: boolean };

/** The spans of a session, by what contains them. */
export type WaterfallModel = {
  spans: readonly Span[];
  childrenOf: ReadonlyMap<string | null, readonly Span[]>;
  /** So many of the first turns are not among them, since there are too many steps for a page. */
  turnsLeftOut: number;
};

/** Sorts what an answer gave. */
export function readSpans(spans: readonly Span[], turnsLeftOut = 0): WaterfallModel {
  const childrenOf = new Map<string | null, Span[]>();
  for (const span of spans) {
    addTo(childrenOf, span.parentId, span);
  }
  for (const list of childrenOf.values())
    list.sort((a, b) => a.turn - b.turn || a.startMs - b.startMs || b.endMs - a.endMs);
  return { spans, childrenOf, turnsLeftOut };
}

/** The lines of the chart: each turn, then its spans by when they began, what they contain below them. */
export function waterfallRows(model: WaterfallModel, shown: WaterfallShown): WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  const top = model.childrenOf.get(null) ?? [];
  for (let index = 0; index < top.length; ) {
    const { turn } = top[index] as Span;
    let end = index;
    while (top[end]?.turn === turn) end += 1;
    const own = top.slice(index, end);
    index = end;
    const worked = own.filter(isWork);
    const { startMs, endMs } = extentOf(
      worked.length > 0 ? worked : own.filter((span) => !isPromptWait(span)),
    );
    // A command for the model may come a day after the last answer: none of it is the turn's time.
    const pauses = own.filter((span) => isWaitForYou(span) && span.startMs >= startMs && span.endMs <= endMs);
    const pausedMs = pauses.reduce((sum, pause) => sum + pause.endMs - pause.startMs, 0);
    const workedMs = Number.isFinite(startMs) ? endMs - startMs - pausedMs : 0;
    const first = own[0] as Span;
    rows.push({ kind: "turn", key: `turn ${turn}`, turn, first, startMs, endMs, workedMs });
    addRows(own);
  }
  return rows;

  function addRows(own: readonly Span[]): void {
    const waiting = own.toReversed().map((span) => ({ span, depth: 0 }));
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { span, depth } = next;
      const children = model.childrenOf.get(span.id) ?? [];
      const agents = children.filter(({ kind }) => kind === "agent");
      // An agent has the line of its call: they are one thing to a reader.
      const [only] = agents.length === 1 && span.kind === "tool" ? agents : [];
      const inside = children.filter((child) => isDrawnInside(child));
      const row: WaterfallRow = {
        kind: "span",
        key: (only ?? span).id,
        span: only ?? span,
        depth,
        call: only ? span : null,
        inside,
      };
      if (isShown(span, shown)) rows.push(row);
      const below = children.filter((child) => child !== only && !isDrawnInside(child));
      const held = only ? [...below, ...(model.childrenOf.get(only.id) ?? [])] : below;
      for (const child of held.toReversed()) waiting.push({ span: child, depth: depth + 1 });
    }
  }
}

function isShown({ kind, name }: Span, shown: WaterfallShown): boolean {
  if (kind === "model") return shown.model;
  return shown.waiting || !(kind === "idle" || (kind === "human" && name === "you"));
}

function isDrawnInside({ kind, background }: Span): boolean {
  return kind === "permission" || (background === true && kind === "tool");
}

/** The span whose row in the thread a line leads to: of an agent its call, of a turn the first that has a line. */
export function spanToGo(rows: readonly WaterfallRow[], index: number): Span | null {
  const [row, below] = [rows[index], rows[index + 1]];
  if (row?.kind === "span") return row.call ?? row.span;
  return below?.kind === "span" ? (below.call ?? below.span) : (row?.first ?? null);
}

/** The wait for the next prompt, or for a command, which may come hours behind the work: no turn's own time. */
export function isWaitForYou({ kind, name }: Span): boolean {
  return kind === "human" && name === "you";
}

/** The wait for the next prompt alone, which is on no turn's critical path. */
export function isPromptWait(span: Span): boolean {
  return isWaitForYou(span) && !span.critical;
}

/** A part of the work on a turn: no wait, and nothing that may come long behind it, a command or a compaction. */
function isWork({ kind, name, background }: Span): boolean {
  if (background || kind === "idle" || (kind === "human" && name === "you")) return false;
  return !(kind === "tool" && name === "command") && !(kind === "model" && name === "compaction");
}

/** What the model asked for: hooks and commands are no calls, a question to the reader is one. */
function isCall({ kind, name, background }: Span): boolean {
  return kind === "tool" ? !background && !NO_CALLS.has(name) : kind === "human" && name !== "you";
}

function extentOf(spans: readonly Span[]): { startMs: number; endMs: number } {
  let [startMs, endMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    startMs = Math.min(startMs, span.startMs);
    endMs = Math.max(endMs, span.endMs);
  }
  return { startMs, endMs };
}

/** Whether anything of a span lies in a range. */
export function overlapsRange({ startMs, endMs }: Span, { fromMs, toMs }: TimeRange): boolean {
  return startMs < toMs && endMs > fromMs;
}

/** The step with which a range begins: the first that begins in it, one of an agent only where no other does. */
export function firstInRange({ spans }: WaterfallModel, range: TimeRange): Span | null {
  const inRange = spans.filter((span) => overlapsRange(span, range) && !isWaitForYou(span));
  const rankOf = (span: Span) => Number(span.startMs < range.fromMs) * 2 + Number(span.agentId !== undefined);
  const [first] = inRange.toSorted((a, b) => rankOf(a) - rankOf(b) || a.startMs - b.startMs);
  return first ?? null;
}

/** From and to of all work, for an axis. */
export function busyTimes({ spans }: WaterfallModel): [number, number][] {
  return spans.flatMap((span): [number, number][] =>
    span.kind === "idle" || (span.kind === "human" && span.name === "you")
      ? []
      : [[span.startMs, span.endMs]],
  );
}

/** Where time went in a part of a session: of each kind how long anything of it was going on, once where several were. */
export type TimeTotals = {
  /** Of work, as all below: without waiting for prompts and commands. */
  wholeMs: number;
  /** Waiting for those. */
  typingMs: number;
  byKind: Record<SpanKind, number>;
  criticalMs: number;
  /** Waiting for permission of which only a bound is known. */
  boundMs: number;
  calls: number;
  /** By the name that rows show, the longest first: questions to the reader too, with how long they waited. */
  tools: { name: string; calls: number; ms: number }[];
};

/** @param range of all where it is `null` */
export function totalsOf({ spans, childrenOf }: WaterfallModel, range: TimeRange | null): TimeTotals {
  const within = (span: Span): [number, number] | null => {
    const from = range ? Math.max(span.startMs, range.fromMs) : span.startMs;
    const to = range ? Math.min(span.endMs, range.toMs) : span.endMs;
    return to > from || (from === to && !range) ? [from, to] : null;
  };
  const times: Record<SpanKind, [number, number][]> = {
    model: [],
    tool: [],
    agent: [],
    permission: [],
    human: [],
    idle: [],
  };
  const bounds: [number, number][] = [];
  const worked: [number, number][] = [];
  const typing: [number, number][] = [];
  const tools = new Map<string, { name: string; calls: number; ms: number }>();
  let criticalMs = 0;
  let calls = 0;
  for (const span of spans) {
    const part = within(span);
    if (!part) continue;
    if (isWaitForYou(span)) {
      typing.push(part);
      continue;
    }
    worked.push(part);
    if (isCall(span)) calls += 1;
    const isAgents = span.agentId !== undefined && span.kind !== "agent";
    const waits = span.kind === "tool" ? waitsIn(childrenOf.get(span.id) ?? []) : [];
    const parts = without(part, waits);
    if (!isAgents) {
      if (span.kind === "permission" && !span.exact) bounds.push(part);
      else times[span.kind].push(...parts);
    }
    for (const [from, to] of span.path ?? [])
      criticalMs += range ? Math.max(0, Math.min(to, range.toMs) - Math.max(from, range.fromMs)) : to - from;
    if (span.background || !(span.kind === "tool" || isCall(span))) continue;
    const name = shortToolName(span.name);
    const tool = tools.get(name) ?? { name, calls: 0, ms: 0 };
    tool.calls += 1;
    tool.ms += parts.reduce((sum, [from, to]) => sum + to - from, 0);
    tools.set(name, tool);
  }
  const byKind = Object.fromEntries(
    Object.entries(times).map(([kind, list]) => [kind, covered(list)]),
  ) as TimeTotals["byKind"];
  return {
    wholeMs: covered(worked),
    typingMs: covered(typing),
    byKind,
    criticalMs,
    boundMs: covered(bounds),
    calls,
    tools: [...tools.values()].sort((a, b) => b.ms - a.ms),
  };
}

const MAX_TOOLS = 10;

/** The tools of the panel: those that took longest, and the others in one line. */
export function toolLines(tools: TimeTotals["tools"]): (TimeTotals["tools"][number] & { isRest?: true })[] {
  if (tools.length <= MAX_TOOLS) return tools;
  const rest = tools.slice(MAX_TOOLS - 1);
  const sum = (of: "calls" | "ms") => rest.reduce((all, tool) => all + tool[of], 0);
  const name = `${formatCount(rest.length)} other tools`;
  return [...tools.slice(0, MAX_TOOLS - 1), { name, calls: sum("calls"), ms: sum("ms"), isRest: true }];
}

/** The waits for permission of a call, as far as the log tells them apart from its work. */
function waitsIn(inside: readonly Span[]): [number, number][] {
  return inside
    .filter(({ kind, exact }) => kind === "permission" && exact)
    .map(({ startMs, endMs }): [number, number] => [startMs, endMs])
    .sort(([a], [b]) => a - b);
}

/** What is left of a stretch of time without these, which are in order. */
function without([from, to]: [number, number], taken: readonly [number, number][]): [number, number][] {
  const left: [number, number][] = [];
  let at = from;
  for (const [begin, end] of taken) {
    if (begin > at) left.push([at, Math.min(begin, to)]);
    at = Math.max(at, end);
  }
  if (at < to || taken.length === 0) left.push([at, to]);
  return left.filter(([begin, end]) => begin <= end && begin <= to);
}

/** How long at least one of these was going on. */
function covered(list: [number, number][]): number {
  let sum = 0;
  let upTo = Number.NEGATIVE_INFINITY;
  for (const [from, to] of list.sort(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, upTo));
    upTo = Math.max(upTo, to);
  }
  return sum;
}

/** The steps with a line that took longest, of a part or of all: answers, calls, agents, and waits other than for a prompt or a command. */
export function slowestSteps(
  model: WaterfallModel,
  range: TimeRange | null,
  shown: WaterfallShown,
  count: number,
): Span[] {
  return model.spans
    .filter((span) => {
      if (isWaitForYou(span) || span.kind === "idle" || isDrawnInside(span) || !isShown(span, shown))
        return false;
      // Its agent is listed.
      if (span.kind === "tool" && model.childrenOf.get(span.id)?.some(({ kind }) => kind === "agent"))
        return false;
      return !range || overlapsRange(span, range);
    })
    .sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs) || a.startMs - b.startMs)
    .slice(0, count);
}

/** Spans whose times are missing, out of order or without an end. */
export function flawedCount({ spans }: WaterfallModel): number {
  return spans.filter(({ flaw }) => flaw !== undefined && flaw !== "equal").length;
}
