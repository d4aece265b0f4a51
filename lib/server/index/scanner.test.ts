import { appendFileSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { WorkerThread } from "@/lib/server/runtime/worker-thread";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { UNKNOWN_FIGURES } from "@/lib/wire/library-columns";
import { type LibraryIndex, openLibraryIndex } from "./library-index";
import { Scanner } from "./scanner";

const entry: StoredEntry = {
  files: [],
  unread: [],
  titles: { custom: null, ai: null },
  slugs: [],
  numbers: {
    ...UNKNOWN_FIGURES,
    turns: 1,
    tokens: 0,
    activity: null,
    cost: null,
  },
  names: { models: [], callers: [] },
  facets: {
    tools: [],
    paths: [],
    agentTypes: [],
    sidechains: false,
    images: 0,
    diffs: 0,
    compactions: 0,
    branches: 1,
    firstAtMs: null,
    lastAtMs: null,
    unanswered: 0,
    reports: { repeats: [], waiting: [] },
    prompts: { repeats: [], waiting: [] },
    git: { commits: [], requests: [], asked: [] },
  },
};

const INDEXED = {
  entry,
  share: { messages: new Uint32Array(), turns: new Uint32Array(), passes: new Uint32Array() },
  goesOn: false,
  isStored: true,
};

/** An index that holds nothing and scans as the test says. */
function indexWith(index: LibraryIndex["index"]): LibraryIndex {
  return Object.assign(openLibraryIndex(null), { index });
}

async function catalogOf(...years: number[]): Promise<Catalog> {
  const logs = years.map((year) => [
    `projects/-a/${uuid(year)}.jsonl`,
    [prompt(`of ${year}`, { timestamp: `${year}-01-01T00:00:00Z` })],
  ]);
  const catalog = new Catalog([{ path: makeTree(Object.fromEntries(logs)), kind: "config" }]);
  await catalog.list();
  return catalog;
}

describe("Scanner", () => {
  it("shows a session as active when its agent wrote last, whatever the main log's end says", async () => {
    const root = makeTree({
      [`projects/-a/${uuid(1)}.jsonl`]: [prompt("start an agent", { timestamp: "2026-01-01T10:00:00Z" })],
      [`projects/-a/${uuid(1)}/subagents/agent-a1.jsonl`]: [
        { ...prompt("look", { timestamp: "2026-01-01T10:01:00Z" }), isSidechain: true, agentId: "a1" },
        { ...answer("found", { timestamp: "2026-01-01T12:00:00Z" }), isSidechain: true, agentId: "a1" },
      ],
      [`projects/-a/${uuid(2)}.jsonl`]: [prompt("between", { timestamp: "2026-01-01T11:00:00Z" })],
    });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    const order = () =>
      catalog
        .summaries()
        .toSorted((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0))
        .map(({ id }) => id);
    expect(order()).toEqual([uuid(2), uuid(1)]);
    const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
    await scanner.run();
    expect(order()).toEqual([uuid(1), uuid(2)]);
    const [first] = catalog.summaries().filter(({ id }) => id === uuid(1));
    expect(first?.lastActiveAtMs).toBe(Date.parse("2026-01-01T12:00:00Z"));
    // Goes on in the main log: the first pass knows before it is scanned again.
    appendFileSync(
      join(root, `projects/-a/${uuid(1)}.jsonl`),
      toText([answer("done", { timestamp: "2026-01-01T13:00:00Z" })]),
    );
    await catalog.list();
    expect(catalog.summary(uuid(1) as SessionId).lastActiveAtMs).toBe(Date.parse("2026-01-01T13:00:00Z"));
  });

  it("has nothing more of a session whose log is gone, and all of the others", async () => {
    const root = makeTree({
      [`projects/-a/${uuid(1)}.jsonl`]: [prompt("stays"), answer("done")],
      [`projects/-a/${uuid(2)}.jsonl`]: [prompt("goes"), answer("done as well")],
    });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
    await scanner.run();
    const [stays, goes] = [uuid(1) as SessionId, uuid(2) as SessionId];
    const known = () => [stays, goes].map((id) => [scanner.totals.has(id), scanner.facets(id) !== null]);
    expect(known()).toEqual([
      [true, true],
      [true, true],
    ]);
    rmSync(join(root, `projects/-a/${uuid(2)}.jsonl`));
    await catalog.list();
    await scanner.run();
    expect(known()).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it("is busy with what it scans, also after a check of the index has failed", async () => {
    const root = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("first")] });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    const busy: boolean[] = [];
    const index = Object.assign(openLibraryIndex(null), {
      check: () => Promise.reject(new Error("the thread has ended")),
      index: async () => {
        busy.push(scanner.busy);
        return INDEXED;
      },
    });
    const scanner = new Scanner(catalog, index, new RequestActivity());
    await expect(scanner.run()).rejects.toThrow("the thread has ended");
    expect(busy).toEqual([true]);
    appendFileSync(join(root, `projects/-a/${uuid(2)}.jsonl`), toText([prompt("second")]));
    await catalog.list();
    await scanner.run();
    expect(busy).toEqual([true, true]);
  });

  it("scans the newest session first", async () => {
    const catalog = await catalogOf(2023, 2025, 2024);
    const scanned: string[] = [];
    const scanner = new Scanner(
      catalog,
      indexWith(async (files) => {
        scanned.push(catalog.summary(files.id).title);
        await new Promise((go) => setTimeout(go, 2));
        return INDEXED;
      }),
      new RequestActivity(),
    );
    await Promise.all([scanner.run(), scanner.run()]);
    expect(scanned).toEqual(["of 2025", "of 2024", "of 2023"]);
    expect(catalog.summaries().every((session) => session.indexed)).toBe(true);
    expect(scanner.busy).toBe(false);
  });

  it("begins while folders are still being listed, and scans each session once", async () => {
    const logs = [2023, 2024].map((year) => [
      `projects/-${year}/${uuid(year)}.jsonl`,
      [prompt(`of ${year}`, { timestamp: `${year}-01-01T00:00:00Z` })],
    ]);
    const catalog = new Catalog([{ path: makeTree(Object.fromEntries(logs)), kind: "config" }]);
    const scanned: string[] = [];
    let endListing: () => void = () => undefined;
    let noteScan: () => void = () => undefined;
    const firstScan = new Promise<void>((scan) => (noteScan = scan));
    const index = indexWith(async (files) => {
      scanned.push(catalog.summary(files.id).title);
      noteScan();
      return INDEXED;
    });
    const listing = catalog.list().then(() => new Promise<void>((end) => (endListing = end)));
    const reading = new Scanner(catalog, index, new RequestActivity()).begin(listing);
    await firstScan;
    endListing();
    await reading;
    expect(scanned).toEqual(["of 2024", "of 2023"]);
  });

  it("scans what a reader has opened next", async () => {
    const years = Array.from({ length: 60 }, (_, at) => 2000 + at);
    const catalog = await catalogOf(...years);
    const scanned: string[] = [];
    const scanner = new Scanner(
      catalog,
      indexWith(async (files) => {
        scanned.push(catalog.summary(files.id).title);
        if (scanned.length === 1) {
          const oldest = catalog.summaries().find(({ title }) => title === "of 2000");
          if (oldest) scanner.prefer(catalog.sessionFiles(oldest.id).main.path);
        }
        await new Promise((go) => setTimeout(go, 1));
        return INDEXED;
      }),
      new RequestActivity(),
    );
    await scanner.run();
    expect(scanned.slice(0, 3)).toEqual(["of 2059", "of 2000", "of 2058"]);
    expect(new Set(scanned).size).toBe(60);
    expect(scanned).toHaveLength(60);
  });

  it("shows why a session could not be scanned, and goes on", async () => {
    const catalog = await catalogOf(2024, 2025);
    const index = indexWith(async () => {
      if (catalog.due().length === 2) throw new ViewerError("file-gone", "This log is no longer there");
      return INDEXED;
    });
    await new Scanner(catalog, index, new RequestActivity()).run();
    const [older, newer] = catalog.summaries();
    expect(newer).toMatchObject({ indexed: false, problem: { code: "file-gone" } });
    expect(older).toMatchObject({ indexed: true, problem: null });
    await catalog.list();
    expect(catalog.summaries()[1]?.problem?.code).toBe("file-gone");
    expect(catalog.due()).toEqual([]);
  });

  it("reads all other sessions that were lost with their thread, and finds the one that ends it", async () => {
    const catalog = await catalogOf(2021, 2022, 2023, 2024, 2025);
    const source = `
      const { parentPort } = require("node:worker_threads");
      parentPort.postMessage({ kind: "started" });
      parentPort.on("message", ({ id, task }) => {
        if (task === "of 2023") process.exit(1);
        setTimeout(() => parentPort.postMessage({ id, kind: "done", answer: task }), 20);
      });
    `;
    const thread = new WorkerThread<string, string, never>(() => new Worker(source, { eval: true }));
    const asked: string[] = [];
    const scanner = new Scanner(
      catalog,
      indexWith(async ({ id }) => {
        const { title } = catalog.summary(id);
        asked.push(title);
        await thread.ask(title);
        return INDEXED;
      }),
      new RequestActivity(),
    );
    using _ = { [Symbol.dispose]: () => (scanner.stop(), thread.stop()) };
    await scanner.run();
    const problems = () =>
      catalog.summaries().map(({ title, problem }) => `${title}: ${problem?.code ?? "read"}`);
    const told = ["of 2025: read", "of 2024: read", "of 2023: scan-ended", "of 2022: read", "of 2021: read"];
    expect(problems().sort().reverse()).toEqual(told);
    // It is not tried again and again: its next line has it read.
    const before = asked.length;
    await catalog.list();
    await scanner.run();
    expect(asked.length).toBe(before);
    expect(problems().sort().reverse()).toEqual(told);
  });

  it("tries again later if a session could not be read for a temporary reason", async () => {
    const catalog = await catalogOf(2024, 2025);
    const faults = [
      Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" }),
      new ViewerError("file-unreadable", "Too many files are open"),
    ];
    const index = indexWith(async ({ id }) => {
      const fault = catalog.summary(id).title === "of 2024" ? faults.shift() : undefined;
      if (fault) throw fault;
      return INDEXED;
    });
    const scanner = new Scanner(catalog, index, new RequestActivity(), 1);
    const problem = () => catalog.summaries().find(({ title }) => title === "of 2024")?.problem;
    await scanner.run();
    expect(problem()).toMatchObject({ code: "file-unreadable" });
    await expect.poll(problem).toBe(null);
    expect(faults).toEqual([]);
    expect(catalog.summaries().every(({ indexed }) => indexed)).toBe(true);
    scanner.stop();
  });

  it("tries again later to read an agent's log that could not be read", async () => {
    const agent = `projects/-a/${uuid(1)}/subagents/agent-a1.jsonl`;
    const root = makeTree({
      [`projects/-a/${uuid(1)}.jsonl`]: [prompt("first")],
      [agent]: [prompt("sub", { isSidechain: true, agentId: "a1" })],
    });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    const [path, aside] = [join(root, agent), join(root, "aside")];
    // Whoever runs this may read every file, but none can read a folder.
    renameSync(path, aside);
    mkdirSync(path);
    const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity(), 1);
    await scanner.run();
    const read = () => catalog.summaries().map(({ id }) => scanner.scannedBytes(id)?.size);
    expect(read()).toEqual([1]);
    rmdirSync(path);
    renameSync(aside, path);
    await expect.poll(read).toEqual([2]);
    scanner.stop();
  });

  it("finds a title in the middle of a long log", async () => {
    const filler = Array.from({ length: 30 }, (_, at) => prompt("x".repeat(10_000), { uuid: `f${at}` }));
    const named = { type: "custom-title", customTitle: "named\nhalfway" };
    const root = makeTree({
      [`projects/-a/${uuid(1)}.jsonl`]: [prompt("first"), ...filler, named, ...filler],
    });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    expect(catalog.summaries()[0]).toMatchObject({ title: "first", titleSource: "prompt" });
    await new Scanner(catalog, openLibraryIndex(null), new RequestActivity()).run();
    expect(catalog.summaries()[0]).toMatchObject({
      title: "named halfway",
      titleSource: "custom",
      indexed: true,
    });
  });

  it("pauses while a request is answered", async () => {
    const catalog = await catalogOf(2024);
    const activity = new RequestActivity();
    const order: string[] = [];
    const request = activity.during(async () => {
      await new Promise((go) => setTimeout(go, 20));
      order.push("request");
    });
    const scanner = new Scanner(
      catalog,
      indexWith(async () => {
        order.push("scan");
        return INDEXED;
      }),
      activity,
    );
    await Promise.all([request, scanner.run()]);
    expect(order).toEqual(["request", "scan"]);
  });
});
