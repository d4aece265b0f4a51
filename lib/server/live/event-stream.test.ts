import { describe, expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { EventLog } from "./event-log";
import { EventStream, encodeEvent } from "./event-stream";

const changed = encodeEvent({ kind: "sessions-changed" }, "l1:7");

async function textOf(stream: EventStream): Promise<string> {
  const reader = stream.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
}

describe("a reader's stream", () => {
  it("carries events with their ids, and ends cleanly", async () => {
    let closed = 0;
    const stream = new EventStream(new AbortController().signal, () => (closed += 1));
    stream.send(changed);
    stream.close();
    stream.close();
    expect(await textOf(stream)).toBe(
      'id: l1:7\nevent: sessions-changed\ndata: {"kind":"sessions-changed"}\n\n',
    );
    expect(closed).toBe(1);
  });

  it("ends with a resync when a megabyte waits for its reader, and holds no more", async () => {
    let closed = 0;
    const stream = new EventStream(new AbortController().signal, () => (closed += 1));
    const event = new Uint8Array(100_000);
    for (let n = 0; n < 50; n++) stream.send(event);
    expect([closed, stream.isOpen]).toEqual([1, false]);
    const text = await textOf(stream);
    expect(text.length).toBeLessThan(1_100_000);
    expect(text.endsWith('data: {"kind":"resync"}\n\n')).toBe(true);
  });

  it("ends when its reader goes", async () => {
    let closed = 0;
    const left = new AbortController();
    const stream = new EventStream(left.signal, () => (closed += 1));
    left.abort();
    stream.send(changed);
    const cancelled = new EventStream(new AbortController().signal, () => (closed += 1));
    await cancelled.body.cancel();
    expect([closed, stream.isOpen, cancelled.isOpen]).toEqual([2, false, false]);
  });
});

describe("what all readers are told", () => {
  it("is told again to one who comes back, and not to one who was away too long", () => {
    const log = new EventLog();
    const { id } = log;
    for (let n = 0; n < 3; n++) log.tell({ kind: "sessions-changed" }, null);
    expect(log.since(id)?.length).toBe(3);
    expect(log.since(log.id)).toEqual([]);
    for (let n = 0; n < 600; n++) log.tell({ kind: "sessions-changed" }, null);
    expect(log.since(id)).toBeNull();
    expect(log.since("other:1")).toBeNull();
    expect(log.since("nonsense")).toBeNull();
  });

  it("reaches readers of one session only where it is about that one", async () => {
    const log = new EventLog();
    const stream = new EventStream(new AbortController().signal, () => undefined);
    log.join(stream, "mine" as SessionId);
    for (const id of ["mine", "other"] as SessionId[])
      log.tell({ kind: "session-changed", sessionId: id, revision: null, summary: null }, id);
    stream.close();
    expect(await textOf(stream)).toMatch(/^event: session-changed\ndata: .*"mine".*\n\n$/);
  });
});
