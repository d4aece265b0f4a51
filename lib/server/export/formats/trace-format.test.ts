import { expect, test } from "vitest";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { openRecording } from "@/lib/testing/recordings";
import { idOf, settled } from "@/lib/testing/transcript";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { choose, type WantedPart, WHOLE } from "../chosen-part";
import { exportSession } from "../export-session";
import { type TraceEvent, traceEvents } from "./trace-format";

type Trace = { displayTimeUnit: string; traceEvents: TraceEvent[] };

async function traceOf(
  scenario: string,
  wanted: Partial<Pick<WantedPart, "tools" | "agents" | "turns" | "records">> = {},
): Promise<Trace> {
  const { folder, scenarios } = await openRecording("2.1.330");
  const { session, sessions } = scenarios[scenario] ?? {};
  const id: SessionId = idOf(folder, session ?? sessions?.[0] ?? "");
  const choice = await choose(folder.sessions, id, { ...WHOLE, ...wanted });
  const { pieces, name } = await exportSession(folder.sessions, folder.catalog.sessionFiles(id), {
    format: "trace",
    choice,
  });
  expect(name).toMatch(/\.trace\.json$/);
  let text = "";
  for await (const piece of pieces) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
  return JSON.parse(text) as Trace;
}

/** What is against the Trace Event Format, and what Perfetto would not show. */
function faultsOf({ displayTimeUnit, traceEvents }: Trace): string[] {
  const slices = traceEvents.filter(({ ph }) => ph === "X");
  const names = (name: string) => traceEvents.filter((one) => one.ph === "M" && one.name === name);
  const tracks = new Set(names("thread_name").map(trackOf));
  const processes = new Set(names("process_name").map(({ pid }) => pid));
  const arrows = grouped(
    traceEvents.filter(({ ph }) => ph === "s" || ph === "f"),
    ({ id }) => id,
  );
  const isWhole = (event: TraceEvent) =>
    ["X", "M", "s", "f"].includes(event.ph) &&
    event.name !== "" &&
    Number.isInteger(event.pid) &&
    Number.isInteger(event.tid) &&
    (event.ph === "M" ? event.args !== undefined : Number.isInteger(event.ts) && (event.ts ?? -1) >= 0) &&
    (event.ph !== "X" || (event.dur ?? -1) >= 0);
  const isNamed = (event: TraceEvent) => processes.has(event.pid) && tracks.has(trackOf(event));
  const isHeld = (end: TraceEvent) =>
    slices.some(
      (one) => trackOf(one) === trackOf(end) && startOf(one) <= startOf(end) && endOf(one) >= startOf(end),
    );
  // Perfetto takes the slice around an end; Chromium's DevTools one of the same category that begins there.
  const isBound = (end: TraceEvent) =>
    slices.some(
      (one) => trackOf(one) === trackOf(end) && startOf(one) === startOf(end) && one.cat === end.cat,
    );
  const isBalanced = ([from, to, ...more]: TraceEvent[]) =>
    from?.ph === "s" &&
    to?.ph === "f" &&
    to.bp === "e" &&
    more.length === 0 &&
    (from.id ?? 0) > 0 &&
    from.name === to.name &&
    from.cat === to.cat &&
    startOf(to) >= startOf(from) &&
    [from, to].every((end) => isHeld(end) && isBound(end));
  // Slices of a track that overlap otherwise than one inside the other are lost.
  const overlaps = [...grouped(slices, trackOf).values()].flatMap((own) => {
    const sorted = own.toSorted((one, other) => startOf(one) - startOf(other));
    return sorted.filter((slice, index) => index > 0 && startOf(slice) < endOf(sorted[index - 1]));
  });
  return [
    ...(displayTimeUnit === "ms" ? [] : ["another unit"]),
    ...traceEvents.filter((one) => !isWhole(one)).map((one) => `not whole: ${JSON.stringify(one)}`),
    ...slices.filter((one) => !isNamed(one)).map((one) => `no name: ${JSON.stringify(one)}`),
    ...[...arrows.values()]
      .filter((ends) => !isBalanced(ends))
      .map((ends) => `arrow: ${JSON.stringify(ends)}`),
    ...overlaps.map((one) => `overlaps: ${JSON.stringify(one)}`),
  ];
}

/** A slice as Perfetto has it: in how many others, and which slices its arrows lead to. */
type ReadSlice = { event: TraceEvent; depth: number; leadsTo: TraceEvent[] };

/**
 * Reads a trace in the order and by the rules of Perfetto's importer for JSON: events by time, of those at one time the
 * longest slice first and all that takes no time last, in the order of the file; of every track a stack of the slices
 * that have not ended, of which an arrow takes the uppermost one.
 */
