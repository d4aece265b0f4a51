import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { parseQuery } from "@/lib/query/parse-query";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SearchEvent } from "@/lib/wire/search";
import { createTextFinder } from "./find-in-text";
import { sessionFilter } from "./match-session";
import { isSearchStopped, RegexWatch } from "./regex-watch";

/** Takes microseconds a character, whatever the text, unless that contains the end. */
const SLOW = `${"[^#]*".repeat(100)}#the end`;
const FOREVER = {
  textMs: Number.POSITIVE_INFINITY,
  givenUpMs: Number.POSITIVE_INFINITY,
  leastMs: 0,
  allMs: Number.POSITIVE_INFINITY,
};
/** Has what is required, so that it is looked through: seconds on any machine. */
const LONG = `${"a marmot sleeps ".repeat(400_000)}#the other end, #the ends`;

function finderOf(source: string, watch: RegexWatch) {
  const { query } = parseQuery(`/${source}/`);
  const finder = createTextFinder(query, watch);
  return (text: string) => finder.holds({ kind: "regex", source }, text);
}

test("an expression that takes too long in a text is given up there, and found in others", () => {
  const watch = new RegexWatch({ ...FOREVER, textMs: 30, givenUpMs: 60, leastMs: 5 });
  const holds = finderOf("(?:[^#]*){100}#x", watch);
  expect(holds(`${LONG} #y`)).toBe(null);
  expect(watch.unsearched).toBe(1);
  expect([holds("a #x"), holds("a #y")]).toEqual([true, false]);
  // Looked through once more, by another expression of the query.
  holds(`${LONG} #y`);
  expect(watch.unsearched).toBe(1);
  holds(`${LONG} #z`);
  expect(watch.unsearched).toBe(2);
});

test("when all the time is used up nothing is looked for, which counts as not searched", () => {
  const watch = new RegexWatch({ ...FOREVER, allMs: 0 });
  const holds = finderOf("marm.t", watch);
  expect([holds("a marmot"), watch.unsearched]).toEqual([null, 1]);
});

test("a usual expression is looked for in all titles of a large library, which together may take long", () => {
  const watch = new RegexWatch({ textMs: 50, givenUpMs: 100, leastMs: 1, allMs: 1 });
  const holds = finderOf("retr(?:y|ies) of .*tests?$", watch);
  const titles = Array.from(
    { length: 20_000 },
    (_, n) => `Fix the retry of session ${n}, then run the tests`,
  );
  expect([titles.filter((title) => holds(title)).length, watch.unsearched]).toEqual([20_000, 0]);
});

test("a search is ended in the middle of a text by another thread", () => {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker('Atomics.store(require("node:worker_threads").workerData, 0, 1)', {
    eval: true,
    workerData: stop,
  });
  const watch = new RegexWatch(FOREVER, () => Atomics.load(stop, 0) !== 0);
  const holds = finderOf("(?:[^#]*){100}#x", watch);
  let ended: unknown = null;
  try {
    // On any machine longer than a thread takes to start.
    for (let round = 0; round < 100 && ended === null; round++) holds(`${LONG} #y`);
  } catch (error) {
    ended = error;
  }
  void thread.terminate();
  expect(isSearchStopped(ended)).toBe(true);
});

/** A session with a long answer and a short one. */
function slowLibrary() {
  const lines = [prompt("go"), answer(`${LONG} of nothing`), answer("a marmot #the end")];
  return searchedLibrary(makeTree({ [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: lines }));
}

test("a search for an expression that takes too long comes to an end, and says what it did not search", async () => {
  const { search } = await slowLibrary();
  const asked = { q: `/${SLOW}\\b/ marmot`, project: null, session: null, cursor: null };
  const told: SearchEvent[] = [];
  for await (const event of search.events(asked, new AbortController().signal)) told.push(event);
  const end = told.at(-1);
  // Of the line with the long text its id and its message's, too, which the test's log makes from the text.
  expect(end).toMatchObject({ kind: "end", complete: true, progress: { unsearched: 3 } });
  const hits = told.flatMap((event) => (event.kind === "hits" ? event.hits : []));
  expect(hits.map(({ snippet }) => snippet)).toContain("a marmot #the end");
  const { problems } = await search.page({ ...asked, limit: 10 });
  expect(problems[0]?.message).toMatch(
    /^The expression takes too long: \d texts? (was|were) not searched for it$/,
  );
}, 60_000);

test("the library's filter gives up too, on the server's own thread, and says so", async () => {
  const tree = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [
      `projects/-home-dev-shop/${uuid(n + 1)}.jsonl`,
      [prompt(`${"a marmot sleeps ".repeat(12)}#the ends ${n}`), answer("done")],
    ]),
  );
  const { catalog, scanner } = await searchedLibrary(makeTree(tree));
  const kept = (q: string) => {
    const { keep, problems } = sessionFilter({ catalog, scanner }, q);
    return [catalog.summaries().filter((one) => keep?.(one)).length, problems().length];
  };
  expect(kept("/m.rmot/")).toEqual([400, 0]);
  // The same takes seconds for so many, where nothing ends it.
  expect(kept(`/${SLOW}\\b/`)).toEqual([0, 1]);
});
