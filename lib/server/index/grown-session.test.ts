import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { buildGraph } from "@/lib/thread/session-graph";
import { SessionTable } from "@/lib/thread/session-table";
import { Catalog } from "../catalog/catalog";
import type { SessionFiles } from "../catalog/session-files";
import { scanRequest } from "../session/scan-request";
import { placesOf } from "./chunk";
import { openIndexFile } from "./index-file";
import { indexSession } from "./index-session";
import { createIndexStore } from "./index-store";

const FIXTURES = fileURLToPath(new URL("../../../e2e/fixtures", import.meta.url));
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
  const found = createIndexStore(file.database).load(files.main.path, "");
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
  const table = new SessionTable(found.table);
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

async function indexAll(dataDir: string, files: SessionFiles) {
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const entry = indexSession(createIndexStore(file.database), await scanRequest(files));
  file.close();
  return entry;
}

describe.each(VERSIONS)("sessions of %s that grow between two runs", (version) => {
  it("end up in the index as if they had been read once", async () => {
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
