import fc from "fast-check";
import { expect, it } from "vitest";
import * as page from "@/lib/format/format";
import { formatBytes, formatCount, formatPlural } from "./format.mjs";

it("the command line says numbers as the page does", () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(2_000), fc.nat({ max: 2 ** 50 })), (count) => {
      expect(formatBytes(count)).toBe(page.formatBytes(count));
      expect(formatCount(count)).toBe(page.formatCount(count));
      expect(formatPlural(count, "file")).toBe(page.formatPlural(count, "file"));
    }),
  );
  expect(formatPlural(2, "entry", "entries")).toBe("2 entries");
});
