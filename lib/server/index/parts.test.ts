import fc from "fast-check";
import { expect, it } from "vitest";
import { inParts, PartReader } from "./parts";

it("parts are read as the bytes that they were, however those are cut", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 250_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(sizes, sizes, (written, asked) => {
      const pieces = written.map((size, nth) => new Uint8Array(size).map((_, at) => (at * 31 + nth) % 251));
      const all = Buffer.concat(pieces);
      const parts = [...inParts(pieces)];
      expect(Buffer.concat(parts).equals(all)).toBe(true);
      expect(parts.slice(0, -1).every(({ length }) => length === parts[0]?.length)).toBe(true);
      const reader = new PartReader(parts);
      let at = 0;
      for (const size of asked) {
        const bytes = new Uint8Array(size);
        const isThere = at + size <= all.length;
        expect(reader.readInto(bytes)).toBe(isThere);
        if (!isThere) return;
        expect(all.subarray(at, at + size).equals(bytes)).toBe(true);
        at += size;
      }
      expect(reader.isAtEnd()).toBe(at === all.length);
    }),
    { numRuns: 60 },
  );
});

it("each part is memory of its own", () => {
  const [first, second] = [...inParts([new Uint8Array(200_000).fill(1), new Uint8Array(10).fill(2)])];
  expect(first?.buffer.byteLength).toBe(first?.byteLength);
  expect(first?.buffer).not.toBe(second?.buffer);
  expect(first?.every((byte) => byte === 1)).toBe(true);
});

it("closing lets go of what the parts come from", () => {
  let isClosed = false;
  function* parts() {
    try {
      yield new Uint8Array(10);
    } finally {
      isClosed = true;
    }
  }
  const reader = new PartReader(parts());
  expect(reader.isAtEnd()).toBe(false);
  reader.close();
  expect(isClosed).toBe(true);
});
