// @vitest-environment page
import { useQuery } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { FollowState } from "@/components/present/follow-state";
import { type OpenThread, openThread } from "@/components/thread/open-thread";
import { useShownThread } from "@/components/thread/use-thread";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { setPreferences } from "@/lib/client/preferences";
import { type DrawnPage, drawnPage, until } from "@/lib/testing/drawn-page";
import { choiceOf, FakeServer, many, nameOf, opened, rowOf } from "@/lib/testing/fake-thread";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { SessionState } from "@/lib/wire/library";
import type { LiveEvent } from "@/lib/wire/live";
import type { SessionContextValue } from "../session-store";
import { useFollowedSession, useFollowPreference, useLiveSession } from "./use-followed-session";

const SESSION = "s1" as SessionId;
const [OLD, NEW] = ["m~a", "m~b"] as BranchId[];
const VIEW = { branch: null, agent: null, runs: null };

/** What the server has: a branch that the session has left, or is on, and one that it goes on with. */
const CALLS: Record<string, number[]> = { [OLD as string]: [1, 2, 3], [NEW as string]: [1, 7] };
const server = { revision: 1, active: OLD, calls: CALLS };
/** Answers of rows wait for this. */
let gate: Promise<void> = Promise.resolve();
const asked = { rows: 0, files: 0, briefs: 0, records: 0, contexts: 0, ended: 0, behind: 0, annotations: 0 };
const streams: { send: (event: LiveEvent, id?: string) => void; end: () => void }[] = [];
const onBranch = vi.fn((_from: BranchId, _to: BranchId) => true);

let page: DrawnPage;
let thread: OpenThread;

beforeEach(async () => {
  Object.assign(server, { revision: 1, active: OLD, calls: CALLS });
  gate = Promise.resolve();
  Object.assign(asked, {
    rows: 0,
    files: 0,
    briefs: 0,
    records: 0,
    contexts: 0,
    ended: 0,
    behind: 0,
    annotations: 0,
  });
  streams.length = 0;
  onBranch.mockClear();
  page = drawnPage();
  vi.stubGlobal("fetch", async (path: string, { signal }: RequestInit = {}) => {
    if (path.startsWith("/api/events")) return openStream(signal);
    asked.rows += 1;
    await gate;
    const branch = (new URL(path, "http://local").searchParams.get("branch") ?? server.active) as string;
    const lines = server.calls[branch];
    if (!lines)
      return Response.json({ error: { code: "record-not-found", message: "Gone" } }, { status: 404 });
    const rows = lines.map((line) => rowOf(["tool", line]));
    return Response.json({ revision: server.revision, total: rows.length, from: 0, rows, at: null, branch });
  });
  const choice = choiceOf("tools");
  const opening = { sessionId: SESSION, source: api, choice };
  const begun = { place: null, toEnd: false };
  ({ thread } = await openThread(opening, begun, new AbortController().signal, { onScan: () => undefined }));
  thread.windows.want(0, 9);
  await page.draw(<Followed />);
  await connected(1);
  await tell({ kind: "session-changed", sessionId: SESSION, revision: 1, summary: null });
});

