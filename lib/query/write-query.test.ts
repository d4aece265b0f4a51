import fc from "fast-check";
import { expect, test } from "vitest";
import { sampled } from "@/lib/testing/runs";
import { parseQuery } from "./parse-query";
import { formatFilter, formatPhrase, hasFilter, withoutFilter } from "./write-query";

test("a value is quoted only where it must be", () => {
  expect(formatFilter("tool", "mcp__docs__search")).toBe("tool:mcp__docs__search");
  expect(formatFilter("agent", "__proto__")).toBe("agent:__proto__");
  expect(formatFilter("project", "my shop")).toBe('project:"my shop"');
  expect(formatFilter("agent", 'a "b" c:\\')).toBe('agent:"a \\"b\\" c:\\\\"');
  expect(formatFilter("branch", "fix(ui)")).toBe('branch:"fix(ui)"');
});

test("whatever a log names is read again as it was written, in brackets too", () => {
  const name = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc
      .array(fc.constantFrom('"', "\\", "(", ")", " ", "-", "/", ":", "*", "OR", "a", "\u00a0", "\u202e"), {
        minLength: 1,
        maxLength: 6,
      })
      .map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(name, (value) => {
      const filter = { kind: "filter", name: "agent", value };
      expect(parseQuery(formatFilter("agent", value)).query).toEqual(filter);
      expect(parseQuery(`(${formatFilter("agent", value)})`).query).toEqual(filter);
      expect(parseQuery(formatPhrase(value)).query).toEqual({ kind: "phrase", text: value });
    }),
    sampled(7, 500, 20_000),
  );
});

test("filters are found and taken out wherever they stand, and nothing that only looks like them", () => {
  const time = ["after", "before"] as const;
  for (const query of ["after:7d", "retry -AFTER:7d", "(a OR before:2026-01-01)", 'x after:"7d"'])
    expect(hasFilter(query, time), query).toBe(true);
  for (const query of ["", "after", '"after:7d"', "/after:7d/", "thereafter:7d", "is:error"])
    expect(hasFilter(query, time), query).toBe(false);
  expect(withoutFilter("retry after:7d is:error before:2026-01-01", time)).toBe("retry is:error");
  expect(withoutFilter("retry -after:7d", time)).toBe("retry");
  expect(withoutFilter("retry OR after:7d", time)).toBe("retry");
  expect(withoutFilter("after:7d OR retry x", time)).toBe("retry x");
  expect(withoutFilter("(retry OR -after:7d) x", time)).toBe("(retry ) x");
  expect(withoutFilter(" as typed ", time)).toBe(" as typed ");
  expect(withoutFilter('"a  b" after:7d', ["after"])).toBe('"a  b"');
  // A group of nothing else goes with them.
  expect(withoutFilter("(after:7d)", time)).toBe("");
  expect(withoutFilter("retry OR -(after:7d)", time)).toBe("retry");
  expect(withoutFilter('((after:7d) "()") x', time)).toBe('("()") x');
});
