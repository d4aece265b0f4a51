import { expect, test } from "vitest";
import { formatFileLines, pathOfPlace } from "./file-lines";

test.each([
  ["src/cart.ts", "src/cart.ts"],
  ["src/cart.ts:12", "src/cart.ts"],
  ["src/cart.ts:12:5", "src/cart.ts"],
  ["C:\\shop\\cart.ts:7", "C:\\shop\\cart.ts"],
  ["a:b.ts", "a:b.ts"],
  ["12:30.txt", "12:30.txt"],
  [":12", ":12"],
])("of %s the path is %s", (place, path) => {
  expect(pathOfPlace(place)).toBe(path);
});

test("lines that are written so are read so", () => {
  const lines = { path: "src/cart.ts", from: 12, to: 15, before: false };
  expect(pathOfPlace(formatFileLines(lines))).toBe("src/cart.ts");
});
