import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { DiskFile } from "@/lib/server/disk/open-file";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import { SearchWorker } from "../search-worker";

const MAIN = `projects/-a/${uuid(1)}.jsonl`;
const FILLER = "filler ".repeat(4_000);

async function openWorld(files: Parameters<typeof makeTree>[0]) {
  const root = makeTree(files);
  return { root, ...(await searchedLibrary(root)) };
}

/** What is read from disk, and how many of the files that were opened are not closed, from now on. */
function watchDisk() {
  const open = new Set<unknown>();
  const disk = { bytes: 0, open: () => open.size };
  const { read, close } = DiskFile.prototype;
  const spies = [
    vi.spyOn(DiskFile.prototype, "read").mockImplementation(function (this: DiskFile, ...args) {
      open.add(this);
      const bytes = read.apply(this, args);
      disk.bytes += bytes;
      return bytes;
    }),
    vi.spyOn(DiskFile.prototype, "close").mockImplementation(function (this: DiskFile) {
      open.delete(this);
      close.apply(this);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return disk;
}

function result(text: string, id: string): Record<string, unknown> {
  const block = { type: "tool_result", tool_use_id: id, content: text };
  return { type: "user", uuid: `r-${id}`, message: { role: "user", content: [block] } };
}

/** Results that were put aside, one under a name that no client makes, each with what fills the log beside it. */
function sessionWithOutputs(count: number) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const nameOf = (n: number) => (n === 7 ? "b 7.txt" : `b${n}.txt`);
  const saved = (n: number) => `Full output saved to: /x/tool-results/${nameOf(n)}\n${FILLER}`;
  return {
    [MAIN]: [prompt("go"), ...numbers.map((n) => result(saved(n), `t${n}`))],
    ...Object.fromEntries(
      numbers.map((n) => [`projects/-a/${uuid(1)}/tool-results/${nameOf(n)}`, [`an ibex in output ${n}`]]),
    ),
  };
}

it("reads a session's logs once for all outputs that were put aside, however many are found", async () => {
  const count = 60;
  const { search } = await openWorld(sessionWithOutputs(count));
  const disk = watchDisk();
  const hits: SearchHit[] = [];
  const query = { q: "ibex", project: null, session: null, cursor: null };
  for await (const event of search.events(query, new AbortController().signal))
    if (event.kind === "hits") hits.push(...event.hits);
  const records = new Set(hits.map(({ recordId }) => recordId));
  expect(records.size).toBe(count);
  // Once for the words, once for the names.
  expect(disk.bytes).toBeLessThan(3 * count * FILLER.length);
});

it("closes the log that a search was reading when its reader went on to another one", async () => {
  const lines = Array.from({ length: 400 }, (_, n) => result(`ibex ${n} ${FILLER}`, `t${n}`));
  const { search } = await openWorld({ [MAIN]: [prompt("go"), ...lines] });
  const disk = watchDisk();
  for (const q of ["i", "ib", "ibe", "ibex"]) {
    const reader = new AbortController();
    const query = { q, project: null, session: null, cursor: null };
    for await (const event of search.events(query, reader.signal)) if (event.kind === "hits") reader.abort();
  }
  expect(disk.open()).toBe(0);
});

it("tells its threads of the sessions that have changed, and not of all of them with each line that is written", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `projects/-a/${uuid(n)}.jsonl`);
  const { search, root, readOn } = await openWorld(
    Object.fromEntries(names.map((name) => [name, [prompt("go")]])),
  );
  const told = vi.spyOn(SearchWorker.prototype, "do");
  onTestFinished(() => told.mockRestore());
  const find = async (q: string) => {
    told.mockClear();
    const { hits } = await search.page({ q, project: null, session: null, limit: 50, cursor: null });
    const counts = told.mock.calls.map(([task]) => ("sources" in task && task.sources?.changed.length) || 0);
    return { hits: hits.length, told: Math.max(...counts) };
  };
  expect(await find("go")).toEqual({ hits: 20, told: 20 });
  appendFileSync(join(root, names[3] ?? ""), toText([prompt("an ibex", { uuid: "u2" })]));
  await readOn();
  expect(await find("ibex in:prompt")).toEqual({ hits: 1, told: 1 });
  rmSync(join(root, names[5] ?? ""));
  await readOn();
  expect(await find("go")).toEqual({ hits: 19, told: 0 });
});

it("lists again only the folder in which a line was written", async () => {
  const names = [1, 2, 3].flatMap((n) =>
    Array.from({ length: n === 1 ? 1 : 20 }, (_, at) => `projects/-${n}/${uuid(100 * n + at)}.jsonl`),
  );
  const { search, catalog, scanner, root } = await openWorld(
    Object.fromEntries(names.map((name) => [name, [prompt("go")]])),
  );
  const looks = vi.spyOn(scanner, "scannedBytes");
  const find = async (q: string) => {
    looks.mockClear();
    const { hits } = await search.page({ q, project: null, session: null, limit: 50, cursor: null });
    return { hits: hits.length, looks: looks.mock.calls.length };
  };
  expect(await find("go")).toEqual({ hits: 41, looks: 41 });
  const written = catalog.summaries().find(({ id }) => id === uuid(100));
  appendFileSync(join(root, names[0] ?? ""), toText([prompt("an ibex", { uuid: "u2" })]));
  await catalog.refresh(written?.id as SessionId);
  await scanner.run();
  expect(await find("ibex in:prompt")).toEqual({ hits: 1, looks: 1 });
});

it("finds an output that was kept since the sessions were listed, when it is gone from disk", async () => {
  const output = `projects/-a/${uuid(1)}/tool-results/b1.txt`;
  const saved = "Full output saved to: /x/tool-results/b1.txt";
  const { search, root } = await openWorld({
    [MAIN]: [prompt("go"), result(saved, "t1")],
    [output]: ["a long ibex"],
  });
  const find = async () =>
    (await search.page({ q: "ibex", project: null, session: null, limit: 50, cursor: null })).hits.length;
  expect(await find()).toBe(1);
  using _ = await keepFolder(root);
  rmSync(join(root, output));
  expect(await find()).toBe(1);
});
