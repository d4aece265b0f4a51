import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { JsonToken, JsonWalk, wordOf } from "./json-walk";

const encoder = new TextEncoder();

/** A walk along this text, with other bytes around it. */
function walkAlong(text: string): JsonWalk {
  const bytes = encoder.encode(`"]${text}"}`);
  const walk = new JsonWalk();
  walk.begin(bytes, 2, bytes.length - 2);
  return walk;
}

/** The value that a walk comes past, made of nothing else than what the walk says. */
function read(walk: JsonWalk, token = walk.next()): unknown {
  if (token === JsonToken.string) return `${walk.length}: ${walk.text}`;
  if (token === JsonToken.openList) {
    const list: unknown[] = [];
    for (let next = walk.next(); next !== JsonToken.closeList; next = walk.next())
      list.push(read(walk, next));
    return list;
  }
  if (token === JsonToken.open) {
    const entries: [string, unknown][] = [];
    while (walk.nextKey()) entries.push([walk.text, read(walk)]);
    return Object.fromEntries(entries);
  }
  if (token !== JsonToken.scalar) return "no value";
  return ["true", "false", "null"].find((word) => walk.is(wordOf(word))) ?? "number";
}

/** The same of a value that has been parsed. */
function told(value: unknown): unknown {
  if (typeof value === "number") return "number";
  if (typeof value !== "object" || value === null)
    return typeof value === "string" ? `${value.length}: ${value}` : String(value);
  if (Array.isArray(value)) return value.map(told);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, told(one)]));
}

/** Texts of all lengths, with what JSON escapes and what UTF-8 has several bytes for. */
const texts = fc.string({
  unit: fc.constantFrom("a", '"', "\\", "\n", "\u001b", "é", "語", "🙂"),
  maxLength: 200,
});
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom(null, true, false, -1.5e-7, 12),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(texts, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("the first object inside is entered at its key, and not at a text that looks like it", () => {
  const entered = (text: string) => {
    const walk = walkAlong(text);
    expect(walk.next()).toBe(JsonToken.open);
    const isIn = walk.enterFirst(wordOf("a"));
    // Else it goes on from where it was.
    return isIn ? read(walk, JsonToken.open) : ["from the beginning", read(walk, JsonToken.open)];
  };
  const whole = (json: object) => ["from the beginning", told(json)];
  expect(entered('{"x":1,"y":"\\\\","a":{"b":2},"c":{}}')).toEqual({ b: "number" });
  for (const json of [
    { x: {}, a: { b: 2 } },
    { x: [{ a: 1 }], a: { b: 2 } },
    { x: '"a":{', a: { b: 2 } },
    { ba: { b: 2 } },
    { a: "{", b: 2 },
    {},
  ])
    expect(entered(JSON.stringify(json))).toEqual(whole(json));
});

test("a walk passes the values that JSON.parse reads, whatever the white space", () => {
  fc.assert(
    fc.property(values, fc.constantFrom("", " ", "\t"), (value, space) => {
      expect(read(walkAlong(JSON.stringify(value, null, space)))).toEqual(
        told(JSON.parse(JSON.stringify(value))),
      );
    }),
    sampled(20260303, 500, 30_000),
  );
});

test("a value is skipped as a whole, whatever it contains", () => {
  fc.assert(
    fc.property(values, (value) => {
      const walk = walkAlong(JSON.stringify([value, "next"]));
      expect(walk.next()).toBe(JsonToken.openList);
      walk.skip();
      expect(walk.next()).toBe(JsonToken.string);
      expect(walk.text).toBe("next");
      expect(walk.next()).toBe(JsonToken.closeList);
      expect(walk.next()).toBe(JsonToken.end);
    }),
    sampled(20260304, 300, 20_000),
  );
});

test("the walk along a line that was cut off ends within it", () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, cut) => {
      const text = JSON.stringify({ value });
      const walk = walkAlong(text.slice(0, cut % text.length));
      let tokens = 0;
      while (walk.next() !== JsonToken.end) {
        tokens += 1;
        expect(walk.bytes).toBeLessThanOrEqual(encoder.encode(text).length);
      }
      expect(tokens).toBeLessThanOrEqual(text.length);
    }),
    sampled(20260305, 300, 20_000),
  );
});

test("a string's bytes are those of the log, its length is that of its text", () => {
  const walk = walkAlong(JSON.stringify("é🙂\u001b\n"));
  walk.next();
  expect(walk.bytes).toBe(2 + 4 + 6 + 2);
  expect(walk.length).toBe(5);
});
