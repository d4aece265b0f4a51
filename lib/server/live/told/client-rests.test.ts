import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeProcesses } from "@/lib/testing/live/fake-processes";
import { onPlatform } from "@/lib/testing/on-platform";
import { ClientRests } from "./client-rests";

const PID = 11;
// Not on Windows, where links to what is not there may not be made.
describe.skipIf(process.platform === "win32")("whether a client is at rest", () => {
  let processes: FakeProcesses;
  let rests: ClientRests;
  let io: { written: number; writes: number; read: number };
  beforeEach(() => {
    onPlatform("linux");
    processes = new FakeProcesses();
    rests = new ClientRests(processes.folder);
    io = { written: 0, writes: 0, read: 0 };
  });
  afterEach(() => processes.remove());

  /** Looks 20 times a second, from one time to another, at a client that does so much at each look. Returns when it told of a change. */
  function watch(fromMs: number, toMs: number, writes: number, read = 0): number[] {
    const told: number[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs += 50) {
      io = { written: io.written + 100 * writes, writes: io.writes + writes, read: io.read + read };
      processes.setIo(PID, io);
      if (rests.look(new Set([PID]), atMs).size > 0) told.push(atMs);
    }
    return told;
  }
  const standing = () => {
    const rest = rests.of(PID);
    return (
      rest && `${rest.is ?? "not known"}, rested ${rest.fromMs === null ? "never" : `from ${rest.fromMs}`}`
    );
  };

  it("a client is at rest that has neither written nor read for a second", () => {
    processes.add(PID);
    expect(standing()).toBe(null);
    expect(watch(10_000, 12_000, 1)).toEqual([]);
    expect(watch(12_000, 13_500, 0)).toEqual([12_000, 12_900]);
    expect(standing()).toBe("resting, rested from 12450");
    // At work again it is told of when no key of its person's can be the reason, and once more when it rests.
    expect(watch(13_500, 16_000, 1)).toEqual([15_500]);
    expect(standing()).toBe("working, rested from 12500");
    expect(watch(16_000, 17_500, 0)).toEqual([16_900]);
  });

  it("one is at rest after less than a third of a second in which it hardly woke, and at work as long as it did", () => {
    processes.add(PID);
    let switches = 0;
    /** Looks as often at a client that wakes so often between two looks, and draws with every third time that it wakes. */
    const watchWaking = (fromMs: number, toMs: number, wakes: number) => {
      const told: number[] = [];
      for (let atMs = fromMs; atMs < toMs; atMs += 50) {
        switches += wakes;
        io = { ...io, writes: io.writes + Math.floor(wakes / 3) };
        processes.setSwitches(PID, switches - 7, 7);
        processes.setIo(PID, io);
        if (rests.look(new Set([PID]), atMs).size > 0) told.push(atMs);
      }
      return told;
    };
    expect(watchWaking(10_000, 11_500, 3)).toEqual([]);
    expect(standing()).toBe("not known, rested never");
    expect(watchWaking(11_500, 12_100, 1)).toEqual([11_700]);
    expect(standing()).toBe("resting, rested from 11750");
    expect(watchWaking(12_100, 15_000, 3)).toEqual([14_100]);
    expect(standing()).toBe("working, rested from 11800");
    // Looked at too seldom, it may have waited for a processor as we did.
    rests.look(new Set(), 15_000);
    for (let atMs = 20_000; atMs < 20_900; atMs += 150) rests.look(new Set([PID]), atMs);
    expect(standing()).toBe("not known, rested from 11800");
  });

  it("one that wakes once is not at rest while it is seen awake, or reads what comes from the model", () => {
    processes.add(PID);
    processes.setSwitches(PID, 1);
    processes.setState(PID, "R");
    rests.look(new Set([PID]), 10_000);
    processes.setState(PID, "S");
    for (let atMs = 10_050; atMs <= 10_300; atMs += 50) rests.look(new Set([PID]), atMs);
    expect(standing()).toBe("not known, rested never");
    processes.setIo(PID, { ...io, read: 500 });
    for (let atMs = 10_350; atMs <= 10_600; atMs += 50) rests.look(new Set([PID]), atMs);
    expect(standing()).toBe("not known, rested never");
    rests.look(new Set([PID]), 10_650);
    expect(standing()).toBe("resting, rested from 10350");
  });

  it("what comes from the model is no rest, and a thread that wakes another is", () => {
    processes.add(PID);
    watch(10_000, 12_000, 0, 140);
    expect(standing()).toBe("not known, rested never");
    watch(12_000, 13_500, 0, 0);
    expect(standing()).toMatch("resting");
    io = { ...io, writes: io.writes + 1, read: io.read + 8 };
    watch(13_500, 13_600, 0);
    expect(standing()).toBe("resting, rested from 12550");
  });

  it("one that waits for a processor, or was stopped, has not rested", () => {
    processes.add(PID);
    for (const state of ["R", "T", "D"]) {
      processes.setState(PID, state);
      watch(10_000, 11_500, 0);
      expect(standing()).toBe("not known, rested never");
    }
    processes.setState(PID, "S");
    watch(11_500, 11_550, 0);
    expect(standing()).toBe("resting, rested from 10500");
  });

  it("nothing is known of one outside of a terminal, or that has ended", () => {
    processes.add(PID, { terminal: false });
    watch(10_000, 13_000, 0);
    expect(standing()).toBe("not known, rested never");
    processes.end(PID);
    processes.add(PID);
    processes.setState(PID, "Z");
    expect(new ClientRests(processes.folder).look(new Set([PID])).size).toBe(0);
  });

  it("a clock that is set forward is no second in which it did nothing", () => {
    processes.add(PID);
    rests.look(new Set([PID]));
    const now = Date.now.bind(Date);
    const set = vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
    rests.look(new Set([PID]));
    expect(standing()).toBe("not known, rested never");
    set.mockRestore();
  });

  it("when it rested last is kept while it is not looked at, and what it does is not", () => {
    processes.add(PID);
    watch(10_000, 12_000, 0);
    rests.look(new Set(), 12_000);
    expect(standing()).toBe("not known, rested from 10950");
    // Looked at again, it has to rest for a second again.
    expect(watch(20_000, 20_500, 0)).toEqual([]);
    expect(watch(20_500, 21_500, 0)).toEqual([21_000]);
  });
});
