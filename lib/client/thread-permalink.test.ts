import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { formatPlace, openedBy, parsePlace } from "./thread-permalink";

describe("a place in a thread", () => {
  it("points at a record, a block, lines or a hunk", () => {
    expect(parsePlace("m~1k9")).toEqual({ recordId: "m~1k9", block: null, lines: null, hunk: null });
    expect(parsePlace("m~1k9.2:L12-20")).toEqual({
      recordId: "m~1k9",
      block: 2,
      lines: { from: 12, to: 20 },
      hunk: null,
    });
    expect(parsePlace("m~1k9.2:h3")?.hunk).toBe(3);
    expect(parsePlace("m~0:L7")?.lines).toEqual({ from: 7, to: 7 });
  });

  it("puts lines given backwards in order", () => {
    expect(parsePlace("m~0:L20-12")?.lines).toEqual({ from: 12, to: 20 });
  });

  it("is nothing when the text is not one", () => {
    for (const at of ["", ".", "m~0.", "m~0.x", "m~0:L", "m~0:h", "m~0:L1-", "a b", "m~0.1.2"]) {
      expect(parsePlace(at), at).toBeNull();
    }
    expect(parsePlace(null)).toBeNull();
  });

  it("opens the row that its lines or its hunk are in, and no other", () => {
    expect([...openedBy("m~1k9.2:L12-20")]).toEqual(["m~1k9.2"]);
    expect([...openedBy("m~1k9:h3")]).toEqual(["m~1k9.0"]);
    expect([...openedBy("m~1k9.2")]).toEqual([]);
    expect([...openedBy(null)]).toEqual([]);
  });

  it("comes back from its text", () => {
    const place = fc.record({
      recordId: fc.stringMatching(/^[a-z0-9]+~[a-z0-9]+$/).map((id) => id as RecordId),
      block: fc.option(fc.nat(999)),
      lines: fc.option(fc.tuple(fc.nat(9999), fc.nat(9999)).map(([a, n]) => ({ from: a, to: a + n }))),
      hunk: fc.constant(null),
    });
    fc.assert(
      fc.property(place, (value) => {
        expect(parsePlace(formatPlace(value))).toEqual(value);
      }),
    );
  });
});