function openStream(signal: AbortSignal | null | undefined): Response {
  signal?.throwIfAborted();
  const start = (body: ReadableStreamDefaultController<Uint8Array>) => {
    streams.push({
      send: (event, id = "e:1") =>
        body.enqueue(new TextEncoder().encode(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`)),
      end: () => body.close(),
    });
    signal?.addEventListener("abort", () => body.error(new DOMException("", "AbortError")));
  };
  return new Response(new ReadableStream({ start }));
}

const BEHIND =
  "Command running in background with ID: b8bee49. Output is being written to: /tmp/b8bee49.output";

function callOf(count: number, text: string) {
  const blocks = [{ kind: "text", text: { text, cut: false, length: text.length } }];
  return { block: count, later: [], results: [{ isError: false, blocks, structured: null }] };
}

/** The record is not there when it is asked for first. */
function contextOf() {
  asked.contexts += 1;
  if (asked.contexts === 1) throw new Error("There is no such record");
  return { messages: [] };
}

function Followed() {
  const handlers = { following: new FollowState(SESSION), onHello: () => undefined, onBranch };
  useLiveSession(SESSION, thread.choice, thread, handlers);
  useQuery({ queryKey: ["files", SESSION], queryFn: () => ++asked.files });
  useQuery({ queryKey: ["brief", SESSION, null, 1], queryFn: () => ++asked.briefs });
  useQuery({ queryKey: ["record", SESSION, "m~1"], queryFn: () => ++asked.records });
  useQuery({ queryKey: ["messages", SESSION, "m~1"], queryFn: contextOf });
  useQuery({ queryKey: ["call", SESSION, "m~1", 0, "ok"], queryFn: () => callOf(++asked.ended, "2 passed") });
  useQuery({ queryKey: ["call", SESSION, "m~2", 0, "ok"], queryFn: () => callOf(++asked.behind, BEHIND) });
  useQuery({ queryKey: ["annotations", SESSION], queryFn: () => ++asked.annotations });
  return null;
}

/** Waits for so many streams to have been opened, and says hello on the last. */
async function connected(count: number, name = "one"): Promise<void> {
  await act(() => vi.waitFor(() => expect(streams).toHaveLength(count)));
  await tell({ kind: "hello", resumed: count > 1, server: name, states: [], titles: {} });
}

async function tell(event: LiveEvent): Promise<void> {
  await act(async () => streams.at(-1)?.send(event));
  await page.settle();
}

/** The stream ends, `meanwhile` something happens, and the browser is online again. `name`: of the server that answers then. */
async function away(meanwhile: () => void, name?: string): Promise<void> {
  await act(async () => streams.at(-1)?.end());
  meanwhile();
  await act(async () => {
    // On a busy machine the page may have tried again by itself: it would leave that stream for another.
    if (streams.length === 1) window.dispatchEvent(new Event("online"));
  });
  await connected(2, name);
  const { revision } = server;
  await tell({ kind: "session-changed", sessionId: SESSION, revision, summary: null });
}

const ASKING = {
  kind: "permission",
  name: null,
  subject: null,
  recordId: null,
  sinceMs: 1,
  partial: null,
} as const;

function stand(state: SessionState): LiveEvent {
  return {
    kind: "state",
    title: "The shop",
    state: {
      ...{ sessionId: SESSION, state, doing: state === "waiting" ? ASKING : null, sinceMs: 1, pid: 1 },
      ...{ gone: false, checked: true, lastLineAtMs: 1, lastText: null },
      ...{ contextTokens: null, contextLimit: null },
    },
  };
}

/** The session is rewound, and its rows are asked for before any event tells, as its state comes first. */
async function rewoundBeforeTold(): Promise<void> {
  await tell(stand("idle"));
  Object.assign(server, { revision: 2, active: NEW });
  const before = asked.rows;
  await tell(stand("waiting"));
  await act(() => vi.waitFor(() => expect(asked.rows).toBeGreaterThan(before)));
  await page.settle();
}

const LEFT = {
  kind: "branch",
  sessionId: SESSION,
  from: OLD as BranchId,
  to: NEW as BranchId,
  view: VIEW,
} as const;

const shown = () => Array.from(thread.windows.loaded(), ([, row]) => nameOf(row));

it("asks for what readers put on the session while it heard nothing", async () => {
  const before = { ...asked };
  await away(() => undefined);
  await act(() => vi.waitFor(() => expect(asked.annotations).toBe(before.annotations + 1)));
  expect(asked.files).toBe(before.files);
});

it("asks for rows at once where a session asks something, and a moment later where it rests: its last lines are on their way", async () => {
  await tell(stand("running"));
  await tell(stand("waiting"));
  await act(() => vi.waitFor(() => expect(asked.rows).toBeGreaterThan(0)));
  await tell(stand("running"));
  await act(() => vi.waitFor(() => expect(asked.rows).toBeGreaterThan(1)));
  await page.settle();
  const before = asked.rows;
  await tell(stand("idle"));
  expect(asked.rows).toBe(before);
  await act(() => vi.waitFor(() => expect(asked.rows).toBe(before + 1)));
});

it("asks for the brief that is open below a turn, the record that is inspected, and a context that was not there, as lines come", async () => {
  const before = { ...asked };
  await tell({
    ...{ kind: "rows", sessionId: SESSION, since: 1, revision: 2, total: 4, stable: 3, complete: true },
    ...{ rows: [[3, rowOf(["tool", 4])]], branch: OLD ?? null, view: VIEW },
  });
  await act(() => vi.waitFor(() => expect(asked.briefs).toBe(before.briefs + 1)));
  expect(asked.records).toBe(before.records + 1);
  expect(asked.contexts).toBe(before.contexts + 1);
});

it("asks for an opened call whose command goes on in the background as lines come, and not for those that have ended", async () => {
  const before = { ...asked };
  await tell({
    ...{ kind: "rows", sessionId: SESSION, since: 1, revision: 2, total: 4, stable: 3, complete: true },
    ...{ rows: [[3, rowOf(["tool", 4])]], branch: OLD ?? null, view: VIEW },
  });
  await act(() => vi.waitFor(() => expect(asked.behind).toBe(before.behind + 1)));
  expect(asked.ended).toBe(before.ended);
});

it("asks for all that was said of records and calls where the log was written anew: their ids may be others' by now", async () => {
  const before = { ...asked };
  await tell({ kind: "reset", reason: "files-replaced" });
  await act(() => vi.waitFor(() => expect(asked.ended).toBe(before.ended + 1)));
  expect(asked.contexts).toBe(before.contexts + 1);
});

it("asks for the session's files where it has grown while nobody heard", async () => {
  const before = { ...asked };
  await away(() => Object.assign(server, { revision: 2 }));
  await act(() => vi.waitFor(() => expect(asked.files).toBe(before.files + 1)));
});

it("who reads a branch that the session leaves while nothing is heard stays on it, and is told", async () => {
  await away(() => Object.assign(server, { revision: 2, active: NEW }));
  await act(() => vi.waitFor(() => expect(onBranch).toHaveBeenCalledWith(OLD, NEW)));
  await page.settle();
  expect(shown()).toEqual(["tool 1", "tool 2", "tool 3"]);
});

it("who reads a branch stays on it, and is told, where rows are asked for before that is told", async () => {
  await rewoundBeforeTold();
  expect(shown()).toEqual(["tool 1", "tool 2", "tool 3"]);
  await tell(LEFT);
  expect(onBranch).toHaveBeenCalledWith(OLD, NEW);
  await page.settle();
  expect(shown()).toEqual(["tool 1", "tool 2", "tool 3"]);
});

it("who was at its end goes along then, also where the rows that are told go on from others than are known", async () => {
  onBranch.mockReturnValueOnce(false);
  await rewoundBeforeTold();
  await tell(LEFT);
  await tell({
    ...{ kind: "rows", sessionId: SESSION, since: 3, revision: 4, total: 3, stable: 2, complete: true },
    ...{ rows: [[2, rowOf(["tool", 9])]], branch: NEW as BranchId, view: VIEW },
  });
  await act(() => vi.waitFor(() => expect(shown()).toEqual(["tool 1", "tool 7"])));
});

it("who reads a branch that the session leaves before the stream was there stays on it, and is told", async () => {
  Object.assign(server, { revision: 2, active: NEW });
  await tell({ kind: "session-changed", sessionId: SESSION, revision: 2, summary: null });
  await act(() => vi.waitFor(() => expect(onBranch).toHaveBeenCalledWith(OLD, NEW)));
  await page.settle();
  expect(shown()).toEqual(["tool 1", "tool 2", "tool 3"]);
});

it("shows the branch on which the session goes on where the log was written anew and has the one before no more", async () => {
  Object.assign(server, { revision: 2, active: NEW, calls: { [NEW as string]: [1, 7] } });
  await tell(stand("idle"));
  await tell(stand("waiting"));
  await act(() => vi.waitFor(() => expect(shown()).toEqual(["tool 1", "tool 7"])));
});

it("who was at its end goes along", async () => {
  onBranch.mockReturnValueOnce(false);
  await away(() => Object.assign(server, { revision: 2, active: NEW }));
  await act(() => vi.waitFor(() => expect(shown()).toEqual(["tool 1", "tool 7"])));
});

it("goes on with a server that was started anew and counts from the beginning, and does not leave the branch for it", async () => {
  await away(
    () => Object.assign(server, { revision: 0.5, calls: { ...server.calls, [OLD as string]: [1, 2, 3, 4] } }),
    "two",
  );
  await act(() => vi.waitFor(() => expect(shown()).toEqual(["tool 1", "tool 2", "tool 3", "tool 4"])));
  expect(onBranch).not.toHaveBeenCalled();
});

it("goes on with it too where the one before was just asked whether the session had been rewound", async () => {
  let answer: () => void = () => undefined;
  gate = new Promise((resolve) => (answer = resolve));
  await tell({ kind: "resync" });
  const calls = { ...server.calls, [OLD as string]: [1, 2, 3, 4] };
  await away(() => Object.assign(server, { revision: 0.5, calls }), "two");
  answer();
  await act(() => vi.waitFor(() => expect(shown()).toEqual(["tool 1", "tool 2", "tool 3", "tool 4"])));
});

it("does not show rows of another branch to who stays, before the one that is read has its name", async () => {
  Object.assign(server, { revision: 2, active: NEW });
  await tell({ kind: "branch", sessionId: SESSION, from: OLD as BranchId, to: NEW as BranchId, view: VIEW });
  await tell({
    ...{ kind: "rows", sessionId: SESSION, since: 1, revision: 2, total: 2, stable: 1, complete: true },
    ...{ rows: [[1, rowOf(["tool", 7])]], branch: NEW as BranchId, view: VIEW },
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(shown()).toEqual(["tool 1", "tool 2", "tool 3"]);
});

it.each<[SessionState, number]>([
  ["running", 1],
  // It is asking its person, at the end.
  ["waiting", 1],
  ["ended", 0],
])("a reader who prefers it is taken to the end of a session that is %s: %i times", async (state, times) => {
  setPreferences({ follow: true });
  const { store } = await opened(new FakeServer({ tools: many(30) }));
  const toEnd = vi.spyOn(store, "toEnd");
  const session = { state, sinceMs: 1 } as SessionContextValue["session"];
  const context = { session, url: parseThreadUrl(""), store: { thread: store } } as SessionContextValue;
  function Opened() {
    useFollowPreference(context);
    return null;
  }
  await page.draw(<Opened />);
  expect(toEnd).toHaveBeenCalledTimes(times);
});

it("a view that could not be opened while nobody answered, as folded turns, opens when the server is there again", async () => {
  page.leave();
  streams.length = 0;
  const rows = new FakeServer({ tools: many(30), prompts: many(2) });
  const { store } = await opened(rows);
  const choice = choiceOf("prompts");
  rows.gate = Promise.reject(new ApiError(0, UNREACHABLE));
  store.show(choice);
  await vi.waitFor(() => expect(store.get().error).not.toBeNull());
  const session = { session: null, choice, url: parseThreadUrl(""), setUrl: () => undefined };
  const following = new FollowState(SESSION);
  const context = { sessionId: SESSION, ...session, store: { thread: store, following } };
  function Opened() {
    useFollowedSession(context as unknown as SessionContextValue);
    useShownThread(store, choice, {});
    return null;
  }
  await page.draw(<Opened />);
  await until(() => expect(store.get().error).not.toBeNull());
  rows.gate = Promise.resolve();
  await connected(1);
  await act(() => vi.waitFor(() => expect(store.get().thread?.choice.key).toBe(choice.key)));
  expect(store.get().error).toBeNull();
});
