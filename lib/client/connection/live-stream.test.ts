// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveEvent } from "@/lib/wire/live";
import { SHARE_TOKEN_START } from "@/lib/wire/shares";
import { lastKnownMs } from "./last-known";
import { LiveStream } from "./live-stream";
import { setToken } from "./token";

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

it("goes on behind what it took in last, and tells of a gap where that cannot be, or the server says so", async () => {
  const hello = (resumed: boolean) =>
    `data: {"kind":"hello","states":[],"server":"1","resumed":${resumed}}\n\n`;
  const rows = (id: string) => `id: ${id}\ndata: {"kind":"rows"}\n\n`;
  const said = (kind: string) => `data: {"kind":"${kind}"}\n\n`;
  const answers = [
    hello(false) + rows("l1:5"),
    hello(true) + rows("l1:6"),
    hello(false) + rows("l2:1"),
    hello(true) + said("reset"),
    hello(true) + said("resync"),
  ];
  const told: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError("no answer");
    told.push(`since ${new URL(url, "http://page").searchParams.get("since")}`);
    return new Response(answer);
  });
  const stream = new LiveStream({
    query: () => ({}),
    onEvent: ({ kind }) => void told.push(kind),
    onGap: () => void told.push("gap"),
  });
  stream.start();
  await vi.advanceTimersByTimeAsync(10_000);
  stream.stop();
  expect(told).toEqual([
    ...["since null", "hello", "rows"],
    ...["since l1:5", "hello", "rows"],
    // Of another server, or too long ago.
    ...["since l1:6", "gap", "hello", "rows"],
    ...["since l2:1", "hello", "reset", "gap"],
    ...["since l2:1", "hello", "resync", "gap"],
  ]);
});

const streamWith = (onGap: () => void = () => undefined) =>
  new LiveStream({ query: () => ({}), onEvent: () => undefined, onGap });

it("a stream that brings nothing but pings stays", async () => {
  let asked = 0;
  let ping = (): void => undefined;
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
    asked += 1;
    const start = (body: ReadableStreamDefaultController) => {
      signal?.addEventListener("abort", () => body.error(signal.reason));
      const send = (text: string) => body.enqueue(new TextEncoder().encode(text));
      ping = () => send(": ping\n\n");
      send(HELLO);
    };
    return new Response(new ReadableStream({ start }));
  });
  const stream = streamWith();
  stream.start();
  for (let n = 0; n < 10; n++) {
    await vi.advanceTimersByTimeAsync(15_000);
    ping();
  }
  await vi.advanceTimersByTimeAsync(10);
  expect([asked, stream.status.get().kind]).toEqual([1, "live"]);
  stream.stop();
});

it("a tab that is not looked at has no stream, and asks for what it shows now and then", async () => {
  isDown = false;
  let gaps = 0;
  const stream = streamWith(() => void (gaps += 1));
  stream.start();
  await vi.advanceTimersByTimeAsync(100);
  isHidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(31_000);
  expect([open, gaps, stream.status.get().kind]).toEqual([0, 2, "hidden"]);
  isHidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(31_000);
  expect([open, gaps, stream.status.get().kind]).toEqual([1, 2, "live"]);
  stream.stop();
});

it("is tried again more and more rarely, and not at all once the token is refused", async () => {
  let asked = 0;
  let refuses = false;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    if (!refuses) throw new TypeError("no answer");
    return Response.json({ error: { code: "unauthorised", message: "No", hint: "" } }, { status: 401 });
  });
  const stream = streamWith();
  stream.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBeGreaterThan(5);
  expect(asked).toBeLessThan(15);
  refuses = true;
  await vi.advanceTimersByTimeAsync(20_000);
  asked = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  stream.stop();
});

it("says for a moment that it is live again, and not of the first time", async () => {
  const stream = streamWith();
  const again = () => {
    const { kind, againAfterMs } = stream.status.get();
    return [kind, againAfterMs !== null];
  };
  const untilLive = async () => {
    for (let n = 0; n < 200 && again()[0] !== "live"; n++) await vi.advanceTimersByTimeAsync(100);
  };
  stream.start();
  await vi.advanceTimersByTimeAsync(5_000);
  isDown = false;
  await untilLive();
  expect(again()).toEqual(["live", false]);
  isDown = true;
  await vi.advanceTimersByTimeAsync(60_000);
  isDown = false;
  await untilLive();
  expect(again()).toEqual(["live", true]);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(again()).toEqual(["live", false]);
  stream.stop();
});

it("asks at once where a share's stream ends: it has most likely been taken back", async () => {
  const token = `${SHARE_TOKEN_START}0123456789abcdef`;
  setToken(token);
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return asked === 1
      ? new Response(HELLO)
      : Response.json({ error: { code: "share-ended", message: "Over", hint: "" } }, { status: 401 });
  });
  const stream = streamWith();
  stream.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toBe(2);
  stream.stop();
  sessionStorage.clear();
});
