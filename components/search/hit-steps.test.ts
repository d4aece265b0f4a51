import { expect, test } from "vitest";
import type { SearchHit } from "@/lib/wire/search";
import { firstOfSession, stepHit } from "./hit-steps";
import type { HitItem } from "./search-groups";

/** A list from a drawing: `S` a heading, `T` one that is a hit itself, `h` a hit, `m` the line that shows more. */
function listed(drawing: string): HitItem[] {
  return Array.from(drawing, (sign, at): HitItem => {
    const key = `${sign}${at}`;
    if (sign === "h") return { kind: "hit", key, hit: {} as SearchHit };
    if (sign === "m") return { kind: "more", key, sessionId: key as never, left: 3 };
    const hit = sign === "T" ? ({} as SearchHit) : null;
    return { kind: "session", key, sessionId: key as never, hit, count: 1, newestMs: null, folded: false };
  });
}

/** From each line of a list and from none (first), where a step leads. */
const steps = (drawing: string, step: (items: HitItem[], index: number) => number | null) =>
  Array.from({ length: drawing.length + 1 }, (_, at) => step(listed(drawing), at - 1));

test("a step leads past headings that are no hits, and past the ends of the list", () => {
  const list = "ShhmTh";
  expect(steps(list, (items, index) => stepHit(items, index, 1))).toEqual([1, 1, 2, 3, 4, 5, 6]);
  expect(steps(list, (items, index) => stepHit(items, index, -1))).toEqual([5, -1, -1, 1, 2, 3, 4]);
});

test("a step to another session leads to its first hit, and back to this one's first before the one above", () => {
  const list = "ShhThSh";
  expect(steps(list, (items, index) => firstOfSession(items, index, 1))).toEqual([
    1,
    3,
    3,
    3,
    6,
    6,
    null,
    null,
  ]);
  expect(steps(list, (items, index) => firstOfSession(items, index, -1)).slice(2)).toEqual([
    null,
    1,
    1,
    3,
    6,
    3,
  ]);
});
