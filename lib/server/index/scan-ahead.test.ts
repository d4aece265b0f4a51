import { describe, expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { scanAhead } from "./scan-ahead";

const MB = 1 << 20;

/** Sessions of these sizes in MB, named by their places, with what of each has begun, was read and is saved. */
function sessionsOf(...megabytes: number[]) {
  const begun: number[] = [];
  const ends = new Map<number, { read: () => void; saved: () => void; failed: (error: Error) => void }>();
  let at = 0;
  const source = {
    next: async () => (at < megabytes.length ? (String(at++) as SessionId) : null),
    bytesOf: (id: SessionId) => (megabytes[Number(id)] ?? 0) * MB,
  };
  const scan = (id: SessionId, onRead: () => void) =>
    new Promise<void>((saved, failed) => {
      begun.push(Number(id));
      ends.set(Number(id), { read: onRead, saved, failed });
    });
  const settled = () => new Promise((go) => setTimeout(go, 0));
  const of = (place: number) => {
    const end = ends.get(place);
    if (!end) throw new Error(`session ${place} has not begun`);
    return end;
  };
  return { source, scan, begun, of, settled };
}

describe("scanAhead", () => {
  it("has few large sessions wait to be read, and as many small ones as fit", async () => {
    const large = sessionsOf(20, 20, 20, 20, 20, 20);
    void scanAhead(large.source, large.scan);
    await large.settled();
    expect(large.begun).toEqual([0, 1, 2, 3]);
    const small = sessionsOf(...Array.from({ length: 40 }, () => 0.1));
    void scanAhead(small.source, small.scan);
    await small.settled();
    expect(small.begun.length).toBe(32);
    small.of(7).saved();
    await small.settled();
    expect(small.begun.length).toBe(33);
  });

  it("goes on reading while a large session that was read is saved", async () => {
    const { source, scan, begun, of, settled } = sessionsOf(40, ...Array.from({ length: 20 }, () => 1));
    void scanAhead(source, scan);
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    of(0).read();
    await settled();
    // The large one is not saved yet, and neither are those that are read behind it.
    for (const place of [1, 2, 3]) of(place).read();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it("waits where too much of what was read is not saved", async () => {
    const { source, scan, begun, of, settled } = sessionsOf(60, 60, 60, 60, 60, 60);
    void scanAhead(source, scan);
    await settled();
    for (const place of [0, 1, 2, 3]) of(place).read();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    of(0).saved();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("ends when all have ended, with what one of them failed with", async () => {
    const { source, scan, begun, of, settled } = sessionsOf(20, 20, 20, 20, 20, 20);
    const scanned = scanAhead(source, scan).then(
      () => "well",
      (error: Error) => error.message,
    );
    await settled();
    of(1).failed(new Error("a bug"));
    await settled();
    for (const place of begun) if (place !== 1) of(place).saved();
    expect(await scanned).toBe("a bug");
    expect(begun.length).toBeLessThan(6);
  });
});
