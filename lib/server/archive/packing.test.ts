import { randomBytes } from "node:crypto";
import * as zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { pack, unpack, unpackAside } from "./packing";

const TEXT = Buffer.from("A line that was kept by a newer Node.\n".repeat(40));
/** The same, packed by Node 24. */
const ZSTD = Buffer.from(
  "KLUv/WDwBH0BAGQCQSBsaW5lIHRoYXQgd2FzIGtlcHQgYnkgYSBuZXdlciBOb2RlLgoBAD4u/eoJ",
  "base64",
);

describe("what is kept", () => {
  it.each([0, 1, 100, 70_000, 3_000_000])("comes back as it was: %i bytes", async (length) => {
    for (const bytes of [randomBytes(length), Buffer.alloc(length, "text ")]) {
      const packed = pack(bytes);
      expect(Buffer.from(unpack(packed, length) ?? "").equals(bytes)).toBe(true);
      expect(Buffer.from((await unpackAside(packed, length)) ?? "").equals(bytes)).toBe(true);
    }
  });

  it("is read by every Node, whichever packed it", async () => {
    for (const packed of [ZSTD, zlib.brotliCompressSync(TEXT)]) {
      expect(Buffer.from(unpack(packed, TEXT.length) ?? "").equals(TEXT)).toBe(true);
      expect(Buffer.from((await unpackAside(packed, TEXT.length)) ?? "").equals(TEXT)).toBe(true);
    }
  });

  it("counts as damaged, and takes no memory, if it would become more than it is to be", async () => {
    // 1024 times 128 KiB of one letter, whose length is not stated; alone, and behind something sound.
    const runs = Array.from({ length: 1024 }, () => Buffer.from([2, 0, 16, 0x61]));
    const bomb = Buffer.concat([
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 80]),
      ...runs,
      Buffer.from([1, 0, 0]),
    ]);
    const most = process.resourceUsage().maxRSS;
    for (const packed of [bomb, Buffer.concat([ZSTD, bomb])]) {
      expect(unpack(packed, TEXT.length)).toBe(null);
      expect(await unpackAside(packed, TEXT.length)).toBe(null);
    }
    expect(process.resourceUsage().maxRSS - most).toBeLessThan(64 * 1024);
  });

  it("counts as damaged, and nothing else, wherever one of its bytes is another", () => {
    const long = Buffer.from(ZSTD);
    for (let at = 4; at < long.length; at++) {
      for (let value = 0; value < 256; value++) {
        const flipped = Buffer.from(long);
        flipped[at] = value;
        expect([null, TEXT.length]).toContain(unpack(flipped, TEXT.length)?.length ?? null);
      }
    }
  });

  it("counts as damaged if it has another length, was cut, or is in neither format", async () => {
    for (const packed of [ZSTD, zlib.brotliCompressSync(TEXT)]) {
      const flipped = Buffer.from(packed);
      flipped.writeUInt8(0xff ^ flipped.readUInt8(8), 8);
      for (const [bytes, length] of [
        [packed, TEXT.length - 1],
        [packed, TEXT.length + 1],
        [packed.subarray(0, packed.length >> 1), TEXT.length],
        [packed.subarray(0, 4), TEXT.length],
        [Buffer.alloc(0), TEXT.length],
        [Buffer.from("no such thing"), TEXT.length],
      ] as const) {
        expect(unpack(bytes, length)).toBe(null);
        expect(await unpackAside(bytes, length)).toBe(null);
      }
      // The hash reveals damaged data that still unpacks to its length.
      expect(Buffer.from(unpack(flipped, TEXT.length) ?? "").equals(TEXT)).toBe(false);
    }
  });
});
