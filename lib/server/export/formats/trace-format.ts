import { toPrintableJson } from "@/lib/format/text";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, BranchId, SessionId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { settled } from "../html/log-reader";
import type { Pieces, Source } from "./source";

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

const MAX_TURNS = 5_000;
/** The session's own process; agents have the numbers after it. */
const MAIN = 1;

type Lane = { pid: number; tid: number };

/** Where the time went, in the form that Chrome's trace viewer and Perfetto read. */
export async function* writeTrace({ sessions, files }: Source): Pieces {
  const { title, startedAtMs } = await settled(() => sessions.detail(files.id));
  yield `{"displayTimeUnit":"ms","otherData":${toPrintableJson({ title, startedAtMs })},"traceEvents":[`;
  let separator = "\n";
  for await (const event of traceEvents(sessions, files.id, title ?? "")) {
    yield `${separator}${toPrintableJson(event)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}

/**
 * The time of a branch's turns as slices, on tracks without overlaps, since slices that overlap other than by nesting
 * would be lost: turns, critical path, model, as many tracks of tools as run in parallel, waiting; the same for each
 * agent as a process of its own, with an arrow from the call that started it. Goes through the spans three times, and
 * holds one group of them.
 */
export async function* traceEvents(
  sessions: SessionQueries,
  id: SessionId,
  title: string,
): AsyncGenerator<TraceEvent> {
  const branch: BranchId | null = null;
  const groups = (withSubjects: boolean) => sessions.spanGroups(id, { branch, turn: null, withSubjects });
  const { startMs, turns, callers } = await extentOf(groups(false));
  const ts = (ms: number) => Math.round((ms - startMs) * 1000);
  const lanes = new TraceLanes();
  yield { ph: "M", name: "process_name", pid: MAIN, tid: 0, args: { name: title || "session" } };
  yield { ph: "M", name: "process_sort_index", pid: MAIN, tid: 0, args: { sort_index: 0 } };
  yield* turnEvents();
  const traced = new TracedSpans(lanes, callers, ts);
  for await (const group of groups(true)) for (const span of group) yield* traced.events(span);
  yield* pathEvents();

  /** Each turn as a slice named by its prompt. */
  async function* turnEvents(): AsyncGenerator<TraceEvent> {
    const query = { branch, detail: "prompts" as const, fold: [], from: 0, count: MAX_TURNS };
    const outline = await settled(() => sessions.outline(id, query));
    const prompts = new Map(outline.turns.map(({ turn, prompt }) => [turn, prompt]));
    const turnLane = lanes.track(MAIN, "Turns", 0);
    yield* lanes.named(turnLane);
    for (const [turn, { fromMs, toMs }] of turns) {
      const name = prompts.get(turn) || `Turn ${turn}`;
      const dur = ts(toMs) - ts(fromMs);
      yield { ph: "X", name, cat: "turn", ...turnLane, ts: ts(fromMs), dur, args: { turn } };
    }
  }

  /** The pieces of all turns' critical paths, on one track. */
  async function* pathEvents(): AsyncGenerator<TraceEvent> {
    const lane = lanes.track(MAIN, "Critical path", 1);
    for await (const group of groups(false)) {
      const pieces = group
        .flatMap((span) => (span.path ?? []).map(([from, to]) => ({ name: sliceName(span), from, to })))
        .sort((a, b) => a.from - b.from);
      if (pieces.length > 0) yield* lanes.named(lane);
      for (const { name, from, to } of pieces)
        yield { ph: "X", name, cat: "critical", ...lane, ts: ts(from), dur: ts(to) - ts(from) };
    }
  }
}

/** What must be known of all spans before the first is written. */
type TraceExtent = {
  startMs: number;
  turns: ReadonlyMap<number, { fromMs: number; toMs: number }>;
  /** The ids of the calls that started agents. */
  callers: ReadonlySet<string>;
};

async function extentOf(groups: AsyncIterable<readonly Span[]>): Promise<TraceExtent> {
  let startMs = Number.POSITIVE_INFINITY;
  const turns = new Map<number, { fromMs: number; toMs: number }>();
  const callers = new Set<string>();
  for await (const group of groups)
    for (const { turn, parentId, background, kind, name, critical, startMs: from, endMs: to } of group) {
      startMs = Math.min(startMs, from);
      if (kind === "agent" && parentId !== null) callers.add(parentId);
      if (parentId !== null || background || (kind === "human" && name === "you" && !critical)) continue;
      const known = turns.get(turn);
      turns.set(turn, {
        fromMs: Math.min(from, known?.fromMs ?? from),
        toMs: Math.max(to, known?.toMs ?? to),
      });
    }
  return { startMs, turns, callers };
}

/** Each span on its track, with what it is about, and an arrow to each agent from the call that started it. */
class TracedSpans {
  readonly #lanes: TraceLanes;
  readonly #callers: ReadonlySet<string>;
  readonly #ts: (ms: number) => number;
  /** Where the calls are that started agents. */
  readonly #placed = new Map<string, { lane: Lane; startMs: number }>();
  #arrows = 0;

  constructor(lanes: TraceLanes, callers: ReadonlySet<string>, ts: (ms: number) => number) {
    this.#lanes = lanes;
    this.#callers = callers;
    this.#ts = ts;
  }

  *events(span: Span): Generator<TraceEvent> {
    const { id, kind, parentId, startMs, endMs, subject } = span;
    const ts = this.#ts;
    const lane = this.#lanes.of(span);
    yield* this.#lanes.named(lane, span);
    const isCaller = this.#callers.has(id);
    if (isCaller) this.#placed.set(id, { lane, startMs });
    yield {
      ph: "X",
      name: sliceName(span),
      // Chromium's DevTools draw an arrow only between slices that begin with it and are of its category.
      cat: isCaller ? "agent" : kind,
      ...lane,
      ts: ts(startMs),
      dur: ts(endMs) - ts(startMs),
      args: argsOf(span, subject ?? ""),
    };
    const caller = kind === "agent" && parentId !== null ? this.#placed.get(parentId) : undefined;
    if (!caller) return;
    const arrow = { name: "starts", cat: "agent", id: ++this.#arrows };
    yield { ph: "s", ...arrow, ...caller.lane, ts: ts(caller.startMs) };
    yield { ph: "f", bp: "e", ...arrow, ...lane, ts: Math.max(ts(caller.startMs), ts(startMs)) };
  }
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
