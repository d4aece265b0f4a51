import { describe, expect, it } from "vitest";
import { parseSeen } from "./live-seen";

describe("what the reader has seen", () => {
  it("is read entry by entry, and anything else is ignored", () => {
    expect([...parseSeen('[["a",5],["b","x"],7,["c",9]]')]).toEqual([
      ["a", 5],
      ["c", 9],
    ]);
    for (const text of [null, "", "{}", "[", "null"]) expect(parseSeen(text).size).toBe(0);
  });
});
