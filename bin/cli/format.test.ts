import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import * as page from "@/lib/format/format";
import {
  folderName,
  formatBytes,
  formatCount,
  formatElapsed,
  formatLocalTime,
  formatPlural,
  inColumns,
  oneLine,
} from "./format.mjs";

it("the command line says numbers as the page does", () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(2_000), fc.nat({ max: 2 ** 50 })), (count) => {
      expect(formatBytes(count)).toBe(page.formatBytes(count));
      expect(formatCount(count)).toBe(page.formatCount(count));
      expect(formatElapsed(count)).toBe(page.formatElapsed(count));
      expect(formatPlural(count, "file")).toBe(page.formatPlural(count, "file"));
    }),
  );
  expect(formatPlural(2, "entry", "entries")).toBe("2 entries");
});

it("a text of a log is one line that controls no terminal", () => {
  expect(oneLine(" Fix\tthe\r\nflaky\u001b[31m \u202etest ")).toBe("Fix the flaky [31m test");
});

it("a folder has its name on every system", () => {
  const folders = ["/home/dev/shop", "/home/dev/shop/", "C:\\dev\\till", "/", ""];
  expect(folders.map(folderName)).toEqual(["shop", "shop", "till", "", ""]);
});

it("cells stand below each other, numbers from the right, and no line ends in blanks", () => {
  const lines = [
    ["larder", "8", "x"],
    ["till", "12", ""],
  ];
  expect(inColumns(lines, new Set([1]))).toBe("larder   8  x\ntill    12\n");
  expect(inColumns(lines)).toBe("larder  8   x\ntill    12\n");
  expect(inColumns([])).toBe("");
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
