import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { bundleThread, bundleThreads, READING_THREADS } from "./thread-files.mjs";

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

it("the threads of a first reading become one file each", async () => {
  const { folder, textsOf } = chunksOf([...READING_THREADS, "lib/server/search/search.worker.ts"]);
  await bundleThreads(folder);
  expect(textsOf("lib/server/search/search.worker.ts")).toEqual([BY_NEXT, BY_NEXT]);
  for (const source of READING_THREADS) {
    const [text, ...others] = textsOf(source);
    expect(text).not.toContain("[turbopack]_runtime");
    expect(others).toEqual([text]);
    // All of zod with its languages is more than twice as much as any of them.
    expect(text).not.toMatch(/caractères/);
  }
}, 60_000);

it("a thread that Next has given no file is named", async () => {
  const { folder } = chunksOf(READING_THREADS.slice(1));
  await expect(bundleThreads(folder)).rejects.toThrow(`${READING_THREADS[0]} has no file`);
});

it("a thread that starts another is refused: Next knows the file of that one", async () => {
  await expect(bundleThread("lib/server/archive/archive.worker.ts")).rejects.toThrow("archive.worker.ts");
});

it("the thread that reads logs answers out of its one file", async () => {
  const folder = temporaryFolder();
  const thread = join(folder, "read.js");
  writeFileSync(thread, await bundleThread("lib/server/index/read.worker.ts"));
  const root = join(folder, "projects", "-shop");
  mkdirSync(root, { recursive: true });
  const path = join(root, `${ID}.jsonl`);
  const line = { type: "user", uuid: ID, message: { role: "user", content: "Make the cart work" } };
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  const worker = new Worker(thread, { workerData: { archive: null } });
  onTestFinished(async () => void (await worker.terminate()));
  const answered = new Promise<unknown>((resolve, reject) => {
    worker.on("message", (said: { kind: string }) => {
      if (said.kind !== "started") resolve(said);
    });
    worker.once("error", reject);
  });
  const files = [{ path, key: "m", agentId: null }];
  const logs = [{ key: "m", agentId: null, meta: null }];
  worker.postMessage({ id: 1, task: { request: { root, files, logs }, wantsTexts: true } });
  const { kind, answer } = (await answered) as { kind: string; answer: { chunks: { texts: Uint8Array }[] } };
  expect(kind).toBe("done");
  expect(answer.chunks.map(({ texts }) => Buffer.from(texts).toString())).toEqual(["Make the cart work"]);
}, 60_000);
