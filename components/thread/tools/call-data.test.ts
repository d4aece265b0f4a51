import { describe, expect, it } from "vitest";
import { jsonIn, tableIn } from "./call-data";

describe("data in a result", () => {
  it("is read from text that spells it, and from no other text", () => {
    expect(jsonIn(' {"price": 4}')).toEqual({ price: 4 });
    expect(jsonIn("[1]")).toEqual([1]);
    expect(jsonIn("{price: 4}")).toBeNull();
    expect(jsonIn("4")).toBeNull();
  });

  it("is a table where its items are alike", () => {
    expect(
      tableIn({
        total: 2,
        items: [
          { id: "LED-1", title: "a" },
          { id: "LED-2", state: null },
        ],
      }),
    ).toMatchObject({ columns: ["id", "title", "state"] });
    expect(tableIn([{ a: 1 }, "b"])).toBeNull();
    expect(tableIn({ one: [{ a: 1 }], two: [{ a: 1 }] })).toBeNull();
    expect(tableIn([])).toBeNull();
  });
});
