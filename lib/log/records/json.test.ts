import { expect, it } from "vitest";
import { nestsDeeper, writable } from "./json";

it("tells how deep a value nests, however deep it is", () => {
  expect(nestsDeeper("text", 0)).toBe(false);
  expect(nestsDeeper([], 0)).toBe(true);
  expect(nestsDeeper({ a: [1], b: {} }, 2)).toBe(false);
  expect(nestsDeeper({ a: [[1]] }, 2)).toBe(true);
  expect(nestsDeeper(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), 256)).toBe(true);
});

it("leaves out of a value what nests too deep to be written as JSON", () => {
  const plain = { a: [1, { b: null }] };
  expect(writable(plain)).toBe(plain);
  expect(writable(undefined)).toBeUndefined();
  const deep: unknown = JSON.parse(
    `{"kept":[1],"__proto__":{"x":1},"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  );
  const text = JSON.stringify(writable(deep));
  expect(text).toBe(
    `{"kept":[1],"__proto__":{"x":1},"deep":${"[".repeat(999)}"[nested too deep]"${"]".repeat(999)}}`,
  );
});
