import { describe, expect, it } from "vitest";
import { jsonIn, tableIn } from "./call-data";

describe("data in a result", () => {
  it("is read from text that spells it, and from no other text", () => {
    expect(jsonIn(' {"price": 4}')).toEqual({ price: 4 });
    expect(jsonIn("[1]")).toEqual([1]);
    expect(jsonIn("{price: 4}")).toBeNull();
    expect(jsonIn("4")).toBeNull();
  });

  it("has a number's digits where a number cannot hold them, and leaves those in texts alone", () => {
    expect(
      jsonIn('{"a": [1234567890123456789, -9007199254740993, 1e400], "b": 10.50, "c": -0.000012}'),
    ).toEqual({
      a: [1234567890123456789n, -9007199254740993n, "1e400"],
      b: 10.5,
      c: -0.000012,
    });
    expect(jsonIn('{"say \\"1234567890123456789": "number 1234567890123456789"}')).toEqual({
      'say "1234567890123456789': "number 1234567890123456789",
    });
    expect(jsonIn('["number 5", 12345678901234567891]')).toEqual(["number 5", 12345678901234567891n]);
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
