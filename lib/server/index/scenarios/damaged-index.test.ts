import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SCHEMA_VERSION } from "@/lib/server/index/index-file";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { openDatabase } from "@/lib/server/index/load-sqlite";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { openSearch } from "@/lib/server/search/search";
import { fixtureFolder } from "@/lib/testing/recorded";
import type { SessionId } from "@/lib/wire/ids";

const FIXTURE = fixtureFolder("2.1.42");

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-faults-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function copyOfFixture(): string {
  const tree = join(scratch(), "claude");
  cpSync(FIXTURE, tree, { recursive: true });
  return tree;
}

/** How many sessions were read from their logs in a run, and what the library shows in the end. */
async function run(tree: string, dataDir: string | null) {
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const index = openLibraryIndex(dataDir);
  onTestFinished(() => index.stop());
  const scans = vi.spyOn(index, "index");
  const scanner = new Scanner(catalog, index, new RequestActivity());
  await scanner.run();
  const search = openSearch({ catalog, scanner, index });
  let hits = 0;
  for (let cursor: string | null = "", first = true; cursor !== null; first = false) {
    const page = await search.page({
      q: "the",
      project: null,
      session: null,
      limit: 500,
      cursor: first ? null : cursor,
    });
    hits += page.hits.length;
    cursor = page.nextCursor;
  }
  const warnings = index.state.warnings.map(({ code }) => code);
  const { mode } = index.state;
  index.stop();
  search.stop();
  const shown = catalog.summaries().sort((a, b) => (a.id < b.id ? -1 : 1));
  return { scanned: scans.mock.calls.length, shown, hits, warnings, mode };
}

/** What a start without any index shows: what every other must show too. */
const fromLogs = (tree: string) => run(tree, null);

describe("the index between two starts", () => {
  it("spares the second one all reading", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const { shown, hits } = await fromLogs(tree);
    const first = await run(tree, dataDir);
    expect(first).toMatchObject({ scanned: shown.length, shown, hits, warnings: [], mode: "writer" });
    expect(await run(tree, dataDir)).toMatchObject({ scanned: 0, shown, hits, warnings: [] });
    expect(statSync(join(dataDir, "index.db")).mode & 0o777).toBe(0o600);
  });

  it("follows a folder that was renamed, without reading it again", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    await run(tree, dataDir);
    const chunks = () => {
      const database = openDatabase(join(dataDir, "index.db"), { readOnly: true });
      const rows = database.prepare("SELECT id FROM chunks ORDER BY id").all();
      const paths = database.prepare("SELECT path FROM sessions").all() as { path: string }[];
      database.close();
      return { rows, renamed: paths.filter(({ path }) => path.includes("-renamed")).length };
    };
    const before = chunks();
    for (const name of readdirSync(join(tree, "projects")))
      renameSync(join(tree, "projects", name), join(tree, "projects", `${name}-renamed`));
    const { shown } = await run(tree, dataDir);
    expect(chunks()).toEqual({ rows: before.rows, renamed: shown.length });
  });

  it("forgets logs that are gone", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const { shown } = await run(tree, dataDir);
    const catalog = new Catalog([{ path: tree, kind: "config" }]);
    await catalog.list();
    const gone = catalog.sessionFiles(shown[0]?.id as never).main.path;
    rmSync(gone);
    await run(tree, dataDir);
    const database = openDatabase(join(dataDir, "index.db"), { readOnly: true });
    expect(database.prepare("SELECT count(*) AS n FROM sessions WHERE path = ?").get(gone)).toEqual({ n: 0 });
    expect(
      database
        .prepare("SELECT count(*) AS n FROM chunks WHERE session NOT IN (SELECT id FROM sessions)")
        .get(),
    ).toEqual({ n: 0 });
    database.close();
  });
});

