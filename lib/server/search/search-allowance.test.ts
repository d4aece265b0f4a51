import { expect, test } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SearchEvent } from "@/lib/wire/search";
import { openSearch } from "./search";
import { guestSearchLimits, SearchAllowance } from "./search-allowance";

const SPENT = { code: "too-much-searched", status: 429 };

/** A clock that stands, allowances of it, and what each still lets through. */
function allowances() {
  let nowMs = 0;
  const clock = () => nowMs;
  const all = new SearchAllowance({ maxMs: 300, refill: 1 }, null, clock);
  const one = () => new SearchAllowance({ maxMs: 200, refill: 0.5 }, all, clock);
  return { one, pass: (ms: number) => void (nowMs += ms) };
}

test("what was spent comes back with time, and what was spent beyond is paid back first", () => {
  const { one, pass } = allowances();
  const guest = one();
  guest.spend(190);
  expect(guest.isSpent).toBe(false);
  guest.spend(60);
  expect(() => guest.demand()).toThrow(expect.objectContaining(SPENT));
  pass(100);
  expect(guest.isSpent).toBe(true);
  pass(2);
  expect(guest.isSpent).toBe(false);
  pass(1e9);
  guest.spend(200);
  expect(guest.isSpent).toBe(true);
});

test("guests of one link do not use up another's, but all of them together have an end", () => {
  const { one, pass } = allowances();
  const [first, second, third] = [one(), one(), one()];
  first.spend(220);
  expect([first, second].map(({ isSpent }) => isSpent)).toEqual([true, false]);
  second.spend(100);
  expect([second, third].map(({ isSpent }) => isSpent)).toEqual([true, true]);
  pass(30);
  expect([first, second, third].map(({ isSpent }) => isSpent)).toEqual([true, false, false]);
});

test("a guest's searches end when they have kept threads busy for too long, and say so", async () => {
  const lines = Array.from({ length: 3_000 }, (_, n) => [
    prompt(`go ${n}`),
    answer(`text number ${n}`),
  ]).flat();
  const { catalog, scanner, index } = await searchedLibrary(
    makeTree({ [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: lines }),
  );
  const allowance = new SearchAllowance({ maxMs: 1, refill: 0 });
  const limits = { allowance, maxRegexSize: 500 };
  const search = openSearch({ catalog, scanner, index }, Promise.resolve(), limits);
  const asked = { q: "/numb.r [0-9]+5/", project: null, session: null, cursor: null };
  const told: SearchEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of search.events(asked, signal)) told.push(event);
  const end = told.at(-1);
  expect(end).toMatchObject({ kind: "end", complete: false, nextCursor: expect.any(String) });
  const next = { ...asked, cursor: end?.kind === "end" ? end.nextCursor : null };
  expect(() => search.events(next, signal)).toThrow(expect.objectContaining(SPENT));
  await expect(search.page({ ...asked, limit: 10 })).rejects.toMatchObject(SPENT);
  search.stop();
  // Of the owner nothing is limited.
  const owners = openSearch({ catalog, scanner, index });
  for (let page = 0; page < 3; page++)
    expect((await owners.page({ ...asked, limit: 10 })).hits).toHaveLength(10);
  owners.stop();
});

test("an expression that takes each character hundreds of steps is refused to guests, and not to the owner", async () => {
  const { catalog, scanner, index } = await searchedLibrary(
    makeTree({ [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt("go"), answer("a b")] }),
  );
  const asked = { q: "/a.{0,900}b/", project: null, session: null, limit: 10, cursor: null };
  const guests = openSearch({ catalog, scanner, index }, Promise.resolve(), guestSearchLimits());
  const refused = await guests.page(asked);
  expect(refused).toMatchObject({ hits: [], problems: [{ from: 0, to: 12 }] });
  expect(refused.problems[0]?.message).toContain("takes too long");
  expect(await guests.page({ ...asked, q: "/a.{0,90}b/" })).toMatchObject({ hits: [{}], problems: [] });
  guests.stop();
  const owners = openSearch({ catalog, scanner, index });
  expect(await owners.page(asked)).toMatchObject({ hits: [{}], problems: [] });
  owners.stop();
});
