import { describe, expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveCall } from "@/lib/wire/live";
import { EventBacklog, EventStream, encodeEvent } from "./event-stream";

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

  it("ends with a resync when too much waits for its reader, and holds nothing of it", async () => {
    let closed = 0;
    const stream = new EventStream(new AbortController().signal, () => (closed += 1));
    for (let n = 0; n < 20; n++) stream.send(changed);
    expect(stream.isOpen).toBe(true);
    const event = new Uint8Array(50_000);
    for (let n = 0; n < 50; n++) stream.send(event);
    expect([closed, stream.isOpen]).toEqual([1, false]);
    expect(await textOf(stream)).toBe('event: resync\ndata: {"kind":"resync"}\n\n');
  });

  it("gives what waited in its order, and goes on", async () => {
    const stream = new EventStream(new AbortController().signal, () => undefined);
    const byte = (n: number) => Uint8Array.of(n);
    for (let n = 0; n < 3; n++) stream.send(byte(n));
    const reader = stream.body.getReader();
    const seen: (number | undefined)[] = [];
    for (let n = 0; n < 3; n++) seen.push((await reader.read()).value?.[0]);
    const later = reader.read();
    stream.send(byte(3));
    stream.send(byte(4));
    stream.close();
    seen.push((await later).value?.[0], (await reader.read()).value?.[0]);
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect((await reader.read()).done).toBe(true);
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
    const log = new EventBacklog();
    const { id } = log;
    for (let n = 0; n < 3; n++) log.publish({ kind: "sessions-changed" }, null);
    expect(log.since(id)?.length).toBe(3);
    expect(log.since(log.id)).toEqual([]);
    for (let n = 0; n < 600; n++) log.publish({ kind: "sessions-changed" }, null);
    expect(log.since(id)).toBeNull();
    expect(log.since("other:1")).toBeNull();
    expect(log.since("nonsense")).toBeNull();
  });

  it("is told again only as far as a stream holds it, or its reader would be sent away each time", () => {
    const log = new EventBacklog();
    const { id } = log;
    const sessionId = "mine" as SessionId;
    const call = { recordId: "m~1", agentId: null, name: "Bash", subject: "", failed: false, isNew: true };
    const calls = [{ ...call, text: "x".repeat(1_000) } as LiveCall];
    const told: number[] = [];
    for (let n = 1; n <= 400; n++) {
      log.publish({ kind: "calls", sessionId, title: "Mine", calls }, sessionId);
      const stream = new EventStream(new AbortController().signal, () => undefined);
      const missed = log.since(id);
      for (const bytes of missed ?? []) stream.send(bytes);
      expect([n, stream.isOpen]).toEqual([n, true]);
      if (missed) told.push(missed.length);
      stream.close();
    }
    expect(told.at(-1)).toBe(told.length);
    expect(told.length).toBeGreaterThan(50);
  });

  it("reaches who asks for news alone with how sessions stand and what they call, and nothing else, later too", async () => {
    const log = new EventBacklog();
    const { id } = log;
    const stream = new EventStream(new AbortController().signal, () => undefined);
    log.join(stream, null, true);
    const sessionId = "mine" as SessionId;
    log.publish({ kind: "sessions-changed" }, null);
    log.publish({ kind: "calls", sessionId, title: "Mine", calls: [] }, sessionId);
    log.publish({ kind: "session-changed", sessionId, revision: null, summary: null }, sessionId);
    stream.close();
    expect(await textOf(stream)).toMatch(/^id: \S+:2\nevent: calls\ndata: .*\n\n$/);
    expect(log.since(id, true)?.length).toBe(1);
    expect(log.since(id)?.length).toBe(3);
  });

  it("reaches readers of one session only where it is about that one", async () => {
    const log = new EventBacklog();
    const stream = new EventStream(new AbortController().signal, () => undefined);
    log.join(stream, "mine" as SessionId);
    for (const id of ["mine", "other"] as SessionId[])
      log.publish({ kind: "session-changed", sessionId: id, revision: null, summary: null }, id);
    stream.close();
    expect(await textOf(stream)).toMatch(/^event: session-changed\ndata: .*"mine".*\n\n$/);
  });
});
