import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { bundleThread, bundleThreads, listThreads } from "./thread-files.mjs";

const ID = "11111111-1111-4111-8111-111111111111";
const BY_NEXT = 'var R=require("./[turbopack]_runtime.js")';

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-threads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Chunks as Next names them, two of each thread: it has one for routes and one for the start. */
function chunksOf(threads: readonly string[]) {
  const folder = temporaryFolder();
  const named = (source: string, hash: string) =>
    `[worker thread]-${source.replaceAll(/\W/g, "_")}_${hash}._.js`;
  for (const source of threads)
    for (const hash of ["06t6k-m0abi55", "13k1dmb8epu96"])
      writeFileSync(join(folder, named(source, hash)), BY_NEXT);
  return {
    folder,
    textsOf: (source: string) =>
      ["06t6k-m0abi55", "13k1dmb8epu96"].map((hash) =>
        readFileSync(join(folder, named(source, hash)), "utf8"),
      ),
  };
}

it("threads become one file each, but for one that starts another", async () => {
  const threads = listThreads();
  const { folder, textsOf } = chunksOf(threads);
  await bundleThreads(folder);
  const asNextMadeThem = threads.filter((source) => textsOf(source).some((text) => text === BY_NEXT));
  expect(asNextMadeThem).toEqual(["lib/server/archive/archive.worker.ts"]);
  for (const source of threads) expect(new Set(textsOf(source)).size).toBe(1);
  // All of zod with its languages is more than twice as much as any of them.
  for (const source of threads) expect(textsOf(source)[0]).not.toMatch(/caractères/);
}, 60_000);

it("a thread that Next has given no file is named", async () => {
  const [, ...others] = listThreads();
  const { folder } = chunksOf(others);
  await expect(bundleThreads(folder)).rejects.toThrow("lib/server/archive/archive.worker.ts has no file");
});

it("the thread that reads logs answers out of its one file", async () => {
  const folder = temporaryFolder();
  const thread = join(folder, "read.js");
  writeFileSync(thread, (await bundleThread("lib/server/index/read.worker.ts")) ?? "");
  const root = join(folder, "projects", "-shop");
  mkdirSync(root, { recursive: true });
  const path = join(root, `${ID}.jsonl`);
  const line = { type: "user", uuid: ID, message: { role: "user", content: "Make the cart work" } };
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  const worker = new Worker(thread, { workerData: { archive: null } });
  onTestFinished(async () => void (await worker.terminate()));
  const answered = new Promise<unknown>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  const files = [{ path, key: "m", agentId: null }];
  const logs = [{ key: "m", agentId: null, meta: null }];
  worker.postMessage({ id: 1, task: { request: { root, files, logs }, wantsTexts: true } });
  const { kind, answer } = (await answered) as { kind: string; answer: { chunks: { texts: Uint8Array }[] } };
  expect(kind).toBe("done");
  expect(answer.chunks.map(({ texts }) => Buffer.from(texts).toString())).toEqual(["Make the cart work"]);
}, 60_000);
