import { describe, expect, it } from "vitest";
import { FIRST_SIZES, readPaneSizes, withPart } from "./pane-sizes";

describe("the sizes of panes", () => {
  it("are as at first where something else is kept", () => {
    for (const text of [null, "", "[", "null", "{}", '{"agents":"wide","shares":{"agents":[-1]}}'])
      expect(readPaneSizes(text)).toEqual(FIRST_SIZES);
    expect(readPaneSizes('{"agents":500,"facts":9,"shares":{"agents":[1.5,0.5]}}')).toEqual({
      ...FIRST_SIZES,
      agents: 500,
      shares: { agents: [1.5, 0.5], facts: [] },
    });
  });

  it("change for the two panes beside an edge alone", () => {
    expect(withPart([], 0, 0.75)).toEqual([1.5, 0.5]);
    expect(withPart([1.5, 0.5, 1], 1, 0.5)).toEqual([1.5, 0.75, 0.75]);
    expect(withPart([], 1, 0)).toEqual([1, 0.2, 1.8]);
  });
});
