import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SessionTable } from "@/lib/log/table/session-table";
import type { StoredFile } from "@/lib/server/scan/stored-session";
import { addLines, anyLines, tableOf } from "@/lib/testing/records";
import { decodeSkeleton, encodeSkeleton, inParts, PartReader } from "./skeleton-codec";

describe("parts", () => {
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
});

describe("skeleton codec", () => {
  const FILES: StoredFile[] = [
    {
      path: "/logs/\ud800.jsonl",
      key: "m",
      agentId: null,
      dev: 1,
      ino: 2,
      size: 3,
      bytes: 3,
      nextLine: 2,
      head: "h",
      tail: "t",
    },
  ];

  describe("a table in parts", () => {
    it("is read as it was written, and can grow", () => {
      fc.assert(
        fc.property(anyLines, (lines) => {
          const half = Math.floor(lines.length / 2);
          const written = addLines(new SessionTable(), lines, 0, half);
          const read = decodeSkeleton([...encodeSkeleton(written, FILES)]);
          expect(read?.files).toEqual(FILES);
          const table = new SessionTable(read?.table);
          expect(table.toData()).toEqual(written.toData());
          expect(addLines(table, lines, half).toData()).toEqual(addLines(written, lines, half).toData());
        }),
        { numRuns: 100 },
      );
    });

    it("are rejected if their end is missing, or followed by something", () => {
      const parts = [...encodeSkeleton(tableOf([{ file: 0, json: { type: "user", uuid: "u1" } }]), FILES)];
      const [only] = parts;
      expect(parts).toHaveLength(1);
      for (const length of [0, 3, 4, 200, (only?.length ?? 0) - 1])
        expect(decodeSkeleton([only?.subarray(0, length) ?? new Uint8Array()])).toBeNull();
      expect(decodeSkeleton([...parts, new Uint8Array(1)])).toBeNull();
      expect(decodeSkeleton([])).toBeNull();
      expect(decodeSkeleton(parts)).not.toBeNull();
    });

    it("with other columns is rejected", () => {
      const [part] = encodeSkeleton(tableOf([]), FILES);
      const text = Buffer.from(part ?? []).toString("latin1");
      const other = Buffer.from(text.replace("offset", "offsat"), "latin1");
      expect(decodeSkeleton([other])).toBeNull();
    });
  });
});
