import { expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveState } from "@/lib/wire/live";
import { KnownStandings, type NotifyState, newsOf, withKnownStates } from "./notify";

const look = (...standings: [id: string, state: NotifyState["state"], asks?: NotifyState["asks"]][]) =>
  new Map<string, NotifyState>(
    standings.map(([id, state, asks]) => [id, { id, title: `Session ${id}`, state, asks }]),
  );

const told = (before: ReturnType<typeof look>, now: ReturnType<typeof look>) =>
  newsOf(before, now).map(({ title, body, rule }) => `${rule}: ${title}: ${body}`);

it("notifies once that a session waits for its person, and what for", () => {
  expect(told(look(["a", "running"]), look(["a", "waiting", "question"]))).toEqual([
    "waits: Session a: Has a question for you",
  ]);
  expect(told(look(["a", "idle"]), look(["a", "waiting", "permission"]))).toEqual([
    "waits: Session a: Asks for permission",
  ]);
  expect(told(look(["a", "running"]), look(["a", "waiting"]))).toEqual(["waits: Session a: Waiting for you"]);
  expect(told(look(["a", "waiting"]), look(["a", "waiting", "question"]))).toEqual([]);
});

it("notifies that a session has finished, or has stopped in the middle of something", () => {
  expect(told(look(["a", "running"], ["b", "running"]), look(["a", "idle"], ["b", "interrupted"]))).toEqual([
    "ends: Session a: Finished",
    "ends: Session b: Stopped midway",
  ]);
  expect(told(look(["a", "idle"]), look(["a", "ended"]))).toEqual([]);
});

it("treats sessions that no longer run as finished, and notifies about waiting ones from the start", () => {
  expect(told(look(["a", "running"]), look())).toEqual(["ends: Session a: Finished"]);
  expect(told(look(["a", "idle"]), look())).toEqual([]);
  expect(told(look(), look(["a", "waiting", "question"]))).toEqual([
    "waits: Session a: Has a question for you",
  ]);
});

it("does not lose the end of a session whose state was unknown for a while", () => {
  const ran = look(["a", "running"]);
  const mayGoOn = withKnownStates(ran, [...look(["a", "unknown", "answered"]).values()]);
  expect(told(ran, mayGoOn)).toEqual([]);
  expect(told(mayGoOn, look(["a", "idle"]))).toEqual(["ends: Session a: Finished"]);
});

const stateOf = (id: string, state: LiveState["state"]): LiveState => ({
  ...{ sessionId: id as SessionId, state, sinceMs: 1, doing: null, pid: 1, gone: false, checked: true },
  ...{ lastLineAtMs: 1, lastText: null, contextTokens: null, contextLimit: null },
});

type Hello = Extract<LiveEvent, { kind: "hello" }>;

const hello = (server: string, ...states: LiveState[]): Hello => ({
  ...{ kind: "hello", resumed: false, server, states },
  titles: Object.fromEntries(states.map(({ sessionId }) => [sessionId, `Session ${sessionId}`])),
});

it("does not treat sessions as finished that a restarted server has not examined yet", () => {
  const known = new KnownStandings();
  const told = (event: Parameters<KnownStandings["take"]>[0]) =>
    known.take(event).map(({ title, body, rule }) => `${rule}: ${title}: ${body}`);
  const state = (...[id, how]: Parameters<typeof stateOf>) =>
    told({ kind: "state", state: stateOf(id, how), title: `Session ${id}` });
  expect(told(hello("one", stateOf("a", "running"), stateOf("b", "running")))).toEqual([]);
  expect(told(hello("two"))).toEqual([]);
  expect(state("a", "running")).toEqual([]);
  expect(state("b", "ended")).toEqual(["ends: Session b: Finished"]);
  // The same server knows them all.
  expect(told(hello("two"))).toEqual(["ends: Session a: Finished"]);
});
