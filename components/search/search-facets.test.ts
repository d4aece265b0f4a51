import { describe, expect, test } from "vitest";
import { checkFilter, filterEntry } from "@/lib/query/filters";
import { makeHit } from "@/lib/testing/search-hit";
import type { HitState } from "@/lib/wire/search";
import {
  countFacet,
  type Facets,
  FIELD_WORDS,
  type HitFacts,
  hitHref,
  NO_FACETS,
  passFacets,
  STATE_WORDS,
  sameDayHere,
} from "./search-facets";

describe("search facets", () => {
  const NONE = NO_FACETS;
  const NOTHING: HitFacts = { statesOf: () => [], branchOf: () => null };
  const HITS = [
    makeHit({ record: "1", field: "prompt", project: "shop" }),
    makeHit({ record: "2", field: "output", project: "shop", agent: "a1" }),
    makeHit({ record: "3", field: "output", project: "ledger" }),
  ];

  const shown = (facets: Partial<Facets>) =>
    passFacets(HITS, { ...NONE, ...facets }, NOTHING).map(({ recordId }) => recordId);

  test("values of one facet are alternatives, facets are conditions", () => {
    expect(shown({})).toEqual(["1", "2", "3"]);
    expect(shown({ fields: ["prompt", "output"] })).toEqual(["1", "2", "3"]);
    expect(shown({ fields: ["output"], projects: ["shop"] })).toEqual(["2"]);
    expect(shown({ threads: ["agent"] })).toEqual(["2"]);
  });

  test("tools are those of inputs", () => {
    const hits = [makeHit({ field: "input", tool: "Bash" }), makeHit({ field: "output" })];
    expect(countFacet(hits, NONE, NOTHING, "tools")).toEqual([["Bash", 1]]);
    expect(passFacets(hits, { ...NONE, tools: ["Bash"] }, NOTHING)).toHaveLength(1);
  });

  test("a facet counts what its values would show, so that a second one can be added", () => {
    const facets: Facets = { ...NONE, fields: ["output"] };
    expect(countFacet(HITS, facets, NOTHING, "fields")).toEqual([
      ["output", 2],
      ["prompt", 1],
    ]);
    expect(countFacet(HITS, facets, NOTHING, "projects")).toEqual([
      ["shop", 1],
      ["ledger", 1],
    ]);
  });

  test("a chosen value stays in the list when it has no hits any more", () => {
    expect(countFacet(HITS, { ...NONE, fields: ["title"] }, NOTHING, "fields")).toContainEqual(["title", 0]);
  });

  test("a hit counts for each of its states, and passes with any of those that are chosen", () => {
    const states: Record<string, readonly HitState[] | null> = {
      1: ["error", "compacted"],
      2: ["abandoned"],
      3: null,
    };
    const facts: HitFacts = { ...NOTHING, statesOf: ({ recordId }) => states[recordId] ?? null };
    expect(countFacet(HITS, NONE, facts, "states")).toEqual([
      ["error", 1],
      ["compacted", 1],
      ["abandoned", 1],
    ]);
    const passed = (...chosen: HitState[]) =>
      passFacets(HITS, { ...NONE, states: chosen }, facts).map(({ recordId }) => recordId);
    expect(passed("compacted", "abandoned")).toEqual(["1", "2"]);
    expect(passed("error")).toEqual(["1"]);
  });

  test("the branches are those of the hits' sessions", () => {
    const hits = [makeHit({ session: "s1" }), makeHit({ session: "s1" }), makeHit({ session: "s2" })];
    const facts: HitFacts = { ...NOTHING, branchOf: (session) => (session === "s1" ? "fix/retry" : null) };
    expect(countFacet(hits, NONE, facts, "branches")).toEqual([["fix/retry", 2]]);
    expect(passFacets(hits, { ...NONE, branches: ["fix/retry"] }, facts)).toHaveLength(2);
  });

  test("days are local midnights; a hit without a time has none", () => {
    const at = new Date(2026, 10, 21, 15, 10).getTime();
    expect(countFacet([makeHit({ atMs: at }), makeHit()], NONE, NOTHING, "days")).toEqual([
      [new Date(2026, 10, 21).getTime(), 1],
    ]);
  });
});

describe("search href", () => {
  test("a hit leads to its block, with the query", () => {
    const hit = makeHit({ record: "m~1k", block: 2, field: "input" });
    expect(hitHref(hit, 'retry "a b"', "tools")).toBe("/sessions/s1?at=m~1k.2&q=retry+%22a+b%22");
  });

  test("a view that would hide it is widened, and an agent's thread is named", () => {
    const hit = makeHit({ record: "m~1k", field: "meta", agent: "a1" });
    expect(hitHref(hit, "x", "tools")).toBe("/sessions/s1?at=m~1k.0&agent=a1&detail=everything&q=x");
    expect(hitHref(makeHit({ field: "output" }), "x", "everything")).not.toContain("detail");
  });

  test("a title leads to the session as it opens", () => {
    expect(hitHref(makeHit({ record: "m~0", field: "title" }), "x", "tools")).toBe("/sessions/s1?q=x");
  });
});

test("a day that was chosen by another clock, as in a link from elsewhere, is the same day here", () => {
  // Both around a change of clocks, and a year's turn.
  for (const day of [new Date(2026, 9, 25), new Date(2026, 0, 1)].map(Number))
    for (const hours of [-11, -5.5, 0, 1, 11]) expect(sameDayHere(day + hours * 3_600_000)).toBe(day);
});

test("a query can ask for each field by the name that a hit has", () => {
  const { values } = filterEntry("in");
  expect(values.toSorted()).toEqual([...Object.keys(FIELD_WORDS), "agent"].toSorted());
  for (const value of values) expect(checkFilter({ name: "in", value }), value).toBeNull();
});

test("a query can ask for each state that a hit can be in", () => {
  const { values } = filterEntry("is");
  expect(values).toEqual(expect.arrayContaining(Object.keys(STATE_WORDS)));
});
