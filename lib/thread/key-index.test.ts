import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyIndex } from "./key-index";

const key = fc.oneof(
  fc.uuid(),
  fc.string({ maxLength: 40 }),
  fc.constantFrom("toolu_01", "toolu_02", "msg_1"),
);

test("keys are numbered in the order they come, each once, and found again", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 400 }), (keys) => {
      const index = new KeyIndex();
      const known = new Map<string, number>();
      for (const one of keys) {
        const number = index.intern(one);
        expect(number).toBe(known.get(one) ?? known.size);
        known.set(one, number);
      }
      expect(index.size).toBe(known.size);
      for (const [one, number] of known) expect(index.find(one)).toBe(number);
    }),
    { numRuns: 300, seed: 11 },
  );
});

test("a copy goes on where the index was", () => {
  const index = new KeyIndex();
  const keys = Array.from(
    { length: 1000 },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  );
  for (const one of keys.slice(0, 600)) index.intern(one);
  const copy = new KeyIndex(structuredClone(index.trimmed()));
  expect(keys.map((one) => copy.intern(one))).toEqual(keys.map((_, n) => n));
});

test("what is not there is -1, also for texts that look like a UUID", () => {
  const index = new KeyIndex();
  index.intern("00000000-0000-4000-8000-000000000001");
  expect(index.find("00000000-0000-4000-8000-000000000002")).toBe(-1);
  expect(index.find("00000000-0000-4000-8000-00000000000g")).toBe(-1);
  expect(index.find("00000000-0000-4000-8000-00000000000A")).toBe(-1);
  expect(index.find("")).toBe(-1);
});
