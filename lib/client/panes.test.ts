import { expect, test } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { formatPanes, paneOf, parsePanes } from "./panes";

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
