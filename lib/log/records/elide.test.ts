import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { elideLine } from "./elide";

const encoder = new TextEncoder();
const KEEP = 24;

/** Cuts every long string of a parsed value the way the elided text should have: to a prefix of the original. */
function isElidedFrom(elided: unknown, whole: unknown): boolean {
  if (typeof whole === "string" && typeof elided === "string") {
    return (
      elided === whole ||
      (whole.startsWith(elided) && encoder.encode(JSON.stringify(whole)).length - 2 > KEEP)
    );
  }
  if (typeof whole !== "object" || whole === null || typeof elided !== "object" || elided === null) {
    return Object.is(elided, whole);
  }
  const keys = Object.keys(whole);
  return (
    keys.length === Object.keys(elided).length &&
    keys.every((key) =>
      isElidedFrom((elided as Record<string, unknown>)[key], (whole as Record<string, unknown>)[key]),
    )
  );
}

const text = fc
  .array(fc.constantFrom("a", '"', "\\", "\n", "é", "漢", "😀", "\u2028", "\ud800", "\\u00", "{", "}"), {
    maxLength: 40,
  })
  .map((parts) => parts.join(""));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("array"),
    tie("object"),
  ),
  array: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(fc.constantFrom("a", "b", "type", "content"), tie("value"), { maxKeys: 4 }),
})).object;

test("an elided line parses to the same value with long strings cut to a prefix", () => {
  fc.assert(
    fc.property(json, (value) => {
      const line = encoder.encode(JSON.stringify(value));
      expect(isElidedFrom(JSON.parse(elideLine(line, KEEP).text), JSON.parse(JSON.stringify(value)))).toBe(
        true,
      );
    }),
    sampled(2, 1_000, 50_000),
  );
});

test("escapes of every kind survive a cut at every place", () => {
  const whole = 'x"\\\n\t\u0001é漢😀\u2028end of the string';
  const escaped = JSON.stringify({ s: whole }).replace("😀", "\\ud83d\\ude00").replace("é", "\\u00e9");
  for (let keep = 1; keep < 60; keep++) {
    const { s } = JSON.parse(elideLine(encoder.encode(escaped), keep).text);
    expect(whole.startsWith(s)).toBe(true);
  }
});

test("a line whose string does not close is returned as it is", () => {
  const torn = '{"type":"user","message":{"content":"half of a very long prompt that was nev';
  expect(elideLine(encoder.encode(torn), 8)).toEqual({ text: torn, cut: false, longest: null });
});

test("the cost of a long string is that of its kept part", () => {
  const line = encoder.encode(JSON.stringify({ type: "user", stdout: "x".repeat(1_000_000) }));
  const { text, cut } = elideLine(line, 100);
  expect(cut).toBe(true);
  expect(text.length).toBeLessThan(200);
});

test("the longest string that was cut is measured as the log has it", () => {
  const sizeOf = (stdout: string) =>
    elideLine(encoder.encode(JSON.stringify({ note: "y".repeat(200), stdout })), 100, { measures: true })
      .longest;
  expect(sizeOf("line\n".repeat(300))).toMatchObject({ bytes: 1_500, lines: 300, units: 1_500 });
  expect(sizeOf(`${"line\n".repeat(300)}end`)).toMatchObject({ bytes: 1_503, lines: 301, units: 1_503 });
  expect(sizeOf(`\u001b[31m${'"é\\'.repeat(100)}`)).toMatchObject({ bytes: 5 + 400, lines: 1, units: 305 });
  expect(sizeOf("short")).toMatchObject({ bytes: 200, lines: 1, kept: "y".repeat(100) });
  expect(sizeOf("漢😀".repeat(100))).toMatchObject({ bytes: 700, units: 300 });
});

test("the wanted number of characters is kept, however many bytes they take", () => {
  for (const text of [
    "a".repeat(500),
    "漢".repeat(500),
    "😀".repeat(250),
    "\u001b\n".repeat(250),
    'é"'.repeat(250),
  ]) {
    const line = encoder.encode(JSON.stringify({ text }));
    for (const keepUnits of [1, 60, 99, 100, 333]) {
      const { text: elided, longest } = elideLine(line, 120, { measures: true, keepUnits });
      const kept = JSON.parse(elided).text as string;
      expect(text.startsWith(kept)).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(keepUnits);
      const measured = longest && { kept: JSON.parse(`"${longest.kept}"`) as string, units: longest.units };
      expect(measured).toEqual(kept.length < 500 ? { kept, units: 500 } : null);
    }
  }
});
