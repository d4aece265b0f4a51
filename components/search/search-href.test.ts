import { expect, test } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { hitHref } from "./search-href";

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
