// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveEvent } from "@/lib/wire/live";
import { lastKnownMs } from "./last-known";
import { LiveStream } from "./live-stream";

const HELLO = 'data: {"kind":"hello","states":[],"server":"1","resumed":false}\n\n';

let isDown = true;
/** What stands between takes requests, and answers none. */
let isSilent = false;
let isHidden = false;
let open = 0;

beforeEach(() => {
  vi.useFakeTimers();
  [isDown, isSilent, isHidden, open] = [true, false, false, 0];
  vi.spyOn(document, "hidden", "get").mockImplementation(() => isHidden);
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
    if (isDown) throw new TypeError("no answer");
    open += 1;
    const aborted = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        open -= 1;
        reject(new DOMException("", "AbortError"));
      });
    });
    aborted.catch(() => undefined);
    if (isSilent) return aborted;
    const start = (body: ReadableStreamDefaultController) => {
      body.enqueue(new TextEncoder().encode(HELLO));
      aborted.catch((cause: unknown) => body.error(cause));
    };
    return new Response(new ReadableStream({ start }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("a held stream is one, also when its tab is left and seen again while the server is gone", async () => {
  const handlers = { query: () => ({}), onEvent: () => undefined, onGap: () => undefined, holds: () => true };
  const stream = new LiveStream(handlers);
  stream.start();
  // It fails, and waits for its next try.
  await vi.advanceTimersByTimeAsync(10);
  isDown = false;
  for (const hidden of [true, false, true]) {
    isHidden = hidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(open).toBe(1);
  stream.stop();
  await vi.advanceTimersByTimeAsync(10);
  expect(open).toBe(0);
});

it("a stream that is asked for and never answered, as through a tunnel that is dead, is asked for again, and its reader is told", async () => {
  [isDown, isSilent] = [false, true];
  const stream = new LiveStream({ query: () => ({}), onEvent: () => undefined, onGap: () => undefined });
  stream.start();
  await vi.advanceTimersByTimeAsync(44_000);
  expect(open).toBe(1);
  isSilent = false;
  await vi.advanceTimersByTimeAsync(1_100);
  expect(stream.status.get().kind).toBe("stale");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stream.status.get().kind).toBe("live");
  stream.stop();
});

it("what was told last is of the moment in which it came, as long as the stream is lost", async () => {
  isDown = false;
  const stream = new LiveStream({ query: () => ({}), onEvent: () => undefined, onGap: () => undefined });
  stream.start();
  await vi.advanceTimersByTimeAsync(1_000);
  const heardAtMs = Date.now() - 1_000;
  expect(lastKnownMs()).toBeNull();
  // The connection stays, and brings nothing more.
  isDown = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream.status.get()).toMatchObject({ kind: "stale", sinceMs: heardAtMs });
  expect(lastKnownMs()).toBe(heardAtMs);
  isDown = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(lastKnownMs()).toBeNull();
  isDown = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lastKnownMs()).not.toBeNull();
  stream.stop();
  expect(lastKnownMs()).toBeNull();
});

it("what a session does is taken in a task of its own, so that it is drawn before what came with it", async () => {
  const state = 'data: {"kind":"state","state":{"sessionId":"s"},"title":""}\n\n';
  const start = (body: ReadableStreamDefaultController) =>
    body.enqueue(new TextEncoder().encode(`${HELLO}${state}data: {"kind":"rows"}\n\n${HELLO}`));
  vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ start })));
  const taken: string[] = [];
  const onEvent = ({ kind }: LiveEvent) => {
    taken.push(kind);
    if (kind === "state") process.nextTick(() => taken.push("drawn"));
  };
  vi.useRealTimers();
  const stream = new LiveStream({ query: () => ({}), onEvent, onGap: () => undefined });
  stream.start();
  await expect.poll(() => taken).toEqual(["hello", "state", "drawn", "rows", "hello"]);
  stream.stop();
});

it("nothing is taken from a stream that was ended meanwhile", async () => {
  const state = 'data: {"kind":"state","state":{"sessionId":"s"},"title":""}\n\n';
  const start = (body: ReadableStreamDefaultController) =>
    body.enqueue(new TextEncoder().encode(`${HELLO}${state}data: {"kind":"rows"}\n\n`));
  vi.stubGlobal("fetch", async () => new Response(new ReadableStream({ start })));
  const taken: string[] = [];
  vi.useRealTimers();
  const stream = new LiveStream({
    query: () => ({}),
    onEvent: ({ kind }) => {
      taken.push(kind);
      if (kind === "state") process.nextTick(() => stream.stop());
    },
    onGap: () => undefined,
  });
  stream.start();
  await expect.poll(() => taken).toEqual(["hello", "state"]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toEqual(["hello", "state"]);
});
