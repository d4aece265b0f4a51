import { expect, test } from "vitest";
import { openRecording } from "@/lib/testing/recordings";
import { idOf } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { type Choice, choose } from "./chosen-part";
import { exportSession } from "./export-session";
import type { TraceEvent } from "./trace";

type Trace = { displayTimeUnit: string; traceEvents: TraceEvent[] };

async function traceOf(
  scenario: string,
  wanted: { tools?: boolean; turns?: { from: number; to: number } } = {},
): Promise<Trace> {
  const { folder, scenarios } = await openRecording("2.1.330");
  const { session, sessions } = scenarios[scenario] ?? {};
  const id: SessionId = idOf(folder, session ?? sessions?.[0] ?? "");
  const choice: Choice = await choose(folder.sessions, id, {
    branch: null,
    turns: wanted.turns ?? null,
    thinking: true,
    tools: wanted.tools ?? true,
    digest: null,
  });
  const { pieces, name } = await exportSession(folder.sessions, folder.catalog.sessionFiles(id), {
    format: "trace",
    choice,
  });
  expect(name).toMatch(/\.trace\.json$/);
  let text = "";
  for await (const piece of pieces) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
  return JSON.parse(text) as Trace;
}

/** What the Trace Event Format asks of a file, so that Perfetto shows all of it. */
function check({ displayTimeUnit, traceEvents }: Trace): void {
  expect(displayTimeUnit).toBe("ms");
  const arrows = new Map<number, TraceEvent[]>();
  const tracks = new Map<string, TraceEvent[]>();
  const named = new Set(
    traceEvents.flatMap(({ ph, name, pid, tid }) =>
      ph === "M" && name === "thread_name" ? [`${pid} ${tid}`] : [],
    ),
  );
  const processes = new Set(
    traceEvents.flatMap(({ ph, name, pid }) => (ph === "M" && name === "process_name" ? [pid] : [])),
  );
  for (const event of traceEvents) {
    expect(["X", "M", "s", "f"]).toContain(event.ph);
    expect(event.name).not.toBe("");
    expect(Number.isInteger(event.pid) && Number.isInteger(event.tid)).toBe(true);
    if (event.ph === "M") {
      expect(event.args).toBeDefined();
      continue;
    }
    expect(Number.isInteger(event.ts)).toBe(true);
    expect(event.ts).toBeGreaterThanOrEqual(0);
    expect(processes.has(event.pid)).toBe(true);
    const track = `${event.pid} ${event.tid}`;
    expect(named.has(track)).toBe(true);
    if (event.ph === "X") {
      expect(event.dur).toBeGreaterThanOrEqual(0);
      tracks.set(track, [...(tracks.get(track) ?? []), event]);
    } else arrows.set(event.id ?? -1, [...(arrows.get(event.id ?? -1) ?? []), event]);
  }
  for (const [id, ends] of arrows) {
    expect(id).toBeGreaterThan(0);
    expect(ends.map(({ ph }) => ph)).toEqual(["s", "f"]);
    const [from, to] = ends as [TraceEvent, TraceEvent];
    expect([to.name, to.cat, to.bp]).toEqual([from.name, from.cat, "e"]);
    expect(to.ts as number).toBeGreaterThanOrEqual(from.ts as number);
    // Each end lies in a slice of its track.
    for (const { pid, tid, ts = 0 } of ends)
      expect(
        tracks
          .get(`${pid} ${tid}`)
          ?.some((one) => (one.ts as number) <= ts && (one.ts as number) + (one.dur as number) >= ts),
      ).toBe(true);
  }
  // Slices of a track that overlap otherwise than one inside the other are lost.
  for (const slices of tracks.values()) {
    const sorted = slices.toSorted((a, b) => (a.ts as number) - (b.ts as number));
    for (const [index, slice] of sorted.entries()) {
      const next = sorted[index + 1];
      if (next)
        expect(next.ts as number).toBeGreaterThanOrEqual((slice.ts as number) + (slice.dur as number));
    }
  }
}

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
])("the trace of %s is one that trace viewers read whole", async (scenario) => {
  check(await traceOf(scenario));
});

test("agents are processes of their own, with an arrow from the call that set them going", async () => {
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
    .filter(({ cat }) => cat === "tool")
    .map(({ name, args }) => `${name} ${args?.about}`);
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

test("calls beside each other are on tracks of their own, and what is not certain is said", async () => {
  const { traceEvents } = await traceOf("parallel-tools");
  const tracks = traceEvents.flatMap(({ name, args }) => (name === "thread_name" ? [args?.name] : []));
  expect(tracks).toEqual(
    ["Turns", "Waiting for you", "Model", "Tools", "Tools 2", "Tools 3", "Tools 4", "Critical path"].filter(
      (one) => one !== "Waiting for you",
    ),
  );
  expect(traceEvents.filter(({ cat }) => cat === "tool").every(({ args }) => args?.bound === true)).toBe(
    true,
  );
});

test("a part of a session is a part of its trace", async () => {
  const turns = { from: 2, to: 2 };
  const { traceEvents } = await traceOf("tui-basic", { turns });
  check({ displayTimeUnit: "ms", traceEvents });
  expect(new Set(traceEvents.flatMap(({ args }) => (args?.turn === undefined ? [] : [args.turn])))).toEqual(
    new Set([2]),
  );
  const without = await traceOf("task-foreground", { tools: false });
  expect(new Set(without.traceEvents.flatMap(({ ph, cat }) => (ph === "X" ? [cat] : [])))).toEqual(
    new Set(["turn", "model", "critical"]),
  );
});
