import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import {
  formatPanes,
  formatPermalink,
  historyOf,
  openedBy,
  paneOf,
  parsePanes,
  parsePermalink,
  withoutPanes,
  withPane,
} from "./session-url";

test("Back leads out of the review of changes, and skips folds, places, panes and words that were typed", () => {
  expect(historyOf({ view: "changes", turn: 3 })).toBe("push");
  for (const change of [
    { view: null },
    { view: "graph" },
    { fold: "1-3" },
    { at: "m~1" },
    { q: "x" },
    { turn: null },
  ])
    expect(historyOf(change), JSON.stringify(change)).toBe("replace");
});

describe("panes", () => {
  test("the address lists panes; what is not known is left out", () => {
    expect(parsePanes("record:m~1k,context:m~2z")).toEqual([
      { kind: "record", id: "m~1k" },
      { kind: "context", id: "m~2z" },
    ]);
    expect(parsePanes("graph:1,context:,:x,record")).toEqual([]);
    expect(parsePanes(null)).toEqual([]);
  });

  test("panes go back into the address as they came", () => {
    expect(formatPanes(parsePanes("context:m~2z,record:m~1k"))).toBe("context:m~2z,record:m~1k");
    expect(formatPanes([])).toBeNull();
    expect(paneOf("record:m~1k,context:m~2z", "context")).toBe("m~2z" as RecordId);
    expect(paneOf("record:m~1k", "context")).toBeNull();
  });

  test("agents stand side by side, of the others there is one of each kind", () => {
    const two = withPane("agent:a1,record:m~1k", { kind: "agent", id: "a2" as AgentId });
    expect(two).toBe("agent:a1,record:m~1k,agent:a2");
    expect(withPane(two, { kind: "record", id: "m~3" as RecordId })).toBe("agent:a1,agent:a2,record:m~3");
    expect(withPane("files", { kind: "files", id: "" })).toBe("files");
    expect(withoutPanes(two, (pane) => pane.id === "a1")).toBe("record:m~1k,agent:a2");
    expect(withoutPanes("files", ({ kind }) => kind === "files")).toBeNull();
  });
});

describe("thread permalink", () => {
  describe("a place in a thread", () => {
    it("points at a record, a block, lines or a hunk", () => {
      expect(parsePermalink("m~1k9")).toEqual({ recordId: "m~1k9", block: null, lines: null, hunk: null });
      expect(parsePermalink("m~1k9.2:L12-20")).toEqual({
        recordId: "m~1k9",
        block: 2,
        lines: { from: 12, to: 20 },
        hunk: null,
      });
      expect(parsePermalink("m~1k9.2:h3")?.hunk).toBe(3);
      expect(parsePermalink("m~0:L7")?.lines).toEqual({ from: 7, to: 7 });
    });

    it("puts lines given backwards in order", () => {
      expect(parsePermalink("m~0:L20-12")?.lines).toEqual({ from: 12, to: 20 });
    });

    it("is nothing when the text is not one", () => {
      for (const at of ["", ".", "m~0.", "m~0.x", "m~0:L", "m~0:h", "m~0:L1-", "a b", "m~0.1.2"]) {
        expect(parsePermalink(at), at).toBeNull();
      }
      expect(parsePermalink(null)).toBeNull();
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
          expect(parsePermalink(formatPermalink(value))).toEqual(value);
        }),
      );
    });
  });
});
