import { expect, test } from "vitest";
import { formatBytes, formatBytesOf } from "./format-bytes";
import { formatCompact, formatCount, formatPercent, formatPlural } from "./format-count";

test.each([
  [0, "0"],
  [96, "96"],
  [999, "999"],
  [1_000, "1k"],
  [1_234, "1.2k"],
  [9_960, "10k"],
  [183_600, "184k"],
  [999_400, "999k"],
  [999_600, "1M"],
  [1_240_000, "1.2M"],
  [3_400_000_000, "3.4G"],
])("%d at a glance is %s", (count, text) => {
  expect(formatCompact(count)).toBe(text);
});

test.each([
  [0, "0 B"],
  [812, "812 B"],
  [1_100, "1.1 kB"],
  [312_400, "312 kB"],
  [4_100_000, "4.1 MB"],
  [7_800_000_000, "7.8 GB"],
  [1_200_000_000_000, "1.2 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("a part is said in the unit of the whole", () => {
  expect(formatBytesOf(3_100_000_000, 7_800_000_000)).toBe("3.1 of 7.8 GB");
  expect(formatBytesOf(0, 13_046_239)).toBe("0.0 of 13 MB");
});

test("whole counts are grouped and their nouns agree", () => {
  expect(formatCount(2_310)).toBe("2,310");
  expect(formatPlural(1, "session")).toBe("1 session");
  expect(formatPlural(2_310, "session")).toBe("2,310 sessions");
  expect(formatPlural(0, "branch", "branches")).toBe("0 branches");
});

test("a share is not 100 % before it is done", () => {
  expect(formatPercent(0)).toBe("0 %");
  expect(formatPercent(0.567)).toBe("56 %");
  expect(formatPercent(0.9999)).toBe("99 %");
  expect(formatPercent(1)).toBe("100 %");
});
