import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formsOf } from "@/lib/query/text-forms";
import { textPattern } from "@/lib/query/text-marks";
import { makeSignature, mayHold, sequencesOf } from "@/lib/server/index/signature";
import { sampled } from "@/lib/testing/runs";
import { plainPattern, rawPattern } from "./find-in-text";

const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const escaped = (json: string) =>
  json.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Words and what stands around them: letters of several scripts, and everything that JSON escapes. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "a",
        "B",
        "é",
        "Σ",
        "ς",
        "ß",
        "搜",
        "索",
        "🎉",
        '"',
        "\\",
        "\n",
        "\t",
        "/",
        "<",
        " ",
        "ı",
        "ſ",
      ),
      fc.string({ unit: "grapheme", maxLength: 2 }),
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join("").replaceAll("\0", " "));

/** A text in other cases and forms. */
const writings = (said: string) => [
  ...[said, said.toUpperCase(), said.toLowerCase()],
  ...[said.normalize("NFC"), said.normalize("NFD")],
];

describe("patterns of a word", () => {
  it("find it in any case, in plain text and in JSON, escaped or not", () => {
    fc.assert(
      fc.property(text, text, text, (before, word, after) => {
        const said = before + word + after;
        // In another case it may be another word, such as STRASSE.
        const given = writings(said).filter((one) => textPattern(word).test(one));
        const [plain, raw] = [plainPattern, rawPattern].map((pattern) => pattern(formsOf(word)));
        const missedBy = (pattern: RegExp | undefined, write: (text: string) => string) =>
          given.filter((one) => {
            if (pattern) pattern.lastIndex = 0;
            return !pattern?.test(latin1(write(one)));
          });
        expect(missedBy(plain, String)).toEqual([]);
        expect(missedBy(raw, (one) => JSON.stringify(one))).toEqual([]);
        expect(missedBy(raw, (one) => escaped(JSON.stringify(one)))).toEqual([]);
        expect(textPattern(word).test(said)).toBe(true);
      }),
      sampled(5, 500, 50_000),
    );
  });

  it("find nothing where the word is not", () => {
    expect(rawPattern(["needle"]).test(latin1(JSON.stringify("a haystack of needl es")))).toBe(false);
    expect(rawPattern(["a.c"]).test(latin1(JSON.stringify("abc")))).toBe(false);
  });
});

describe("a signature", () => {
  it("never rules out a word that is there", () => {
    fc.assert(
      fc.property(text, text, text, (before, word, after) => {
        const said = before + word + after;
        const given = writings(said).filter((one) => textPattern(word).test(one));
        const isHeld = (one: string) =>
          formsOf(word).some((form) => mayHold(makeSignature([one]), sequencesOf(form)));
        expect(given.filter((one) => !isHeld(one))).toEqual([]);
      }),
      sampled(6, 500, 50_000),
    );
  });

  it("rules out nearly all that is not", () => {
    const words = Array.from({ length: 4000 }, (_, at) => (at * 2654435761).toString(36)).join(" ");
    const signature = makeSignature([words]);
    const passed = Array.from({ length: 1000 }, (_, at) => `zq${(at * 40503).toString(36)}xv`).filter(
      (word) => mayHold(signature, sequencesOf(word)),
    );
    expect(passed.length).toBeLessThan(50);
  });
});
