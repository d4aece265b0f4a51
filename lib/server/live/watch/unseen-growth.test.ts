import { expect, it } from "vitest";
import { UnseenGrowth } from "./unseen-growth";

const NONE = { doubted: [], untold: [] };

it("is not seen in a log that is written all the time and of which each change is told, however late", () => {
  const growth = new UnseenGrowth();
  growth.look(new Map([["a", 1]]));
  for (let bytes = 2; bytes < 9; bytes++) {
    growth.told("a");
    expect(growth.look(new Map([["a", bytes]]))).toEqual(NONE);
  }
  // The event of the last line is still on its way.
  expect(growth.look(new Map([["a", 10]]))).toEqual({ doubted: ["a"], untold: [] });
  growth.told("a");
  expect(growth.look(new Map([["a", 11]]))).toEqual(NONE);
  expect(growth.look(new Map([["a", 12]]))).toEqual({ doubted: ["a"], untold: [] });
});

it("is what changes again and again without a word, with pauses and other logs in between", () => {
  const growth = new UnseenGrowth();
  const looks = [
    [1, 1],
    [2, 2],
    [2, 3],
    [3, 3],
  ].map(([a = 0, b = 0]) => {
    growth.told("b");
    return growth.look(
      new Map([
        ["a", a],
        ["b", b],
      ]),
    );
  });
  expect(looks).toEqual([NONE, { doubted: ["a"], untold: [] }, NONE, { doubted: [], untold: ["a"] }]);
});

it("is not seen in a log that was not looked at before", () => {
  const growth = new UnseenGrowth();
  growth.look(new Map([["a", 1]]));
  growth.look(new Map());
  expect(growth.look(new Map([["a", 2]]))).toEqual(NONE);
});
