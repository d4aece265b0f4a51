import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { openLibraryIndex } from "../index/library-index";
import { openDatabase } from "../index/load-sqlite";
import { openSearch } from "./search";

const SESSIONS = 9;
const FILLER = "filler ".repeat(3000);

/** A library that is indexed and searched by two threads' worth of desks, as the server does it. */
async function openLibrary() {
  const logs = Array.from({ length: SESSIONS }, (_, n) => [
    `projects/-a/${uuid(n + 1)}.jsonl`,
    [prompt(`asked ${n} quokka ${FILLER}`), answer(`${FILLER} told ${n} quokka`)],
  ]);
  const path = makeTree(Object.fromEntries(logs));
  const dataDir = join(
    realpathSync(mkdtempSync(join(tmpdir(), "backscroll-search-"))),
    "cache",
    "backscroll",
  );
  const catalog = new Catalog([{ path, kind: "config" }]);
  await catalog.list();
  const index = openLibraryIndex(dataDir);
  const scanner = new Scanner(catalog, index, new RequestActivity());
  await scanner.run();
  const search = openSearch({ catalog, scanner, index });
  onTestFinished(() => {
    scanner.stop();
    search.stop();
    index.stop();
    rmSync(join(dataDir, "..", ".."), { recursive: true, force: true });
  });
  /** The sessions that a search over all finds, by number, each as often as it is found. */
  const find = async (q = "quokka", limit = 500) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await search.page({ q, project: null, session: null, limit, cursor });
      for (const { sessionId, field } of page.hits)
        if (field === "prompt" || field === "text") found.push(`${numberOf(sessionId)} ${field}`);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found.sort();
  };
  const isWhole = () =>
    catalog.summaries().every(({ id }) => scanner.indexedBytes(id) !== null) && !scanner.busy;
  return { dataDir, catalog, index, scanner, search, find, isWhole };
}

function numberOf(id: SessionId): number {
  return Number(id.slice(-12)) - 1;
}

const ALL = Array.from({ length: SESSIONS }, (_, n) => [`${n} prompt`, `${n} text`]).flat();

const codes = ({ index }: Awaited<ReturnType<typeof openLibrary>>) =>
  index.state.warnings.map(({ code }) => code);

/** How many sessions the database on disk holds. */
function storedSessions(dataDir: string): number {
  const database = openDatabase(join(dataDir, "index.db"), { readOnly: true });
  const { n } = database.prepare("SELECT count(*) AS n FROM sessions").get() as { n: number };
  database.close();
  return n;
}

function change(dataDir: string, sql: string): void {
  const database = openDatabase(join(dataDir, "index.db"));
  database.exec(sql);
  database.close();
}

describe("while the index is removed under a running server, a search", () => {
  const removals: [string, (dataDir: string) => void][] = [
    ["the whole cache folder", (dataDir) => rmSync(join(dataDir, ".."), { recursive: true })],
    ["the database alone", (dataDir) => rmSync(join(dataDir, "index.db"))],
    [
      "the database, with its other files left",
      (dataDir) => {
        rmSync(join(dataDir, "index.db"));
        rmSync(join(dataDir, "index.db.lock"));
      },
    ],
    ["its write-ahead log alone", (dataDir) => rmSync(join(dataDir, "index.db-wal"))],
    ["its shared memory alone", (dataDir) => rmSync(join(dataDir, "index.db-shm"))],
    [
      "its write-ahead log and shared memory",
      (dataDir) => {
        rmSync(join(dataDir, "index.db-wal"));
        rmSync(join(dataDir, "index.db-shm"));
      },
    ],
  ];
  it.each(removals)("finds everything, and the index is made again: %s", async (_name, remove) => {
    const library = await openLibrary();
    expect(await library.find()).toEqual(ALL);
    remove(library.dataDir);
    expect(await library.find()).toEqual(ALL);
    // What any request of the page does.
    await library.scanner.run();
    await expect.poll(() => codes(library).includes("index-rebuilt") && library.isWhole()).toBe(true);
    expect(storedSessions(library.dataDir)).toBe(SESSIONS);
    expect(await library.find()).toEqual(ALL);
    expect(await library.find("quokka", 3)).toEqual(ALL);
    expect(readdirSync(library.dataDir)).toContain("index.db");
    expect(statSync(library.dataDir).mode & 0o777).toBe(0o700);
  });

  it("has it made again by itself", async () => {
    const library = await openLibrary();
    await library.find();
    rmSync(join(library.dataDir, ".."), { recursive: true });
    expect(await library.find()).toEqual(ALL);
    await expect.poll(() => existsSync(join(library.dataDir, "index.db")) && library.isWhole()).toBe(true);
    expect(codes(library)).toEqual(["index-rebuilt"]);
    expect(await library.find()).toEqual(ALL);
  });

  it("goes on where it was with the pages that follow", async () => {
    const library = await openLibrary();
    const first = await library.search.page({
      q: "quokka",
      project: null,
      session: null,
      limit: 3,
      cursor: null,
    });
    rmSync(join(library.dataDir, ".."), { recursive: true });
    const keys = first.hits.map(({ sessionId, recordId, field }) => `${sessionId} ${recordId} ${field}`);
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await library.search.page({ q: "quokka", project: null, session: null, limit: 3, cursor });
      keys.push(...page.hits.map(({ sessionId, recordId, field }) => `${sessionId} ${recordId} ${field}`));
      cursor = page.nextCursor;
    }
    for (let n = 0; n < SESSIONS; n++) {
      const found = keys.filter((key) => key.startsWith(uuid(n + 1)) && /(?:prompt|text)$/.test(key));
      expect(new Set(found).size, `session ${n}`).toBe(2);
    }
  });
});

describe("while the index is damaged under a running server, a search", () => {
  const damages: [string, string][] = [
    ["a wrong checksum in most chunks", "UPDATE chunks SET sum = sum + 1 WHERE id % 3 > 0"],
    ["other texts in every chunk", "UPDATE chunks SET texts = zeroblob(length(texts))"],
    ["signatures that say nothing stands there", "UPDATE chunks SET signature = zeroblob(length(signature))"],
    ["chunks of another session", "UPDATE chunks SET session = (session % 9) + 1"],
    ["no chunks table", "DROP TABLE chunks"],
  ];
  it.each(damages)("finds everything, and the index is made again: %s", async (_name, sql) => {
    const library = await openLibrary();
    change(library.dataDir, sql);
    expect(await library.find()).toEqual(ALL);
    await expect.poll(() => codes(library).includes("index-rebuilt") && library.isWhole()).toBe(true);
    expect(storedSessions(library.dataDir)).toBe(SESSIONS);
    expect(await library.find()).toEqual(ALL);
  });

  it("finds everything also where it had read the index before", async () => {
    const library = await openLibrary();
    expect(await library.find()).toEqual(ALL);
    change(library.dataDir, "UPDATE chunks SET sum = sum + 1 WHERE id % 2 = 0");
    expect(await library.find()).toEqual(ALL);
    await expect.poll(() => codes(library).includes("index-rebuilt") && library.isWhole()).toBe(true);
    expect(await library.find()).toEqual(ALL);
  });
});

it("opens an index whose lock is no database", async () => {
  const library = await openLibrary();
  library.index.stop();
  writeFileSync(
    join(library.dataDir, "index.db.lock"),
    "this is no database at all, and it is long".repeat(40),
  );
  const again = openLibraryIndex(library.dataDir);
  onTestFinished(() => again.stop());
  expect((await again.open()).length).toBe(SESSIONS);
  expect(again.state.mode).toBe("writer");
});
