import { expect, it } from "vitest";
import { type Row, rowKindFacts } from "./rows";

it("a kind of row that only a newer server knows has its own name and is measured as it is drawn", () => {
  expect(rowKindFacts("event")).toEqual({ name: "Note", isOneLine: true });
  expect(rowKindFacts("hologram" as Row["kind"])).toEqual({ name: "hologram", isOneLine: false });
});
