import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type TextChunk, textsOf } from "@/lib/server/index/chunk";
import { openIndexFile } from "@/lib/server/index/index-file";
import { IndexStore } from "@/lib/server/index/index-store";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, toText } from "@/lib/testing/log-tree";
import { bundleProgram, REPO } from "@/lib/testing/programs/run-program";
import { fixtureFolder } from "@/lib/testing/recorded";
import { runs, seededRandom } from "@/lib/testing/runs";

const KILLS = runs(6, 1_000);

it(`holds what the logs say after ${KILLS} kills in the middle of its work`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, "claude");
  const dataDir = join(folder, "data");
  for (const version of ["2.0.76", "2.1.42", "2.1.330"])
    cpSync(fixtureFolder(version), tree, { recursive: true });
  const program = await bundleProgram("index-library", folder);
  const env = { ...process.env, BACKSCROLL_PACKAGE_ROOT: REPO };
  const start = (): ChildProcess =>
    spawn(process.execPath, [program, tree, dataDir], { stdio: ["ignore", "pipe", "inherit"], env });
  const logs = (await sessionsIn(tree)).map(({ main }) => main.path);
  const random = seededRandom(7);

  let killed = 0;
  for (let round = 0; killed < KILLS; round++) {
    // Work to do: an index to begin, or logs that have grown.
    if (random(4) === 0) rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir, { recursive: true });
    for (let grown = 0; grown < 6; grown++)
      appendFileSync(
        logs[random(logs.length)] as string,
        toText([answer(`round ${round} ${grown}`, { uuid: `${round}-${grown}` })]),
      );
    const child = start();
    // Before anything is awaited: it may end by itself, and does so once.
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await new Promise((resolve) => child.stdout?.once("data", resolve).once("end", resolve));
    await wait(random(40));
    if (child.exitCode === null && child.kill("SIGKILL")) killed += 1;
    await ended;
  }

  await new Promise((resolve) => start().once("exit", resolve));
  const cold = join(folder, "cold");
  mkdirSync(cold);
  writeFileSync(join(cold, "note"), "");
  const index = openLibraryIndex(cold);
  await index.open();
  for (const files of await sessionsIn(tree)) await index.index(files);
  index.stop();
  expect(contentOf(dataDir)).toEqual(contentOf(cold));
  expect(readdirSync(dataDir).filter((name) => name.includes("damaged"))).toEqual([]);
});

async function sessionsIn(path: string) {
  const catalog = new Catalog([{ path, kind: "config" }]);
  await catalog.list();
  return catalog.summaries().map(({ id }) => catalog.sessionFiles(id));
}

/** All sessions with their numbers, and every text, in an order that does not depend on when it was read. */
function contentOf(dataDir: string) {
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const store = new IndexStore(file.database);
  expect(store.check()).toBeNull();
  const chunksOf = file.database.prepare("SELECT places, texts FROM chunks WHERE session = ?");
  const entries = store.entries().map(({ row, entry }) => {
    const chunks = chunksOf.all(row) as Pick<TextChunk, "places" | "texts">[];
    const texts = chunks.flatMap((chunk) => textsOf(chunk).map((text) => JSON.stringify(text)));
    return { entry, texts: texts.sort() };
  });
  file.close();
  return entries.sort((a, b) => ((a.entry.files[0]?.path ?? "") < (b.entry.files[0]?.path ?? "") ? -1 : 1));
}
