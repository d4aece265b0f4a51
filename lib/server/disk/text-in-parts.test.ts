import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { checksumOf, partsOf, readLongText } from "./text-in-parts";

const TEXTS = [
  "",
  "short",
  "x".repeat(32 * 1024),
  `${"x".repeat(32 * 1024 - 1)}😀 end`,
  "ü😀".repeat(50_000),
];

it("the checksum of a text is that of its bytes, wherever it is cut", () => {
  for (const text of TEXTS) expect(checksumOf(text)).toBe(crc32(Buffer.from(text)));
});

it("a text in parts is the whole text, of which no part is long or ends within a character", () => {
  for (const text of TEXTS) {
    const parts = [...partsOf(text)];
    expect(parts.join("")).toBe(text);
    expect(parts.filter((part) => part.length > 32 * 1024 || Buffer.from(part).toString() !== part)).toEqual(
      [],
    );
  }
});

it("a file is read as it was written", async () => {
  const path = join(makeTree({}), "text.json");
  for (const text of TEXTS) {
    writeFileSync(path, text);
    expect(await readLongText(path)).toBe(readFileSync(path, "utf8"));
  }
});
