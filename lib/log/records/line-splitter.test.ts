import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { LineSplitter } from "./line-splitter";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function split(bytes: Uint8Array, cuts: readonly number[]) {
  const splitter = new LineSplitter();
  const lines: { text: string; offset: number; length: number; line: number }[] = [];
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < edges.length; i++) {
    // A Buffer, as readers use: its `slice` is a view, which a splitter must not keep.
    const buffer = Buffer.from(bytes.slice(edges[i - 1], edges[i]));
    splitter.push(buffer, ({ bytes: line, offset, length, line: number }) =>
      lines.push({ text: decoder.decode(line), offset, length, line: number }),
    );
    buffer.fill(0x58); // the reader reuses its buffer
  }
  const rest = splitter.rest();
  return { lines, rest: rest && decoder.decode(rest.bytes), consumed: splitter.consumed };
}

test("any chunking of the bytes gives the same lines", () => {
  const text = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r", "\u2028", "\0", '{"a":1}'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (parts, cuts) => {
      const bytes = encoder.encode(parts.join(""));
      expect(split(bytes, cuts)).toEqual(split(bytes, []));
    }),
    sampled(1, 500, 50_000),
  );
});

test("only byte 0x0A ends a line", () => {
  const { lines, rest } = split(encoder.encode("a\u2028b\rc\r\n\nd"), []);
  expect(lines.map((line) => line.text)).toEqual(["a\u2028b\rc\r", ""]);
  expect(rest).toBe("d");
});

test("every line has its byte offset, its length and its number", () => {
  const { lines, consumed } = split(encoder.encode("é\nxy\n\nhalf"), [1, 5]);
  expect(lines).toEqual([
    { text: "é", offset: 0, length: 2, line: 1 },
    { text: "xy", offset: 3, length: 2, line: 2 },
    { text: "", offset: 6, length: 0, line: 3 },
  ]);
  expect(consumed).toBe(7);
});