function readAsPerfetto(events: readonly TraceEvent[]): { slices: ReadSlice[]; problems: string[] } {
  const slices: ReadSlice[] = [];
  const problems: string[] = [];
  const stacks = new Map<string, ReadSlice[]>();
  const begun = new Map<string, ReadSlice>();
  const timed = events
    .filter(({ ph }) => ph !== "M")
    .toSorted((a, b) => startOf(a) - startOf(b) || (b.dur ?? 0) - (a.dur ?? 0));
  for (const event of timed) {
    const stack = stacks.get(trackOf(event)) ?? [];
    stacks.set(trackOf(event), stack);
    if (event.ph === "X") {
      const isOver = ({ event: one }: ReadSlice) =>
        endOf(one) < startOf(event) || (endOf(one) === startOf(event) && (one.dur || event.dur));
      while (stack.length > 0 && isOver(stack.at(-1) as ReadSlice)) stack.pop();
      const around = stack.at(-1)?.event;
      if (around && endOf(event) > endOf(around)) problems.push(`spilled: ${JSON.stringify(event)}`);
      const slice = { event, depth: stack.length, leadsTo: [] };
      stack.push(slice);
      slices.push(slice);
      continue;
    }
    const flow = `${event.id} ${event.cat} ${event.name}`;
    const bound = stack.at(-1);
    const from = begun.get(flow);
    if (!bound) problems.push(`no slice around: ${JSON.stringify(event)}`);
    else if (event.ph === "s" && from) problems.push(`twice: ${JSON.stringify(event)}`);
    else if (event.ph === "s") begun.set(flow, bound);
    else if (!from) problems.push(`without a beginning: ${JSON.stringify(event)}`);
    else from.leadsTo.push(bound.event);
  }
  return { slices, problems };
}

/** What Perfetto would say of a trace, and which of its slices stand inside others. */
function faultsInPerfetto(events: readonly TraceEvent[]): string[] {
  const { slices, problems } = readAsPerfetto(events);
  const arrows = events.filter(({ ph }) => ph === "s").length;
  const read = slices.reduce((sum, { leadsTo }) => sum + leadsTo.length, 0);
  const isAgents = ({ event, leadsTo }: ReadSlice) =>
    leadsTo.every((to) => event.cat === "agent" && to.cat === "agent" && to.pid !== event.pid);
  return [
    ...problems,
    ...slices.filter(({ depth }) => depth > 0).map(({ event }) => `inside: ${JSON.stringify(event)}`),
    ...slices.filter((one) => !isAgents(one)).map(({ event }) => `leads astray: ${JSON.stringify(event)}`),
    ...(arrows === read ? [] : [`${read} of ${arrows} arrows`]),
  ];
}

function grouped<K>(events: readonly TraceEvent[], keyOf: (event: TraceEvent) => K): Map<K, TraceEvent[]> {
  const groups = new Map<K, TraceEvent[]>();
  for (const event of events) groups.set(keyOf(event), [...(groups.get(keyOf(event)) ?? []), event]);
  return groups;
}

const trackOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
const startOf = ({ ts = Number.NaN }: TraceEvent) => ts;
const endOf = (slice: TraceEvent | undefined) => (slice?.ts ?? 0) + (slice?.dur ?? 0);

test.each([
  "parallel-tools",
  "task-parallel",
  "task-nested",
  "task-background",
  "task-foreground",
  "hooked",
  "tui-perm",
  "tui-basic",
  "tui-agents",
  "workflow",
  "hello",
])("trace viewers read the whole trace of %s", async (scenario) => {
  const trace = await traceOf(scenario);
  expect(faultsOf(trace)).toEqual([]);
  expect(faultsInPerfetto(trace.traceEvents)).toEqual([]);
  expect(trace.traceEvents.some(({ ph }) => ph === "X")).toBe(true);
});

test("agents are processes of their own, with an arrow from the call that started them", async () => {
  const { traceEvents } = await traceOf("task-nested");
  const names = traceEvents.flatMap(({ name, args }) => (name === "process_name" ? [args?.name] : []));
  expect(names.slice(1)).toEqual(["Outer agent", "Inner agent"]);
  const pidOf = (name: string) =>
    traceEvents.find((one) => one.name === "process_name" && one.args?.name === name)?.pid ?? 0;
  const [outer, inner] = ["Outer agent", "Inner agent"].map(pidOf);
  const arrows = traceEvents
    .filter(({ ph }) => ph === "s" || ph === "f")
    .map(({ ph, pid }) => `${ph} ${pid}`);
  expect(arrows).toEqual(["s 1", `f ${outer}`, `s ${outer}`, `f ${inner}`]);
  const tools = traceEvents
    .filter(({ ph, name, args }) => ph === "X" && name === "Agent" && args)
    .map(({ name, args }) => `${name} ${String(args?.about)}`);
  expect(tools).toEqual(["Agent Outer agent", "Agent Inner agent"]);
  const critical = traceEvents
    .filter(({ cat }) => cat === "critical")
    .map(({ name, dur }) => `${name} ${(dur ?? 0) / 1000}`);
  expect(critical).toEqual([
    "claude-opus-5-5 102",
    "Agent 31",
    "claude-opus-5-5 70",
    "agents in the background 262",
    "claude-opus-5-5 33",
  ]);
});

