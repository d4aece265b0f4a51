import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import {
  formatPanePlaces,
  formatPanes,
  formatPermalink,
  formatRange,
  onWayBack,
  openedBy,
  paneOf,
  parsePanePlaces,
  parsePanes,
  parsePermalink,
  parseRange,
  parseThreadUrl,
  stepOf,
  type ThreadUrl,
  threadSearch,
  toggledRun,
  withoutPanes,
  withPane,
  withRuns,
} from "./session-url";

const AT = parseThreadUrl("");
const at = (search: string): ThreadUrl => parseThreadUrl(search);

describe("the browser's history", () => {
  it.each([
    ["a view", "", "view=graph"],
    ["another view", "view=graph", "view=changes&turn=3"],
    ["a file of the changes", "view=changes&turn=3", "view=changes&turn=3&file=a.ts"],
    ["another file", "view=changes&file=a.ts&version=m~1.0", "view=changes&file=b.ts"],
    ["two branches beside each other", "branch=m~5", "branch=m~5&view=compare&left=m~5"],
    ["the thread, from a view that a link led to", "view=graph", ""],
    ["a pane", "panes=files", "panes=files,record:m~1"],
    ["an agent's pane beside another's", "panes=agent:a1", "panes=agent:a1,agent:a2"],
    ["an agent's thread", "detail=prompts", "agent=a1&detail=prompts"],
    ["a branch", "", "branch=m~5"],
    ["a sheet", "", "sheet=outline"],
  ])("has an entry for %s", (_, now, target) => {
    expect(stepOf(at(now), at(target), null)).toBe("push");
  });

  it.each([
    ["folds, places and words that are typed", "", "fold=1-3&at=m~1&q=x&runs=m~2&detail=prompts&y=4"],
    ["the record that an open pane is about", "panes=record:m~1", "panes=record:m~2"],
    ["a pane that is closed, while a later one is open", "panes=files,agent:a1", "panes=agent:a1"],
    [
      "versions of a file, and what they are compared with",
      "view=changes&file=a.ts",
      "view=changes&file=a.ts&version=m~1.0&against=m~2.0&line=4",
    ],
    ["what is compared", "view=compare&left=m~1", "view=compare&left=m~2&right=abc&file=a.ts"],
    ["what is selected in the waterfall", "view=waterfall", "view=waterfall&step=m~1"],
    ["the part of the time that is shown", "view=waterfall", "view=waterfall&range=10-20"],
    ["the turn whose changes are shown, given up", "view=changes", "view=changes&at=m~1"],
  ])("has none for %s", (_, now, target) => {
    expect(stepOf(at(now), at(target), at("view=graph"))).toBe("replace");
  });

  it("goes back where what was opened last is closed, however the thread is read by then", () => {
    expect(stepOf(at("view=graph&at=m~1"), at("at=m~1"), AT)).toBe("back");
    expect(stepOf(at("panes=agent:a1&detail=prompts&fold=1"), at("detail=prompts&fold=1"), AT)).toBe("back");
    expect(stepOf(at("agent=a1"), AT, at("fold=3&at=m~3"))).toBe("back");
    expect(stepOf(at("branch=m~2"), at("branch=m~1"), at("branch=m~1"))).toBe("back");
    expect(stepOf(at("sheet=outline"), AT, AT)).toBe("back");
    const changes = at("view=changes");
    expect(stepOf(at("view=changes&file=a.ts&version=m~1.0"), changes, changes)).toBe("back");
  });

  it("keeps on the way back how the thread is read, and takes away what was opened", () => {
    const from = at("panes=record:m~2&detail=prompts&fold=2&q=x&at=m~9");
    expect(threadSearch(onWayBack(from, AT, true))).toBe("?detail=prompts&fold=2&at=m~9&q=x");
    // The way back from a row leads to the version and the line that it was opened from.
    const file = "view=changes&file=a.ts&version=m%7E1.0&line=4";
    expect(at(threadSearch(onWayBack(at("at=m~9"), at(file), true)))).toMatchObject({
      view: "changes",
      file: "a.ts",
      version: "m~1.0",
      line: 4,
    });
    expect(threadSearch(onWayBack(at(file), at("view=changes"), true))).toBe("?view=changes");
    // The part of the time that is shown is the reader's, whatever was shown of it before.
    expect(threadSearch(onWayBack(at("view=changes&range=10-20"), at("view=waterfall"), true))).toBe(
      "?view=waterfall&range=10-20",
    );
    expect(threadSearch(onWayBack(at("view=changes"), at("view=waterfall&range=10-20"), true))).toBe(
      "?view=waterfall",
    );
    // So is how a comparison, or the context, is shown; there alone.
    const rows = "view=compare&right=b1&look=differences";
    expect(at(threadSearch(onWayBack(at("at=m~9"), at(rows), true)))).toMatchObject({ look: "differences" });
    expect(at(threadSearch(onWayBack(at(rows), at("at=m~9"), true)))).toMatchObject({ look: null });
    expect(at(threadSearch(onWayBack(at(rows), at("view=compare&right=b1"), true)))).toMatchObject({
      look: "differences",
    });
    // What was selected in the graph is left there.
    expect(threadSearch(onWayBack(at("view=graph&at=m~9&fold=1"), at("at=m~1"), true))).toBe(
      "?fold=1&at=m~1",
    );
    expect(threadSearch(onWayBack(at("view=waterfall&at=m~1&step=m~9&fold=1"), at("at=m~1"), true))).toBe(
      "?fold=1&at=m~1",
    );
    expect(threadSearch(onWayBack(at("at=m~1"), at("view=waterfall&at=m~1&step=m~9"), true))).toBe(
      "?at=m~1&view=waterfall&step=m~9",
    );
    // Another thread has folds and a place of its own.
    expect(threadSearch(onWayBack(at("agent=a1&detail=prompts&fold=7"), at("fold=1&at=m~1"), false))).toBe(
      "?detail=prompts&fold=1&at=m~1",
    );
  });
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
    expect(withPane("files", { kind: "comments", id: "" })).toBe("files,comments");
    expect(withoutPanes(two, (pane) => pane.id === "a1")).toBe("record:m~1k,agent:a2");
    expect(withoutPanes("files", ({ kind }) => kind === "files")).toBeNull();
  });
});

