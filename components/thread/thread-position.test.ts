import { describe, expect, it } from "vitest";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { BranchEntry } from "@/lib/wire/session";
import { formatFold, parseFold, threadTurns } from "./thread-position";

describe("thread fold", () => {
  it("writes folded turns as ranges and reads them back", () => {
    expect(formatFold(new Set([3, 1, 2, 9, 12, 11]))).toBe("1-3,9,11-12");
    expect(formatFold(new Set())).toBeNull();
    expect([...parseFold("1-3,9,x,11-12,-4")]).toEqual([1, 2, 3, 9, 11, 12]);
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
      number: 1,
      leafUuid: null,
      forkedAtRecordId: null,
      prompt: null,
      lastActiveAtMs: null,
    };
  }
});
