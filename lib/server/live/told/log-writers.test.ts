import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeProcesses } from "@/lib/testing/live/fake-processes";
import { onPlatform } from "@/lib/testing/on-platform";
import type { SessionId } from "@/lib/wire/ids";
import { LogWriters } from "./log-writers";

const A = "a" as SessionId;
const B = "b" as SessionId;
// Not on Windows, where links to what is not there may not be made.
describe.skipIf(process.platform === "win32")("the client that writes a log", () => {
  let processes: FakeProcesses;
  let writers: LogWriters;
  let nowMs: number;
  beforeEach(() => {
    onPlatform("linux");
    processes = new FakeProcesses();
    writers = new LogWriters(processes.folder);
    nowMs = Date.now();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    processes.remove();
  });

  const written = new Map<number, number>();
  /** The log of a session has grown to so many bytes, and clients have written as many as is told of each. */
  function grows(
    id: SessionId,
    readTo: number,
    by: Record<number, number> = {},
    { isMidway = false, madeAgoMs = null as number | null } = {},
  ): SessionId[] {
    for (const [pid, bytes] of Object.entries(by)) {
      written.set(Number(pid), (written.get(Number(pid)) ?? 0) + bytes);
      processes.setIo(Number(pid), { written: written.get(Number(pid)) ?? 0, writes: 1, read: 0 });
    }
    nowMs += 1_000;
    const log = { slug: "-home-dev-shop", readTo, lastAtMs: nowMs, lastNodeAtMs: nowMs, isMidway };
    return writers.note(
      id,
      { ...log, madeAtMs: () => (madeAgoMs === null ? null : nowMs - madeAgoMs) },
      nowMs,
    );
  }
  function client(pid: number, of: Parameters<FakeProcesses["add"]>[1] = {}): void {
    written.delete(pid);
    processes.add(pid, of);
  }
  const standing = (id: SessionId) => {
    const writer = writers.of(id);
    return writer && `${writer.pid ?? "one of them"} ${writer.lives ? "lives" : "has ended"}`;
  };

  it("the writer of a log is the client in its folder that wrote as much as the log grew", () => {
    client(11);
    grows(A, 500, { 11: 500 });
    // There is nothing to compare with yet.
    expect(standing(A)).toBe(null);
    grows(A, 900, { 11: 450 });
    expect(standing(A)).toBe("11 lives");
    expect(writers.ended()).toEqual([]);
    processes.end(11);
    expect(writers.ended()).toEqual([A]);
    expect(writers.ended()).toEqual([]);
    expect(standing(A)).toBe("11 has ended");
  });

  describe("of an earlier run", () => {
    /** What was known is all that the next run has. */
    function restart(): void {
      const kept = writers.kept();
      writers = new LogWriters(processes.folder);
      writers.takeOver({ atMs: nowMs, writers: kept }, nowMs + 500);
    }
    beforeEach(() => {
      client(11);
      grows(A, 500, { 11: 500 });
      grows(A, 900, { 11: 450 });
    });

    it("is known when its log is looked at, and has ended when it has since", () => {
      restart();
      grows(A, 900);
      expect(standing(A)).toBe("11 lives");
      processes.end(11);
      expect(writers.ended()).toEqual([A]);
      expect(standing(A)).toBe("11 has ended");
    });

    it("has ended if it did in between, and its pid says nothing then", () => {
      restart();
      processes.end(11);
      client(11, { startTicks: 2_000 });
      grows(A, 900);
      expect(standing(A)).toBe("11 has ended");
    });

    it("is still the writer if it has written as much as the log has grown", () => {
      restart();
      grows(A, 1_200, { 11: 300 });
      expect(standing(A)).toBe("11 lives");
    });

    it("is not known where another one must have written", () => {
      restart();
      grows(A, 1_200, { 11: 200 });
      expect(standing(A)).toBe(null);
    });

    it("is not known where another log of its folder was written in between: it may be that one's", () => {
      restart();
      grows(A, 900);
      expect(grows(B, 400, {}, { madeAgoMs: 60_000 })).toEqual([A]);
      expect(standing(A)).toBe(null);
      // As soon as it writes again it is.
      grows(A, 1_000, { 11: 100 });
      expect(standing(A)).toBe("11 lives");
    });

    it("stays known where a log was made since", () => {
      restart();
      grows(A, 900);
      grows(B, 400, {}, { madeAgoMs: 100 });
      expect(standing(A)).toBe("11 lives");
    });
  });

  it("the writer of a new log is known at once where clients were looked at before it was made", () => {
    client(11);
    client(12);
    grows(B, 700, { 11: 4_000, 12: 9_000 });
    writers.look(nowMs);
    // Made after that, or not: then others may have written it.
    grows(A, 500, { 11: 600, 12: 100 }, { madeAgoMs: 500 });
    expect(standing(A)).toBe("11 lives");
    processes.end(11);
    expect(writers.ended()).toEqual([A]);
    writers.forget(A);
    client(11);
    writers.look(nowMs);
    grows(A, 500, { 11: 600 }, { madeAgoMs: 5_000 });
    expect(standing(A)).toBe(null);
  });

  it("so it is where they were looked at again before the log was read (2.0.76 after /clear)", () => {
    client(11);
    client(12);
    grows(B, 700, { 11: 4_000, 12: 9_000 });
    writers.look(nowMs);
    processes.setIo(11, { written: 4_600, writes: 2, read: 0 });
    writers.look(nowMs + 900);
    grows(A, 500, { 11: 600, 12: 100 }, { madeAgoMs: 500 });
    expect(standing(A)).toBe("11 lives");
  });

  it("nothing is known of one that writes two logs by turns: one of them is another's, whom nobody here sees", () => {
    client(11);
    grows(A, 500);
    grows(A, 900, { 11: 450 });
    grows(B, 300);
    expect(grows(B, 500, { 11: 300 })).toEqual([A]);
    expect(grows(A, 1_300, { 11: 450 })).toEqual([B]);
    // A person goes back to the session before, and perhaps to the other again, but not in a minute.
    expect(grows(B, 900, { 11: 450 })).toEqual([A]);
    expect([standing(A), standing(B)]).toEqual([null, null]);
    processes.end(11);
    writers.ended();
    expect([standing(A), standing(B)]).toEqual([null, null]);
  });

  it("nor of one that writes a log while another is in the middle of a turn", () => {
    client(11);
    grows(A, 500);
    grows(A, 900, { 11: 450 }, { isMidway: true });
    grows(B, 300, { 11: 450 });
    expect(grows(B, 500, { 11: 450 })).toEqual([A]);
    expect([standing(A), standing(B)]).toEqual([null, null]);
    // Ten minutes later it is taken for the writer of what it writes again.
    vi.spyOn(Date, "now").mockImplementation(() => nowMs);
    nowMs += 660_000;
    grows(A, 1_300, { 11: 450 });
    expect(standing(A)).toBe("11 lives");
  });

  it("of several clients in a folder it is the one that writes", () => {
    client(11);
    client(12);
    grows(A, 500);
    grows(A, 900, { 11: 450, 12: 450 });
    // Either may have.
    expect(standing(A)).toBe(null);
    grows(A, 1_300, { 11: 450, 12: 20 });
    expect(standing(A)).toBe("11 lives");
    processes.end(12);
    expect(writers.ended()).toEqual([]);
  });

  it("one of several has written, and has ended when all have", () => {
    client(11);
    client(12);
    grows(A, 500);
    grows(A, 900, { 11: 450, 12: 450 });
    processes.end(11);
    expect(writers.ended()).toEqual([]);
    processes.end(12);
    expect(writers.ended()).toEqual([A]);
    expect(standing(A)).toBe("one of them has ended");
  });

  it("a client that nobody here sees is none, whoever works in its folder", () => {
    client(11);
    grows(A, 500);
    grows(A, 900, { 11: 100 });
    expect(standing(A)).toBe(null);
    processes.end(11);
    expect(writers.ended()).toEqual([]);
    // Nor one of which it is not told how much it wrote.
    client(13);
    grows(A, 1_300);
    processes.end(13);
    client(13);
    grows(A, 1_600, { 13: 10 });
    expect(standing(A)).toBe(null);
  });

  it("one that goes on with a session after another is its writer from then on", () => {
    client(11);
    grows(A, 500);
    grows(A, 900, { 11: 450 });
    processes.end(11);
    // Its last line.
    grows(A, 950);
    expect(standing(A)).toBe("11 has ended");
    client(12, { startTicks: 2_000 });
    grows(A, 1_300);
    expect(standing(A)).toBe(null);
    grows(A, 1_500, { 12: 200 });
    expect(standing(A)).toBe("12 lives");
    // Of a log that goes on much later without anybody, nothing is known.
    processes.end(12);
    writers.ended();
    nowMs += 60_000;
    grows(A, 1_900);
    expect(standing(A)).toBe(null);
  });

  it("a client that writes another session has left the one before", () => {
    client(11);
    grows(A, 500);
    grows(A, 900, { 11: 450 });
    grows(B, 300, { 11: 300 });
    expect(standing(A)).toBe("11 lives");
    expect(grows(B, 500, { 11: 300 })).toEqual([A]);
    expect(standing(A)).toBe("11 has ended");
    expect(standing(B)).toBe("11 lives");
    expect(grows(A, 1_300, { 11: 450 })).toEqual([B]);
    expect(standing(A)).toBe("11 lives");
  });

  it("nothing is known of logs that are not being written, that were cut, or that are another folder's", () => {
    client(11);
    const longAgo = { lastAtMs: nowMs - 600_000, lastNodeAtMs: nowMs - 600_000 };
    const log = { slug: "-home-dev-shop", ...longAgo, isMidway: false, madeAtMs: () => null };
    for (const readTo of [500, 900]) writers.note(A, { ...log, readTo }, nowMs);
    expect(standing(A)).toBe(null);
    grows(B, 500);
    grows(B, 400, { 11: 900 });
    expect(standing(B)).toBe(null);
    client(12, { cwd: "/home/dev/other" });
    processes.end(11);
    grows(B, 600, { 12: 900 });
    grows(B, 700, { 12: 900 });
    expect(standing(B)).toBe(null);
    onPlatform("win32");
    expect(grows(B, 800)).toEqual([]);
  });
});