test("parallel calls are on tracks of their own, and uncertain times are marked", async () => {
  const { traceEvents } = await traceOf("parallel-tools");
  const tracks = traceEvents.flatMap(({ name, args }) => (name === "thread_name" ? [args?.name] : []));
  expect(tracks).toEqual(
    ["Turns", "Model", "Tools", "Tools 2", "Tools 3", "Tools 4", "Critical path"].filter(
      (one) => one !== "Waiting for the user",
    ),
  );
  expect(traceEvents.filter(({ cat }) => cat === "tool").every(({ args }) => args?.bound === true)).toBe(
    true,
  );
});

test("a wait for the session's user is called so: who reads the trace is another", async () => {
  const { traceEvents } = await traceOf("tui-basic");
  const waits = traceEvents.flatMap(({ ph, cat, name }) => (ph === "X" && cat === "human" ? [name] : []));
  expect(new Set(waits)).toEqual(new Set(["waiting for the user"]));
});

test("a part of a session is a part of its trace", async () => {
  const turns = { from: 2, to: 2 };
  const { traceEvents } = await traceOf("tui-basic", { turns });
  expect(faultsOf({ displayTimeUnit: "ms", traceEvents })).toEqual([]);
  expect(new Set(traceEvents.flatMap(({ args }) => (args?.turn === undefined ? [] : [args.turn])))).toEqual(
    new Set([2]),
  );
  const without = await traceOf("task-foreground", { tools: false });
  expect(new Set(without.traceEvents.flatMap(({ ph, cat }) => (ph === "X" ? [cat] : [])))).toEqual(
    new Set(["turn", "model", "critical"]),
  );
  // Of selected rows, those and what their calls contain.
  const { folder, scenarios } = await openRecording("2.1.330");
  const id = idOf(folder, scenarios["task-foreground"]?.session ?? "");
  const spans = await settled(() => folder.sessions.spans(id, { branch: null, turn: null, only: null }));
  const call = spans.find(({ kind, parentId }) => kind === "tool" && parentId === null)?.recordId;
  const ofRow = await traceOf("task-foreground", { records: call ? [call] : [] });
  expect(faultsOf(ofRow)).toEqual([]);
  expect(
    ofRow.traceEvents.flatMap(({ ph, cat, name }) => (ph === "X" && cat !== "critical" ? [name] : [])),
  ).toEqual([
    // Its prompt was not selected.
    "Turn 1",
    "Agent",
    "Explore the project",
    "claude-opus-5-5",
    "Bash",
    "claude-opus-5-5",
    "Read",
    "Read",
    "claude-opus-5-5",
  ]);
});

test("an arrow begins at its call, even if another one took no time just before", async () => {
  const span = (
    id: string,
    kind: Span["kind"],
    startMs: number,
    endMs: number,
    more: Partial<Span> = {},
  ): Span => ({
    id,
    parentId: null,
    kind,
    name: id,
    startMs,
    endMs,
    exact: true,
    critical: false,
    recordId: `m.${startMs}` as RecordId,
    block: 0,
    turn: 1,
    ...more,
  });
  const spans = [
    span("Glob", "tool", 1000, 1000),
    span("Agent", "tool", 1000, 1500),
    span("Explore", "agent", 1000, 1400, { parentId: "Agent", agentId: "a" as AgentId }),
    span("Read", "tool", 1500, 1500),
    span("Edit", "tool", 1500, 1600),
  ];
  const sessions = {
    // Groups of two: an arrow leads from one to the next.
    spanGroups: async function* () {
      for (let from = 0; from < spans.length; from += 2) yield spans.slice(from, from + 2);
    },
    outline: async () => ({ turns: [] }),
  };
  const events: TraceEvent[] = [];
  for await (const event of traceEvents(sessions as unknown as SessionQueries, "s" as SessionId, "t"))
    events.push(event);
  expect(faultsOf({ displayTimeUnit: "ms", traceEvents: events })).toEqual([]);
  expect(faultsInPerfetto(events)).toEqual([]);
  const leads = readAsPerfetto(events).slices.flatMap(({ event, leadsTo }) =>
    leadsTo.map((to) => `${event.name} → ${to.name}`),
  );
  expect(leads).toEqual(["Agent → Explore"]);
});
