import { describe, expect, it } from "vitest";
import { evaluate } from "./evaluate";
import { matchesGlob, matchesPart, matchesPath } from "./matches-glob";
import { parseQuery } from "./parse-query";
import { regexLiteral, requiredTerms } from "./required-terms";
import { parseMoment } from "./values";

const needles = (text: string) => requiredTerms(parseQuery(text).query);

describe("needlesOf", () => {
  it("returns words of which everything that is found contains one", () => {
    expect(needles("a longer")).toEqual(["longer"]);
    expect(needles("one OR two")).toEqual(["one", "two"]);
    expect(needles("(one OR two) threefold")).toEqual(["threefold"]);
    expect(needles("caf\u00e9")).toEqual(["caf\u00e9", "cafe\u0301"]);
    expect(needles("-one tool:Bash")).toBeNull();
    expect(needles("one OR -two")).toBeNull();
    expect(needles("/fo+ba[rz]qux/")).toEqual(["qux"]);
  });
});

describe("regexLiteral", () => {
  it("finds too little rather than too much", () => {
    expect(regexLiteral("abc")).toBe("abc");
    expect(regexLiteral("abcd*efg?hijk{2}lm")).toBe("abc");
    expect(regexLiteral("(abc|def)?gh[ij]+klm")).toBe("klm");
    expect(regexLiteral("a\\.ts\\b")).toBe("a.ts");
    expect(regexLiteral("foo|bar")).toBe("");
    expect(regexLiteral("\\d+")).toBe("");
  });

  it("takes a bracket that comes first in a class for one of its characters", () => {
    for (const negated of ["", "^"]) expect(regexLiteral(`x[${negated}]abcdef]yz`)).toBe("yz");
  });

  it("treats an emoji as one character, which a quantifier never splits", () => {
    expect(regexLiteral("go😀?")).toBe("go");
    expect(regexLiteral("go😀!")).toBe("go😀!");
  });
});

describe("evaluate", () => {
  it("returns what can be known", () => {
    const known = new Map([
      ["yes", true],
      ["no", false],
    ]);
    const say = (text: string) =>
      evaluate(parseQuery(text).query, (leaf) =>
        leaf.kind === "word" ? (known.get(leaf.text) ?? null) : null,
      );
    expect(say("yes maybe")).toBeNull();
    expect(say("no maybe")).toBe(false);
    expect(say("yes OR maybe")).toBe(true);
    expect(say("-maybe")).toBeNull();
    expect(say("-(no OR no)")).toBe(true);
  });
});

describe("values of filters", () => {
  it("match as globs or parts", () => {
    expect(matchesGlob("mcp__*", "MCP__shop__list")).toBe(true);
    expect(matchesGlob("a*b*c", "aXbXb")).toBe(false);
    expect(matchesPart("opus", "claude-opus-5")).toBe(true);
    expect(matchesPath("src/**", "/home/dev/shop/src/a/b.ts")).toBe(true);
    expect(matchesPath("src/*.ts", "/home/dev/shop/lib/b.ts")).toBe(false);
    for (const [pattern, path] of [
      ["src\\b.ts", "C:\\shop\\src\\b.ts"],
      ["src\\*.ts", "/home/dev/shop/src/b.ts"],
    ] as const)
      expect(matchesPath(pattern, path)).toBe(true);
    const [typed, onMac] = ["/home/Zoë/café", "/home/Zoë/café".normalize("NFD")] as const;
    expect(onMac).not.toBe(typed);
    for (const [pattern, path] of [
      ["café", onMac],
      [onMac, typed],
      ["zo?/*", onMac],
    ] as const)
      expect(matchesPath(pattern, path)).toBe(true);
    expect(matchesGlob(`${"*a".repeat(60)}b`, "a".repeat(5000))).toBe(false);
  });

  it("are converted to a moment", () => {
    const now = new Date(2026, 5, 15, 12).getTime();
    expect(parseMoment("2026-03", now)).toBe(new Date(2026, 2, 1).getTime());
    expect(parseMoment("2026-03Z", now)).toBe(Date.UTC(2026, 2, 1));
    expect(parseMoment("2026-03-01T08:30Z", now)).toBe(Date.UTC(2026, 2, 1, 8, 30));
    expect(parseMoment("7d", now)).toBe(now - 7 * 86_400_000);
    const daysOf = (age: string) => (now - (parseMoment(age, now) ?? Number.NaN)) / 86_400_000;
    expect(["12h", "2w", "3MO", "1y"].map(daysOf)).toEqual([0.5, 14, 90, 365]);
    expect(parseMoment("1mo", now)).toBe(now - 30 * 86_400_000);
    expect(parseMoment("yesterday", now)).toBe(new Date(2026, 5, 14).getTime());
    expect(parseMoment("2026-02-30", now)).toBeNull();
    expect(parseMoment("2026-03-01T08:30:59Z", now)).toBe(Date.UTC(2026, 2, 1, 8, 30, 59));
    for (const none of ["24:00", "08:60", "08:30:60"])
      expect(parseMoment(`2026-03-01T${none}`, now)).toBeNull();
    expect(parseMoment("soon", now)).toBeNull();
  });
});
