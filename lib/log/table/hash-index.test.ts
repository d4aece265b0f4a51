import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { HashIndex, type HashIndexData, hashIndexOf } from "./hash-index";

const key = fc.oneof(
  fc.uuid(),
  fc.string({ maxLength: 40 }),
  fc.constantFrom("toolu_01", "toolu_02", "msg_1"),
);

test("keys are numbered in the order in which they are added, each once, and found again", () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 400 }), (keys) => {
      const index = new HashIndex();
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

test("a copy continues where the index was", () => {
  const index = new HashIndex();
  const keys = Array.from(
    { length: 1000 },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  );
  for (const one of keys.slice(0, 600)) index.intern(one);
  const copy = new HashIndex(structuredClone(index.trimmed()));
  expect(keys.map((one) => copy.intern(one))).toEqual(keys.map((_, n) => n));
});

test("a missing key is -1, also for texts that look like a UUID", () => {
  const index = new HashIndex();
  index.intern("00000000-0000-4000-8000-000000000001");
  expect(index.find("00000000-0000-4000-8000-000000000002")).toBe(-1);
  expect(index.find("00000000-0000-4000-8000-00000000000g")).toBe(-1);
  expect(index.find("00000000-0000-4000-8000-00000000000A")).toBe(-1);
  expect(index.find("")).toBe(-1);
});

/** The longest row of taken slots: no look-up passes over more. Random keys give some 100 of them. */
function longestRow({ slots }: HashIndexData): number {
  let longest = 0;
  let row = 0;
  for (let at = 0; at < slots.length * 2; at++) {
    row = slots[at % slots.length] === -1 ? 0 : row + 1;
    longest = Math.max(longest, row);
  }
  return longest;
}

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, "0");

test.each([
  [
    "the first eight digits",
    (n: number) => `01982f5a-${hex(n, 4)}-7${hex(n % 4096, 3)}-8000-${hex(n * 7, 12)}`,
  ],
  ["all but the last digits", (n: number) => `01982f5a-7b1c-7000-8000-${hex(n, 12)}`],
  ["all but the first digits", (n: number) => `${hex(n << 16, 8)}-7b1c-7000-8000-000000000000`],
  ["all but digits in the middle", (n: number) => `01982f5a-${hex(n, 4)}-7000-8000-000000000000`],
])("ids that share %s spread over the slots", (_, idOf) => {
  const index = new HashIndex();
  for (let n = 0; n < 20_000; n++) index.intern(idOf(n));
  expect(index.size).toBe(20_000);
  expect(longestRow(index.trimmed())).toBeLessThan(1_000);
  expect(longestRow(hashIndexOf(index.trimmed().words, index.size))).toBeLessThan(1_000);
});

test("another thread places the same keys differently, and each finds them in the other's index", async () => {
  const ids = Array.from({ length: 300 }, (_, n) => `00000000-0000-4000-8000-${hex(n, 12)}`);
  vi.resetModules();
  const other: typeof import("./hash-index") = await import("./hash-index");
  const [here, there] = [new HashIndex(), new other.HashIndex()];
  for (const id of ids) {
    here.intern(id);
    there.intern(id);
  }
  expect(here.trimmed().slots.join() === there.trimmed().slots.join()).toBe(false);
  const sent = new HashIndex(structuredClone(there.trimmed()));
  expect(ids.map((id) => sent.find(id))).toEqual(ids.map((_, n) => n));
  const stored = new other.HashIndex(hashIndexOf(here.words.slice(), here.size));
  expect(ids.map((id) => stored.intern(id))).toEqual(ids.map((_, n) => n));
});