describe("places in agents' panes", () => {
  it("come back from their text", () => {
    const places = [
      { agent: "a1" as AgentId, at: "ka1~9.0", y: -120 },
      { agent: "b2" as AgentId, at: "m~1", y: null },
    ];
    expect(formatPanePlaces(places)).toBe("a1@ka1~9.0@-120,b2@m~1");
    expect(parsePanePlaces("a1@ka1~9.0@-120,b2@m~1")).toEqual(places);
    expect(formatPanePlaces([])).toBeNull();
  });

  it("are none where the text is not one", () => {
    expect(parsePanePlaces(null)).toEqual([]);
    expect(parsePanePlaces("a1,@m~1,a1@,a1@m~1@x,a1@m 1,,@@")).toEqual([]);
  });
});

describe("open runs", () => {
  it("are opened and closed one by one, and are none when the last is closed", () => {
    expect(toggledRun(null, "m~1.0")).toBe("m~1.0");
    expect(toggledRun("m~1.0", "m~2.0")).toBe("m~1.0,m~2.0");
    expect(toggledRun("m~1.0,m~2.0", "m~1.0")).toBe("m~2.0");
    expect(toggledRun("m~2.0", "m~2.0")).toBeNull();
  });

  it("are listed once, however often they are opened", () => {
    expect(withRuns("m~1.0", ["m~2.0", "m~1.0"])).toBe("m~1.0,m~2.0");
    expect(withRuns(null, [])).toBeNull();
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
      const opened = (at: string | null, open: string | null = null) => [...openedBy({ at, open })];
      expect(opened("m~1k9.2:L12-20")).toEqual(["m~1k9.2"]);
      expect(opened("m~1k9:h3")).toEqual(["m~1k9.0"]);
      expect(opened("m~1k9.2")).toEqual([]);
      expect(opened(null)).toEqual([]);
      expect(opened("m~1k9.2", "m~1k9.2,m~3.0")).toEqual(["m~1k9.2", "m~3.0"]);
    });

    it("names a single line once", () => {
      const place = { recordId: "m~0" as RecordId, block: 2, lines: { from: 7, to: 7 }, hunk: null };
      expect(formatPermalink(place)).toBe("m~0.2:L7");
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

it("reads the part of the time that it has written, and nothing else", () => {
  fc.assert(
    fc.property(fc.nat(2e12), fc.double({ min: 0.001, max: 1e9, noNaN: true }), (fromMs, took) => {
      const range = parseRange(formatRange({ fromMs, toMs: fromMs + took }));
      expect(range?.fromMs).toBe(fromMs);
      expect(range?.toMs).toBeGreaterThanOrEqual(fromMs + took);
      expect(parseRange(formatRange(range))).toEqual(range);
    }),
  );
  for (const range of [null, "", "5", "9-9", "9-2", "a-b", "-1-5", "1-2-3"])
    expect(parseRange(range)).toBeNull();
  expect(formatRange(null)).toBeNull();
});
