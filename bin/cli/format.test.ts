import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import * as page from "@/lib/format/format";
import { formatBytes, formatCount, formatLocalTime, formatPlural } from "./format.mjs";

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

it("tells the first and the last moment that there is, which a log may name, wherever one is", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [zone, first, last] of [
    ["Asia/Tokyo", "-271821-04-20 09:18", "275760-09-13 09:00"],
    ["America/New_York", "-271821-04-19 19:03", "275760-09-12 20:00"],
  ] as const) {
    vi.stubEnv("TZ", zone);
    expect([formatLocalTime(-8.64e15), formatLocalTime(8.64e15)]).toEqual([first, last]);
    expect(formatLocalTime(Date.parse("0099-01-02T12:04:05Z"))).toMatch(/^0099-01-0[23] \d\d:\d\d$/);
  }
});
