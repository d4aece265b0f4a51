import { describe, expect, it, vi } from "vitest";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { BranchEntry } from "@/lib/wire/session";
import { formatFold, PositionStore, parseFold, threadTurns } from "./thread-position";

describe("thread fold", () => {
  it("writes folded turns as ranges and reads them back", () => {
    expect(formatFold(new Set([3, 1, 2, 9, 12, 11]))).toBe("1-3,9,11-12");
    expect(formatFold(new Set())).toBeNull();
    expect([...parseFold("1-3,9,x,11-12,-4")]).toEqual([1, 2, 3, 9, 11, 12]);
  });
});

describe("thread position", () => {
  const AT_TOP = { first: 0, last: 20, total: 100, turn: 1, selected: 0, atEnd: false, fresh: 0 };

  async function isDone(promise: Promise<void>): Promise<boolean> {
    return Promise.race([
      promise.then(() => true),
      new Promise<boolean>((done) => setImmediate(done, false)),
    ]);
  }

  it("a row is reached when it is selected and in view, not before", async () => {
    const store = new PositionStore();
    store.set(AT_TOP);
    expect(await isDone(store.reached(0))).toBe(true);
    const reached = store.reached(40);
    store.set({ ...AT_TOP, selected: 40 });
    expect(await isDone(reached)).toBe(false);
    store.set({ ...AT_TOP, selected: 40, first: 38, last: 60 });
    expect(await isDone(reached)).toBe(true);
  });

  it("a row that never comes is not waited for", async () => {
    vi.useFakeTimers();
    try {
      const store = new PositionStore();
      store.set(AT_TOP);
      const reached = store.reached(40);
      await vi.advanceTimersByTimeAsync(1_000);
      await reached;
      expect(store.get()).toEqual(AT_TOP);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("thread turns", () => {
  describe("threadTurns", () => {
    const branches = [entry("m~9", 4, true), entry("m~5", 3, false)];

    it("counts the turns of the active branch where no other is named", () => {
      expect(threadTurns({ branches }, { agent: null, branch: null })).toBe(4);
    });

    it("counts those of the branch that is named", () => {
      expect(threadTurns({ branches }, { agent: null, branch: "m~5" as BranchId })).toBe(3);
    });

    it("does not know those of an agent, of a branch that is not listed, or of no session", () => {
      expect(threadTurns({ branches }, { agent: "a1" as AgentId, branch: null })).toBeNull();
      expect(threadTurns({ branches }, { agent: null, branch: "m~7" as BranchId })).toBeNull();
      expect(threadTurns(null, { agent: null, branch: null })).toBeNull();
    });
  });

  function entry(id: string, turns: number, active: boolean): BranchEntry {
    return {
      id: id as BranchId,
      turns,
      active,
      leafUuid: null,
      forkedAtRecordId: null,
      prompt: null,
      lastActiveAtMs: null,
    };
  }
});
