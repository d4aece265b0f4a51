import { describe, expect, it } from "vitest";
import { hasHidden, labelHidden, splitHidden } from "./hidden-characters";

const labels = (text: string) =>
  splitHidden(text).map((part) => (part.kind === "text" ? part.text : part.label));

describe("hidden characters", () => {
  it("leave ordinary text alone", () => {
    for (const text of ["retry.ts", "naïve 搜索 🎉", "مرحبا", "a\tb\nc", ""])
      expect(hasHidden(text), text).toBe(false);
  });

  it("show bidi controls, zero-width and tag characters by code point", () => {
    expect(labels("user\u202e // check\u2066 x")).toEqual(["user", "U+202E", " // check", "U+2066", " x"]);
    expect(labels("a\u200bb\ufeff\u{e0041}")).toEqual(["a", "U+200B", "b", "U+FEFF", "U+E0041"]);
  });

  it("are all found after a check whether there are any", () => {
    const text = "hello\u202e evil \u202c end";
    expect(hasHidden(text)).toBe(true);
    expect(labels(text)).toEqual(["hello", "U+202E", " evil ", "U+202C", " end"]);
    expect(hasHidden("a\u200b")).toBe(true);
    expect(hasHidden("\u200bb")).toBe(true);
  });

  it("show every bidi control point", () => {
    const points = [
      0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
    ];
    for (const point of points) expect(hasHidden(String.fromCodePoint(point)), point.toString(16)).toBe(true);
  });

  it("keep joined pictographs whole, and give the text back", () => {
    expect(labels("👩\u200d🚀 ok")).toEqual(["👩\u200d🚀 ok"]);
    const text = "x\u200dy\u202ez";
    expect(
      splitHidden(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });

  it("are named in a tooltip or label, control characters too, and lines stay lines", () => {
    expect(labelHidden("user\u202e\u0007\u009b x\n\ty")).toBe("user[U+202E]␇\\x9b x\n\ty");
    expect([labelHidden("retry.ts"), labelHidden(null), labelHidden(undefined)]).toEqual([
      "retry.ts",
      undefined,
      undefined,
    ]);
  });
});
