import type { SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, BranchId, SessionId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { settled } from "./html/log-reader";

/**
 * An event of the Trace Event Format, which Perfetto and Chrome read: `X` a slice, `M` a name, `s` and `f` the two
 * ends of an arrow. Times are microseconds.
 */
export type TraceEvent = {
  ph: "X" | "M" | "s" | "f";
  name: string;
  pid: number;
  tid: number;
  ts?: number;
  dur?: number;
  cat?: string;
  id?: number;
  /** `e`: an arrow ends at the slice enclosing it, not at the next one. */
  bp?: "e";
  args?: Record<string, unknown>;
};

/** The number of subjects that are requested at once. */
const MAX_ASKED = 2_000;
const MAX_TURNS = 5_000;
/** The branch that a trace is of: the active one. */
const BRANCH: BranchId | null = null;
/** The session's own process; agents have the numbers after it. */
const MAIN = 1;

type Lane = { pid: number; tid: number };

/** The session that a trace is made of: its spans, the tracks that they are on, and where its time begins. */
type Traced = {
  sessions: SessionQueries;
  id: SessionId;
  spans: readonly Span[];
  lanes: TraceLanes;
  startMs: number;
};

/**
 * The time of a branch's turns as slices, on tracks without overlaps, since slices that overlap other than by nesting
 * would be lost: turns, critical path, model, as many tracks of tools as run in parallel, waiting; the same for each
 * agent as a process of its own, with an arrow from the call that started it.
 */
export async function* traceEvents(
  sessions: SessionQueries,
  id: SessionId,
  title: string,
): AsyncGenerator<TraceEvent> {
  const spans = await allSpans(sessions, id);
  const startMs = spans.reduce((least, span) => Math.min(least, span.startMs), Number.POSITIVE_INFINITY);
  const traced = { sessions, id, spans, lanes: new TraceLanes(), startMs };
  yield { ph: "M", name: "process_name", pid: MAIN, tid: 0, args: { name: title || "session" } };
  yield { ph: "M", name: "process_sort_index", pid: MAIN, tid: 0, args: { sort_index: 0 } };
  yield* turnEvents(traced);
  yield* spanEvents(traced);
  yield* pathEvents(traced);
}

/** A time as a trace has it: microseconds since its beginning. */
function traceTime({ startMs }: Traced, ms: number): number {
  return Math.round((ms - startMs) * 1000);
}

/** When a slice begins and how long it is, each end rounded by itself, so that what follows it begins at its end. */
function sliceTimes(traced: Traced, fromMs: number, toMs: number): Required<Pick<TraceEvent, "ts" | "dur">> {
  const ts = traceTime(traced, fromMs);
  return { ts, dur: traceTime(traced, toMs) - ts };
}

/** Each turn as a slice named by its prompt. */
async function* turnEvents(traced: Traced): AsyncGenerator<TraceEvent> {
  const { sessions, id, lanes } = traced;
  const query = { branch: BRANCH, detail: "prompts" as const, fold: [], from: 0, count: MAX_TURNS };
  const { turns } = await settled(() => sessions.outline(id, query));
  const prompts = new Map(turns.map(({ turn, prompt }) => [turn, prompt]));
  const turnLane = lanes.track(MAIN, "Turns", 0);
  yield* lanes.named(turnLane);
  for (const [turn, { fromMs, toMs }] of turnTimes(traced.spans)) {
    const name = prompts.get(turn) || `Turn ${turn}`;
    yield { ph: "X", name, cat: "turn", ...turnLane, ...sliceTimes(traced, fromMs, toMs), args: { turn } };
  }
}

/** From when to when each turn went on: what ran behind it, and the user's own time after it, are not part of it. */
function turnTimes(spans: readonly Span[]): Map<number, { fromMs: number; toMs: number }> {
  const times = new Map<number, { fromMs: number; toMs: number }>();
  for (const { turn, parentId, background, kind, name, critical, startMs, endMs } of spans) {
    if (parentId !== null || background || (kind === "human" && name === "you" && !critical)) continue;
    const known = times.get(turn);
    times.set(turn, {
      fromMs: Math.min(startMs, known?.fromMs ?? startMs),
      toMs: Math.max(endMs, known?.toMs ?? endMs),
    });
  }
  return times;
}

/** Each span on its track, with what it is about, and an arrow to each agent from the call that started it. */
async function* spanEvents(traced: Traced): AsyncGenerator<TraceEvent> {
  const { sessions, id, spans, lanes } = traced;
  const byId = new Map(spans.map((span) => [span.id, span]));
  const placed = new Map<string, Lane>();
  // Chromium's DevTools draw an arrow only between slices that begin with it and are of its category.
  const callers = new Set(spans.map(({ kind, parentId }) => (kind === "agent" ? parentId : null)));
  let arrows = 0;
  for (let from = 0; from < spans.length; from += MAX_ASKED) {
    const part = spans.slice(from, from + MAX_ASKED);
    const only = part.map((span) => span.id);
    const told = await settled(() => sessions.spans(id, { branch: BRANCH, turn: null, only }));
    const subjects = new Map(told.map((span) => [span.id, span.subject]));
    for (const span of part) {
      const lane = lanes.of(span);
      yield* lanes.named(lane, span);
      placed.set(span.id, lane);
      yield {
        ph: "X",
        name: sliceName(span),
        cat: callers.has(span.id) ? "agent" : span.kind,
        ...lane,
        ...sliceTimes(traced, span.startMs, span.endMs),
        args: argsOf(span, subjects.get(span.id) ?? ""),
      };
      const caller = span.kind === "agent" && span.parentId !== null ? byId.get(span.parentId) : undefined;
      const at = caller && placed.get(caller.id);
      if (!caller || !at) continue;
      const arrow = { name: "starts", cat: "agent", id: ++arrows };
      const ts = traceTime(traced, caller.startMs);
      yield { ph: "s", ...arrow, ...at, ts };
      yield { ph: "f", bp: "e", ...arrow, ...lane, ts: Math.max(ts, traceTime(traced, span.startMs)) };
    }
  }
}

/** The pieces of all turns' critical paths, on one track. */
function* pathEvents(traced: Traced): Generator<TraceEvent> {
  const { spans, lanes } = traced;
  const pieces = spans
    .flatMap((span) => (span.path ?? []).map(([from, to]) => ({ name: sliceName(span), from, to })))
    .sort((a, b) => a.from - b.from);
  const lane = lanes.track(MAIN, "Critical path", 1);
  if (pieces.length > 0) yield* lanes.named(lane);
  for (const { name, from, to } of pieces)
    yield { ph: "X", name, cat: "critical", ...lane, ...sliceTimes(traced, from, to) };
}

/** Every turn's spans, in order: an answer contains the last ones that fit. */
async function allSpans(sessions: SessionQueries, id: SessionId): Promise<Span[]> {
  let spans = await settled(() => sessions.spans(id, { branch: BRANCH, turn: null, only: null }));
  for (let first = spans[0]?.turn ?? 0; first > 0; ) {
    const turn = { from: 0, to: first - 1 };
    const before = await settled(() => sessions.spans(id, { branch: BRANCH, turn, only: null }));
    spans = [...before, ...spans];
    const next = before[0]?.turn ?? 0;
    if (next >= first) break;
    first = next;
  }
  return spans;
}

/** Whoever reads the trace need not be the session's user. */
function sliceName({ kind, name }: Span): string {
  return kind === "human" && name === "you" ? "waiting for the user" : name;
}

function argsOf(span: Span, subject: string): Record<string, unknown> {
  const { turn, exact, flaw, state, background, recordId } = span;
  return {
    ...(subject !== "" && { about: subject }),
    turn,
    record: recordId,
    ...(!exact && { bound: true }),
    ...(flaw && { times: flaw }),
    ...(state && { state }),
    ...(background && { background }),
  };
}

/** Gives every span a track on which nothing else runs at that time. */
class TraceLanes {
  readonly #pids = new Map<AgentId, { pid: number; name: string }>();
  readonly #tracks = new Map<string, Lane & { name: string; order: number; isNamed: boolean }>();
  /** Until when each track of a group is taken. */
  readonly #taken = new Map<string, number[]>();

  of(span: Span): Lane {
    const pid = this.#pidOf(span);
    const [group, order] = GROUPS[span.kind];
    const key = `${pid} ${group}`;
    const taken = this.#taken.get(key) ?? [];
    this.#taken.set(key, taken);
    let slot = taken.findIndex((until) => until <= span.startMs);
    if (slot === -1) slot = taken.length;
    // An instant has its moment on the track alone: arrows would be bound to it by Perfetto instead of to a slice that
    // begins there.
    taken[slot] = span.endMs > span.startMs ? span.endMs : span.endMs + 0.001;
    return this.track(pid, slot === 0 ? group : `${group} ${slot + 1}`, order + slot);
  }

  track(pid: number, name: string, order: number): Lane {
    const key = `${pid} ${name}`;
    const known = this.#tracks.get(key);
    const track = known ?? { pid, tid: this.#tracks.size + 1, name, order, isNamed: false };
    this.#tracks.set(key, track);
    return { pid: track.pid, tid: track.tid };
  }

  /** Names a track, and its agent, on first use. */
  *named({ pid, tid }: Lane, span?: Span): Generator<TraceEvent> {
    for (const track of this.#tracks.values()) {
      if (track.tid !== tid || track.isNamed) continue;
      track.isNamed = true;
      yield { ph: "M", name: "thread_name", pid, tid, args: { name: track.name } };
      yield { ph: "M", name: "thread_sort_index", pid, tid, args: { sort_index: track.order } };
    }
    const agent = span?.agentId === undefined ? undefined : this.#pids.get(span.agentId);
    if (!agent || agent.name !== "") return;
    agent.name = span?.kind === "agent" ? span.name : "agent";
    yield { ph: "M", name: "process_name", pid, tid: 0, args: { name: agent.name } };
    yield { ph: "M", name: "process_sort_index", pid, tid: 0, args: { sort_index: pid } };
  }

  #pidOf({ agentId }: Span): number {
    if (agentId === undefined) return MAIN;
    const known = this.#pids.get(agentId);
    if (known) return known.pid;
    const pid = MAIN + 1 + this.#pids.size;
    this.#pids.set(agentId, { pid, name: "" });
    return pid;
  }
}

const GROUPS: Readonly<Record<Span["kind"], [name: string, order: number]>> = {
  agent: ["Agent", 2],
  model: ["Model", 3],
  tool: ["Tools", 1_000],
  permission: ["Permission", 2_000],
  human: ["Waiting for the user", 3_000],
  idle: ["Idle", 4_000],
};
