import { expect, it, onTestFinished, vi } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SearchEvent } from "@/lib/wire/search";
import { openSearch } from "../search";

const ASKED = { q: "ibex", project: null, session: null };

/** A search of a library whose first listing is told to have ended by `list`. */
async function unlisted() {
  const root = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("an ibex")] });
  const world = await searchedLibrary(root);
  let list = () => undefined as void;
  const search = openSearch(world, new Promise<void>((resolve) => (list = resolve)));
  onTestFinished(() => search.stop());
  return { search, list };
}

async function collect(events: AsyncGenerator<SearchEvent>): Promise<string[]> {
  const kinds: string[] = [];
  for await (const { kind } of events) kinds.push(kind);
  return kinds;
}

it("a page of hits is not complete while sessions are still being listed, and its cursor leads to what they hold", async () => {
  const { search, list } = await unlisted();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = search.page({ ...ASKED, limit: 10, cursor: null });
  await vi.runAllTimersAsync();
  const before = await asked;
  expect(before).toMatchObject({ hits: [], complete: false, nextCursor: expect.any(String) });
  list();
  vi.useRealTimers();
  const after = await search.page({ ...ASKED, limit: 10, cursor: before.nextCursor });
  expect(after.hits).toHaveLength(1);
});

it("a stream of hits waits for the first listing, and ends where its reader leaves meanwhile", async () => {
  const { search, list } = await unlisted();
  const left = new AbortController();
  const abandoned = collect(search.events({ ...ASKED, cursor: null }, left.signal));
  const read = collect(search.events({ ...ASKED, cursor: null }, new AbortController().signal));
  left.abort();
  expect(await abandoned).toEqual(["start"]);
  list();
  expect(await read).toContain("hits");
});
