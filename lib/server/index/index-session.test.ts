import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { SessionTable } from "@/lib/log/table/session-table";
import { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scanSession } from "@/lib/server/scan/scan-session";
import { fixtureFolder } from "@/lib/testing/recorded";
import { runs } from "@/lib/testing/runs";
import { ActiveSessionCache } from "./active-session-cache";
import { placesOf } from "./chunk";
import { openIndexFile } from "./index-file";
import { indexSession, readNewSession } from "./index-session";
import { IndexStore } from "./index-store";
import { IndexWorker } from "./index-task";

const FIXTURES = fixtureFolder();
/** So many lines are written at the most before a session is indexed again. */
const MOST_LINES = runs(11, 5);
const VERSIONS = ["1.0.128", "2.0.76", "2.1.42", "2.1.330"];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-index-"));
  folders.push(folder);
  return folder;
}

async function sessionsIn(path: string): Promise<SessionFiles[]> {
  const catalog = new Catalog([{ path, kind: "config" }]);
  await catalog.list();
  return catalog.summaries().map(({ id }) => catalog.sessionFiles(id));
}

/** Everything that the index holds of a session, in comparable form. */
async function contentOf(dataDir: string, files: SessionFiles) {
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const request = await scanRequest(files);
  const found = new IndexStore(file.database).load(files.main.path, "");
  if (!found) throw new Error("not in the index");
  const texts = file.database
    .prepare("SELECT places, texts FROM chunks WHERE session = ? ORDER BY id")
    .all(found.row)
    .flatMap((row) => {
      const { places, texts } = row as { places: string; texts: Uint8Array };
      return placesOf(places).map(({ from, to, ...place }) => ({
        ...place,
        text: Buffer.from(texts.subarray(from, to)).toString(),
      }));
    });
  texts.sort((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.offset - b.offset || a.block - b.block,
  );
  // The stored table may lag; its users read on from there.
  const from = { table: new SessionTable(found.table), files: found.files };
  const { table } = scanSession(request.root, request.files, { from });
  const { columns } = table.records.trimmed();
  file.close();
  const { offset, file: number, kind, line } = columns;
  return {
    entry: found.entry,
    graph: buildGraph(table, request.logs),
    records: { offset, number, kind, line },
    texts,
  };
}

async function indexAll(dataDir: string, files: SessionFiles, hot?: ActiveSessionCache) {
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const entry = indexSession(new IndexStore(file.database), await scanRequest(files), hot);
  file.close();
  return entry;
}

describe.each(VERSIONS)("sessions of %s that grow between two runs", (version) => {
  it("end up in the index as if they had been read at once", async () => {
    const tree = join(scratch(), "claude");
    cpSync(join(FIXTURES, version), tree, { recursive: true });
    const dataDir = scratch();
    const cold = scratch();
    for (const [nth, files] of (await sessionsIn(tree)).entries()) {
      await indexAll(cold, files);
      const whole = await contentOf(cold, files);
      const logs = [files.main, ...files.agents];
      const bytes = logs.map(({ path }) => readFileSync(path));
      // Cut in mid-line, each log elsewhere.
      for (const [at, { path }] of logs.entries())
        truncateSync(path, Math.floor(((bytes[at]?.length ?? 0) * (20 + ((nth * 31 + at * 17) % 75))) / 100));
      await indexAll(dataDir, files);
      for (const [at, { path }] of logs.entries())
        appendFileSync(path, bytes[at]?.subarray(statSync(path).size) ?? "");
      await indexAll(dataDir, files);
      expect(await contentOf(dataDir, files), files.main.name).toEqual(whole);
    }
  });
});

it("a session that another thread has read is saved as if it had been read here, and can be continued", async () => {
  const tree = join(scratch(), "claude");
  cpSync(join(FIXTURES, "2.1.330"), tree, { recursive: true });
  const [dataDir, cold] = [scratch(), scratch()];
  const keeper = new IndexWorker();
  const all = await sessionsIn(tree);
  for (const files of all) {
    const request = await scanRequest(files);
    const session = structuredClone(readNewSession(request, true));
    expect(keeper.do({ kind: "save", dataDir, session, logs: request.logs }).state.mode).toBe("writer");
    await indexAll(cold, files);
  }
  keeper.close();
  for (const files of all) {
    await indexAll(dataDir, files);
    expect(await contentOf(dataDir, files), files.main.name).toEqual(await contentOf(cold, files));
  }
});

it("a session of an index that lacks a figure is counted anew, and what is gone is forgotten all the same", async () => {
  const tree = join(scratch(), "claude");
  cpSync(join(FIXTURES, "2.1.330"), tree, { recursive: true });
  const dataDir = scratch();
  const [files] = await sessionsIn(tree);
  if (!files) throw new Error("no session");
  const { entry } = await indexAll(dataDir, files);
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const { toolsDenied: _, ...numbers } = entry.numbers;
  const older = JSON.stringify({ ...entry, numbers });
  file.database.prepare("UPDATE sessions SET (entry, sum) = (?, ?)").run(older, crc32(older));
  const store = new IndexStore(file.database);
  expect(store.entries()).toEqual([]);
  expect(store.paths()).toMatchObject([{ path: files.main.path }]);
  file.close();
  expect((await indexAll(dataDir, files)).entry.numbers).toEqual(entry.numbers);
  const again = openIndexFile(dataDir);
  expect(again.database && new IndexStore(again.database).entries()).toMatchObject([
    { entry: { numbers: entry.numbers } },
  ]);
  again.close();
});

it("a session whose texts were not asked for of another thread is shown, and saved when it is read again", async () => {
  const tree = join(scratch(), "claude");
  cpSync(join(FIXTURES, "2.1.330"), tree, { recursive: true });
  const [dataDir, cold] = [scratch(), scratch()];
  const keeper = new IndexWorker();
  const [files] = await sessionsIn(tree);
  if (!files) throw new Error("no session");
  const request = await scanRequest(files);
  const session = readNewSession(request, false);
  const { indexed } = keeper.do({ kind: "save", dataDir, session, logs: request.logs });
  expect(indexed?.isStored).toBe(false);
  expect(indexed?.entry.numbers.turns).toBeGreaterThan(0);
  keeper.close();
  await indexAll(dataDir, files);
  await indexAll(cold, files);
  expect(await contentOf(dataDir, files)).toEqual(await contentOf(cold, files));
});

it.each(VERSIONS)(
  "sessions of %s that are followed are at each step what a fresh reading makes of them",
  async (version) => {
    const tree = join(scratch(), "claude");
    cpSync(join(FIXTURES, version), tree, { recursive: true });
    const dataDir = scratch();
    for (const files of (await sessionsIn(tree)).filter(({ main }) => main.bytes < 150_000)) {
      const hot = new ActiveSessionCache();
      const left = [files.main, ...files.agents].map(({ path }) => ({
        path,
        lines: readFileSync(path, "utf8").split(/(?<=\n)/),
      }));
      for (const { path, lines } of left) writeFileSync(path, lines.splice(0, 2).join(""));
      await indexAll(dataDir, files, hot);
      for (let nth = 0; left.some(({ lines }) => lines.length > 0); nth++) {
        // By turns, some at a time, as a session and its agents are written.
        const { path, lines } = left[nth % left.length] ?? {};
        if (!path || !lines?.length) continue;
        appendFileSync(path, lines.splice(0, 1 + ((nth * 7) % MOST_LINES)).join(""));
        const { entry } = await indexAll(dataDir, files, hot);
        const fresh = indexSession(null, await scanRequest(files));
        expect(entry, `${files.main.name}, step ${nth}`).toEqual(fresh.entry);
      }
    }
  },
);

describe("a log that grows line by line", () => {
  const line = (text: string) =>
    `${JSON.stringify({ type: "user", uuid: text, message: { role: "user", content: text } })}\n`;

  it.each([
    ["with its table kept", true],
    ["with a start between any two", false],
  ])("ends up as if it had been read at once, %s", async (_name, kept) => {
    const tree = join(scratch(), "claude");
    cpSync(join(FIXTURES, "2.1.42"), tree, { recursive: true });
    const [dataDir, cold] = [scratch(), scratch()];
    const hot = kept ? new ActiveSessionCache() : undefined;
    const [files] = (await sessionsIn(tree)).filter(({ agents }) => agents.length > 0);
    if (!files) throw new Error("no session");
    await indexAll(dataDir, files, hot);
    for (let nth = 0; nth < 60; nth++) {
      appendFileSync(files.main.path, line(`line ${nth} ${"x".repeat(nth * 20)}`));
      if (nth % 7 === 0) appendFileSync(files.agents[0]?.path ?? "", line(`agent's line ${nth}`));
      await indexAll(dataDir, files, hot);
    }
    await indexAll(cold, files);
    expect(await contentOf(dataDir, files)).toEqual(await contentOf(cold, files));
  });

  it("writes about what was added: the table only now and then, texts into chunks with room", async () => {
    const tree = join(scratch(), "claude");
    mkdirSync(join(tree, "projects/-a"), { recursive: true });
    const log = join(tree, "projects/-a/11111111-1111-4111-8111-111111111111.jsonl");
    writeFileSync(log, line("the first"));
    const dataDir = scratch();
    const [files] = await sessionsIn(tree);
    if (!files) throw new Error("no session");
    let stored = 0;
    let last = 0;
    for (let nth = 0; nth < 400; nth++) {
      appendFileSync(log, line(`${nth} ${"words of a line, ".repeat(120)}`));
      await indexAll(dataDir, files);
      const sum = one(dataDir, "SELECT total(sum) AS n FROM skeletons");
      if (sum !== last) stored += 1;
      last = sum;
    }
    // 1.6 MB, and a table is stored for each 256 KB.
    expect(stored).toBeGreaterThan(2);
    expect(stored).toBeLessThan(9);
    expect(one(dataDir, "SELECT count(*) AS n FROM chunks")).toBeLessThan(60);
    const bytes = "SELECT sum(length(texts) + length(places) + length(signature)) AS n FROM chunks";
    expect(one(dataDir, bytes)).toBeLessThan(statSync(log).size * 0.7);
  });

  function one(dataDir: string, sql: string): number {
    const file = openIndexFile(dataDir);
    const found = file.database?.prepare(sql).get() as { n: number } | undefined;
    file.close();
    return found?.n ?? Number.NaN;
  }
});

describe("a log that is not what was indexed", () => {
  async function changed(change: (path: string, before: Buffer) => void): Promise<string[]> {
    const tree = join(scratch(), "claude");
    cpSync(join(FIXTURES, "2.0.76"), tree, { recursive: true });
    const dataDir = scratch();
    const files = (await sessionsIn(tree)).find(({ main }) => main.bytes > 8000);
    if (!files) throw new Error("no session");
    await indexAll(dataDir, files);
    change(files.main.path, readFileSync(files.main.path));
    const cold = scratch();
    await indexAll(cold, files);
    await indexAll(dataDir, files);
    const expected = await contentOf(cold, files);
    expect(await contentOf(dataDir, files)).toEqual(expected);
    return expected.texts.map(({ text }) => text);
  }
  const line = (text: string) =>
    `${JSON.stringify({ type: "user", uuid: text, message: { role: "user", content: text } })}\n`;

  it("is read again when the lines since its stored table have changed", async () => {
    const tree = join(scratch(), "claude");
    cpSync(join(FIXTURES, "2.0.76"), tree, { recursive: true });
    const [dataDir, cold] = [scratch(), scratch()];
    const [files] = await sessionsIn(tree);
    if (!files) throw new Error("no session");
    await indexAll(dataDir, files);
    const before = readFileSync(files.main.path);
    appendFileSync(files.main.path, line("first version"));
    await indexAll(dataDir, files);
    writeFileSync(files.main.path, Buffer.concat([before, Buffer.from(line("other version, and longer"))]));
    await indexAll(dataDir, files);
    await indexAll(cold, files);
    const expected = await contentOf(cold, files);
    expect(expected.texts.map(({ text }) => text)).toContain("other version, and longer");
    expect(await contentOf(dataDir, files)).toEqual(expected);
  });

  it("is read again when it was truncated", async () => {
    const texts = await changed((path, before) => truncateSync(path, before.indexOf(10) + 1));
    expect(texts.length).toBeLessThan(20);
  });

  it("is read again when it was truncated and has grown past its old size", async () => {
    const texts = await changed((path, before) =>
      writeFileSync(path, line("anew ").repeat(Math.ceil(before.length / 60) + 10)),
    );
    expect(texts).toContain("anew ");
  });

  it("is read again when another file of the same size took its place", async () => {
    const texts = await changed((path, before) => {
      rmSync(path);
      writeFileSync(path, Buffer.concat([Buffer.from(line("another")), before]).subarray(0, before.length));
    });
    expect(texts).toContain("another");
  });
});
