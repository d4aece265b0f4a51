import { createLoader } from "nuqs/server";
import { expect, test } from "vitest";
import { makeSummary } from "@/lib/testing/session-summary";
import {
  activeFilters,
  hasOwnFilters,
  LIBRARY_PARSERS,
  type LibraryFilters,
  libraryHref,
  passes,
  withoutFilters,
} from "./library-filters";

const loadFrom = createLoader(LIBRARY_PARSERS);
const load = (address: string) => loadFrom(new URL(address, "http://127.0.0.1"));
const NOW = new Date(2026, 10, 21, 14, 58).getTime();
const DAY = 86_400_000;

const tokens = (filters: LibraryFilters) =>
  activeFilters(filters).map(({ token, value }) => (token === null ? value : `${token}:${value}`));

test("an address contains every filter, and is read as it was written", () => {
  const address =
    "/?project=p1&q=fix+retry&sort=tokens&since=7d&errors=true&agents=true&branch=feat/x&model=opus";
  const filters = load(address);
  expect(tokens(filters)).toEqual([
    "project:p1",
    "fix retry",
    "after:7d",
    "is:error",
    "agent:*",
    "branch:feat/x",
    "model:opus",
  ]);
  expect(load(libraryHref(filters))).toEqual(filters);
});

test("nonsense in the address is no filter", () => {
  const filters = load("/?sort=constructor&since=9y&errors=maybe&running=1x");
  expect(filters.sort).toBe("active");
  expect(tokens(filters)).toEqual([]);
  expect(libraryHref(filters)).toBe("/");
});

test("filters can be removed one by one", () => {
  const filters = load("/?q=x&errors=true&branch=main&sort=title");
  expect(tokens(withoutFilters(filters, ["errors"]))).toEqual(["x", "branch:main"]);
  expect(withoutFilters(filters, ["q", "errors", "branch"]).sort).toBe("title");
  expect(hasOwnFilters(filters)).toBe(true);
  expect(hasOwnFilters(withoutFilters(filters, ["errors", "branch"]))).toBe(false);
});

test.each([
  ["/", { title: "any" }, true],
  ["/?errors=true", { title: "none", toolErrors: 0 }, false],
  ["/?errors=true", { title: "not known", toolErrors: null }, false],
  ["/?errors=true", { title: "some", toolErrors: 2 }, true],
  ["/?agents=true", { title: "one", agentCount: 1 }, true],
  ["/?running=true", { title: "waits", state: "waiting" as const }, true],
  ["/?running=true", { title: "ended", state: "ended" as const }, false],
  ["/?branch=main", { title: "no branch", gitBranch: null }, false],
  ["/?model=opus", { title: "two models", models: ["haiku", "opus"] }, true],
  ["/?since=7d", { title: "six days ago", lastActiveAtMs: NOW - 6 * DAY }, true],
  ["/?since=7d", { title: "seven days ago", lastActiveAtMs: NOW - 7 * DAY }, false],
  ["/?since=30d", { title: "no time", lastActiveAtMs: null }, false],
])("%s lets through %o: %s", (address, summary, through) => {
  expect(passes(makeSummary(summary), load(address), NOW)).toBe(through);
});
