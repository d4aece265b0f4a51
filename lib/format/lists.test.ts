import { expect, test } from "vitest";
import { firstPlace } from "./lists";

test("finds the first place, whichever it is, in few looks", () => {
  const from = 3;
  const to = 1_027;
  for (let first = from; first <= to; first++) {
    let looks = 0;
    const found = firstPlace(from, to, (place) => {
      looks += 1;
      return place >= first;
    });
    expect(found).toBe(first);
    expect(looks).toBeLessThanOrEqual(11);
  }
});