describe("a faulty index", () => {
  it("that is no database is set aside and built again", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    writeFileSync(
      join(dataDir, "index.db"),
      "this is no database, and long enough to be looked at as one".repeat(50),
    );
    const { shown, hits } = await fromLogs(tree);
    expect(await run(tree, dataDir)).toMatchObject({
      shown,
      hits,
      warnings: ["index-rebuilt"],
      mode: "writer",
    });
    expect(readFileSync(join(dataDir, "index.db.damaged"), "utf8")).toContain("no database");
    expect(await run(tree, dataDir)).toMatchObject({ scanned: 0, warnings: [] });
  });

  it("that is removed while it is used is built again, and the reader is told", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const catalog = new Catalog([{ path: tree, kind: "config" }]);
    await catalog.list();
    const index = openLibraryIndex(dataDir);
    onTestFinished(() => index.stop());
    const warnings = () => index.state.warnings.map(({ message }) => message);
    const scanner = new Scanner(catalog, index, new RequestActivity());
    await scanner.run();
    const { epoch } = index.state;
    expect(warnings()).toEqual([]);
    for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `index.db${end}`), { force: true });
    const [session] = catalog.summaries();
    await index.index(catalog.sessionFiles(session?.id as SessionId));
    expect(warnings()).toEqual(["The index was removed while Backscroll ran and is being built again"]);
    // What a search has kept of the former one does not hold of this.
    expect(index.state.epoch).toBeGreaterThan(epoch);
    expect(existsSync(join(dataDir, "index.db"))).toBe(true);
  });

  it("with flipped bytes shows what the logs say", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const { shown, hits } = await fromLogs(tree);
    await run(tree, dataDir);
    const path = join(dataDir, "index.db");
    const whole = readFileSync(path);
    let seed = 42;
    const random = (below: number) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % below;
    for (let round = 0; round < 12; round++) {
      const damaged = Buffer.from(whole);
      // The first rounds flip a byte or two, the last ones a thousand.
      for (let flip = 0; flip < [1, 2, 10, 1000][round % 4]!; flip++)
        damaged[random(damaged.length)] = random(256);
      writeFileSync(path, damaged);
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
      const first = await run(tree, dataDir);
      expect(first, `round ${round}`).toMatchObject({ shown, hits });
      expect(await run(tree, dataDir), `after round ${round}`).toMatchObject({ scanned: 0, shown, hits });
    }
  });

  it("of an older version is replaced", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const database = openDatabase(join(dataDir, "index.db"));
    database.exec("CREATE TABLE old(x); PRAGMA user_version = 0");
    database.close();
    expect(await run(tree, dataDir)).toMatchObject({ warnings: [], mode: "writer" });
    expect(await run(tree, dataDir)).toMatchObject({ scanned: 0 });
  });

  it("of a newer version is never touched", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    const path = join(dataDir, "index.db");
    const database = openDatabase(path);
    database.exec(`CREATE TABLE tomorrow(x); PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    const before = readFileSync(path);
    const { shown } = await fromLogs(tree);
    expect(await run(tree, dataDir)).toMatchObject({ shown, mode: "writer" });
    expect(await run(tree, dataDir)).toMatchObject({ scanned: 0, shown });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(join(dataDir, `index-${SCHEMA_VERSION}.db`))).toBe(true);
  });

  it("that another viewer writes is read", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    await run(tree, dataDir);
    const writer = openLibraryIndex(dataDir);
    onTestFinished(() => writer.stop());
    await writer.open();
    expect(writer.state.mode).toBe("writer");
    const { shown, hits } = await fromLogs(tree);
    expect(await run(tree, dataDir)).toMatchObject({ scanned: 0, shown, hits, mode: "reader" });
  });

  it("that another viewer writes is not believed about what it does not hold yet", async () => {
    const tree = copyOfFixture();
    const dataDir = scratch();
    await run(tree, dataDir);
    const writer = openLibraryIndex(dataDir);
    onTestFinished(() => writer.stop());
    await writer.open();
    const catalog = new Catalog([{ path: tree, kind: "config" }]);
    await catalog.list();
    const [{ id } = { id: "" as never }] = catalog.summaries();
    const line = { type: "user", uuid: "late", message: { role: "user", content: "the very last okapi" } };
    appendFileSync(catalog.sessionFiles(id).main.path, `${JSON.stringify(line)}\n`);
    const { shown, hits } = await fromLogs(tree);
    expect(await run(tree, dataDir)).toMatchObject({ shown, hits, mode: "reader" });
  });

  it("in a folder that cannot be written leaves everything in memory, and says so", async () => {
    const tree = copyOfFixture();
    const file = join(scratch(), "a-file");
    writeFileSync(file, "");
    const { shown, hits } = await fromLogs(tree);
    expect(await run(tree, join(file, "data"))).toMatchObject({
      shown,
      hits,
      warnings: ["index-unusable"],
      mode: "none",
    });
  });
});
