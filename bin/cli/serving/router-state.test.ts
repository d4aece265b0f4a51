import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state";
import { expect, test } from "vitest";
import { isRouterState } from "./router-state.mjs";

const PAGE = [
  "",
  { children: ["sessions", { children: [["id", "x", "d", null], { children: ["__PAGE__", {}] }] }] },
];

/** A state in which so many parts stand inside each other. */
function nested(parts: number): string {
  return `${'["",{"c":'.repeat(parts)}["",{}]${"}]".repeat(parts)}`;
}

const GOOD: [string, unknown][] = [
  ["the library", ["", { children: ["__PAGE__", {}] }, null, null, 16]],
  ["a session's page", [...PAGE, null, "refetch"]],
  ["with an address", [...PAGE, ["/sessions/x", "?at=m~0"], "metadata-only", 0, "a"]],
  ["siblings, and a parameter of several names", ["", { children: [["all", "a/b", "oc", ["x"]], {}] }]],
  ["nothing inside", ["", {}]],
];

const BAD: [string, unknown][] = [
  ["a text", "x"],
  ["null", null],
  ["too short", [""]],
  ["too long", ["", {}, null, null, 1, "a", "b"]],
  ["a segment that is none", [5, {}]],
  ["a kind that is none", [["id", "x", "evil", null], {}]],
  ["a kind that is a list", [["id", "x", ["d"], 5], {}]],
  ["a short parameter", [["id", "x", "d"], {}]],
  ["a bad part inside", ["", { children: ["", { children: "x" }] }]],
  ["a bad address", ["", {}, ["a"]]],
  ["a refresh that is none", ["", {}, null, "evil"]],
  ["hints that are none", ["", {}, null, null, "1"]],
  ["null at the end", ["", {}, null, null, null, null]],
];

const written = (state: unknown) => encodeURIComponent(JSON.stringify(state));

test.each(GOOD)("%s is a state of Next's router", (_, state) => {
  expect(parseAndValidateFlightRouterState(written(state))).toEqual(state);
  expect(isRouterState(written(state))).toBe(true);
});

const UNREADABLE: [string, string][] = [
  ...BAD.map(([name, state]): [string, string] => [name, written(state)]),
  ["an escape that spells nothing", "%"],
  ["no JSON", "garbage"],
  ["brackets", "[".repeat(20_000)],
  ["two headers", `${written(PAGE)}, ${written(PAGE)}`],
  ["too much", written(["x".repeat(50_000), {}])],
  ["too many parts", nested(3_000)],
];

test.each(UNREADABLE)("%s is none, and Next would fail at it", (_, header) => {
  expect(() => parseAndValidateFlightRouterState(header)).toThrow("router state header");
  expect(isRouterState(header)).toBe(false);
});

test("so many parts inside each other as no page has are none, though Next might read them", () => {
  expect(isRouterState(nested(40))).toBe(true);
  expect(isRouterState(nested(60))).toBe(false);
  expect(isRouterState(written(["", []]))).toBe(false);
});
