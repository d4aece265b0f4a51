import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { downloadResponse, endingWith, eventResponse, streamOf } from "./respond";

/** What is printed on the console while a test runs. */
function consoleErrors(): unknown[] {
  const printed: unknown[] = [];
  const spy = vi
    .spyOn(console, "error")
    .mockImplementation((...args: unknown[]) => void printed.push(...args));
  onTestFinished(() => spy.mockRestore());
  return printed;
}

it("gives events in their order and ends", async () => {
  async function* events() {
    yield { kind: "start" };
    yield { kind: "end", complete: true };
  }
  expect(await eventResponse(events()).text()).toBe(
    'event: start\ndata: {"kind":"start"}\n\nevent: end\ndata: {"kind":"end","complete":true}\n\n',
  );
});

it("says nothing on the console when a reader leaves while the next event is being made", async () => {
  const printed = consoleErrors();
  let make: () => void = () => undefined;
  let ended = false;
  async function* events() {
    try {
      yield { kind: "start" };
      await new Promise<void>((resolve) => {
        make = resolve;
      });
      yield { kind: "late" };
    } finally {
      ended = true;
    }
  }
  const reader = eventResponse(events()).body?.getReader();
  await reader?.read();
  await nextTurn(); // the stream has asked for the next one by itself
  const left = reader?.cancel();
  make();
  await left;
  await nextTurn();
  expect({ ended, printed }).toEqual({ ended: true, printed: [] });
});

it("says nothing either when the end comes after the reader has left, nor does a failure then", async () => {
  const printed = consoleErrors();
  for (const fails of [false, true]) {
    let go: () => void = () => undefined;
    async function* pieces() {
      yield "a";
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      if (fails) throw new Error("nobody is told");
    }
    const reader = streamOf(pieces(), (piece) => piece).getReader();
    await reader.read();
    await nextTurn();
    const left = reader.cancel().catch(() => undefined);
    go();
    await left;
    await nextTurn();
  }
  expect(printed).toEqual([]);
});

it("breaks the stream off and prints what a generator throws", async () => {
  const printed = consoleErrors();
  async function* pieces() {
    yield "a";
    throw new Error("broken on purpose");
  }
  const stream = streamOf(pieces(), (piece) => piece);
  await expect(new Response(stream).text()).rejects.toThrow("broken on purpose");
  expect(printed.map(String)).toEqual(["Error: broken on purpose"]);
});

it("breaks off with one line on the terminal, and no stack of Next's, where a log goes while it is written", async () => {
  const printed = consoleErrors();
  for (const error of [
    new ViewerError("file-gone", "This log is no longer there"),
    Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }),
  ]) {
    async function* pieces() {
      yield "a";
      throw error;
    }
    // Next prints whatever breaks an answer off but errors of this name.
    await expect(new Response(streamOf(pieces(), (piece) => piece)).text()).rejects.toMatchObject({
      name: "AbortError",
      message: error.message,
    });
  }
  expect(printed).toEqual([
    "An answer broke off: This log is no longer there",
    "An answer broke off: EIO: i/o error, read",
  ]);
});

it("a download that fails before its first piece is not begun, and one that nobody reads is ended", async () => {
  const printed = consoleErrors();
  const file = { name: "a.md", mediaType: "text/markdown" };
  async function* gone(isThere: boolean) {
    if (!isThere) throw new ViewerError("file-gone", "This log is no longer there", { status: 404 });
    yield "a";
  }
  await expect(downloadResponse({ ...file, pieces: gone(false) })).rejects.toThrow("no longer there");
  let ended = 0;
  async function* pieces() {
    try {
      yield "a";
      yield "b";
    } finally {
      ended += 1;
    }
  }
  expect(await (await downloadResponse({ ...file, pieces: pieces() })).text()).toBe("ab");
  expect(ended).toBe(1);
  await (await downloadResponse({ ...file, pieces: pieces() })).body?.cancel();
  expect({ ended, printed }).toEqual({ ended: 2, printed: [] });
});

it("counts a guest's stream for as long as it is read, however it ends", async () => {
  consoleErrors();
  const share = new AbortController();
  let readers = 0;
  const follow = () => {
    readers += 1;
    return () => void (readers -= 1);
  };
  async function* events(fails: boolean) {
    yield { kind: "start" };
    if (fails) throw new Error("a cursor that is none");
  }
  const readerOf = (fails: boolean) =>
    endingWith(eventResponse(events(fails)), { signal: share.signal, follow }).body?.getReader();
  const left = readerOf(false);
  await left?.read();
  expect(readers).toBe(1);
  await left?.cancel();
  expect(readers).toBe(0);
  for (const fails of [false, true]) {
    const reader = readerOf(fails);
    await reader?.read();
    await reader?.read().catch(() => undefined);
    await reader?.closed.catch(() => undefined);
    expect(readers).toBe(0);
  }
});

it("a guest who leaves while the next event is awaited has left once", async () => {
  const left = vi.fn();
  const events = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([10])) });
  const stream = new Response(events, { headers: { "content-type": "text/event-stream" } });
  const reader = endingWith(stream, {
    signal: new AbortController().signal,
    follow: () => left,
  }).body?.getReader();
  await reader?.read();
  await nextTurn();
  await reader?.cancel();
  await nextTurn();
  expect(left).toHaveBeenCalledTimes(1);
});

it("reports what fails while an answer ends with its share", async () => {
  const printed = consoleErrors();
  const share = new AbortController();
  const events = new ReadableStream({
    start: (stream) => stream.enqueue(new Uint8Array([10])),
    cancel: () => Promise.reject(new Error("broken on purpose")),
  });
  const follow = () => () => undefined;
  const reader = endingWith(new Response(events), { signal: share.signal, follow }).body?.getReader();
  await reader?.read();
  share.abort();
  await expect(reader?.read()).rejects.toMatchObject({ name: "AbortError", message: "The share has ended" });
  await vi.waitFor(() =>
    expect(printed.map(String)).toEqual(["Ending an answer failed:", "Error: broken on purpose"]),
  );
});
