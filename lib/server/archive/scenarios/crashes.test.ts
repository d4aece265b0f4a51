import { execFile } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { bundleProgram } from "@/lib/testing/programs/run-program";
import { runs, seededRandom } from "@/lib/testing/runs";
import { Archive } from "../archive";
import { chunkName } from "../chunks";
import { KeptFileReader } from "../kept-file-reader";
import { type KeptFile, manifestName } from "../manifest";
import { FolderStore } from "../store/folder-store";

const NAMES = [
  ...[1, 2, 3, 4].map((n) => `projects/-home-dev-shop/${uuid(n)}.jsonl`),
  `projects/-home-dev-shop/${uuid(1)}/subagents/agent-a1.jsonl`,
  `projects/-home-dev-shop/${uuid(1)}/subagents/agent-a1.meta.json`,
  `projects/-home-dev-shop/${uuid(2)}/tool-results/toolu_1.txt`,
  `todos/${uuid(1)}-agent-${uuid(1)}.json`,
];
const KILLS = runs(8, 25);
const MAX_STEPS = 90;
const OFTEN_CHANGED = 3;

test("whatever happens to the logs and wherever keeping is killed, every kept line can be read back", async () => {
  const random = seededRandom(1717);
  const program = await bundleProgram("keep-files", makeTree({}));
  for (let rounds = runs(1, 24); rounds > 0; rounds--) expect(await killOften(program, random)).toEqual([]);
});

test("wherever the first keeping of many files, or the collection after it, is killed, nothing is lost", async () => {
  const random = seededRandom(2718);
  const program = await bundleProgram("keep-files", makeTree({}));
  for (let rounds = runs(1, 24); rounds > 0; rounds--) expect(await killFirst(program, random)).toEqual([]);
});

/** Keeps many short files, which share batches; then some grow and some are replaced, and the rest is collected. */
async function killFirst(program: string, random: (below: number) => number): Promise<string[]> {
  const names = Array.from({ length: 30 }, (_, n) => `projects/-home-dev-shop/${uuid(n + 1)}.jsonl`);
  const root = makeTree(Object.fromEntries(names.map((name) => [name, [{ name }]])));
  const folder = join(makeTree({}), "archive");
  const kept = new Remembered(root, folder);
  const keepAll = async (mode: string, most: number) => {
    for (let attempts = random(5) + 1; attempts > 0; attempts--) {
      if ((await keep(program, root, folder, random(most) + 1, mode)) === "done") break;
      const lost = await kept.lost();
      if (lost.length > 0) return lost;
    }
    await keep(program, root, folder, 0, "");
    kept.remember();
    return kept.lost();
  };
  const lost = await keepAll("", MAX_STEPS);
  if (readdirSync(join(folder, "batches")).length === 0) return ["no batch was written"];
  for (const name of names.slice(20)) appendFileSync(join(root, name), `${JSON.stringify({ name })}\n`);
  for (const name of names.slice(0, 5))
    writeFileSync(join(root, name), `${JSON.stringify({ other: name })}\n`);
  lost.push(...(await keepAll("collect", 2 * MAX_STEPS)));
  await keep(program, root, folder, 0, "collect");
  return [...lost, ...(await kept.lost()), ...(await kept.needless())];
}

/**
 * One folder of logs and its archive, over which keeping is killed so often that every place of it is met. Returns
 * what was lost, and what is left that nothing needs.
 */
async function killOften(program: string, random: (below: number) => number): Promise<string[]> {
  const root = makeTree({ "projects/x/y.jsonl": [] });
  const folder = join(makeTree({}), "archive");
  const logs = new RandomLogs(root, random);
  const kept = new Remembered(root, folder);
  for (let killed = 0; killed < KILLS; ) {
    for (let n = random(OFTEN_CHANGED) + 1; n > 0; n--) logs.change();
    const two = random(6) === 0;
    const mode = !two && random(4) === 0 ? "collect" : "";
    // Early steps more often than late ones: most changes take few.
    const step = () => random(random(MAX_STEPS) + 1) + 1;
    const killAt = random(10) === 0 ? 0 : step();
    const ended = await Promise.all([
      keep(program, root, folder, killAt, mode),
      ...(two ? [keep(program, root, folder, step(), "")] : []),
    ]);
    killed += ended.filter((one) => one === "killed").length;
    if (ended.includes("done")) kept.remember();
    const lost = await kept.lost();
    if (lost.length > 0) return lost;
  }
  await keep(program, root, folder, 0, "collect");
  kept.remember();
  return [...(await kept.lost()), ...(await kept.needless())];
}

/** Resolves to how the program ended. Rejects where it failed by itself. */
function keep(
  program: string,
  root: string,
  folder: string,
  killAt: number,
  mode: string,
): Promise<"done" | "killed"> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, root, folder, String(killAt), mode], (error, stdout, stderr) => {
      if (stdout === "done") resolve("done");
      else if (error?.signal === "SIGKILL") resolve("killed");
      else reject(new Error(`The program ended with ${error?.code}: ${stderr}`));
    });
  });
}

/** A folder of logs to which things are done at random. */
class RandomLogs {
  readonly #root: string;
  readonly #random: (below: number) => number;
  #lines = 0;

  constructor(root: string, random: (below: number) => number) {
    this.#root = root;
    this.#random = random;
  }

  change(): void {
    const path = this.#path(NAMES);
    const size = sizeOf(path);
    const done = [
      () => this.#append(path),
      () => this.#append(path),
      () => this.#append(path),
      // A line that is written in two pieces.
      () => this.#append(path, -5),
      () => size !== null && truncateSync(path, this.#random(size)),
      () => this.#write(path, this.#text()),
      () => this.#edit(path, size),
      () => size !== null && rmSync(path),
      () => size !== null && this.#move(path),
      () => size !== null && this.#age(path),
    ];
    done[this.#random(done.length)]?.();
  }

  /** One of those that were moved, or the one of a name. */
  #path(names: readonly string[]): string {
    return join(this.#root, names[this.#random(names.length)] ?? "");
  }

  /** A few lines, and now and then a few hundred kilobytes of them. */
  #text(): string {
    let text = "";
    const length = this.#random(8) === 0 ? 3_000 : 60;
    for (let n = this.#random(length === 60 ? 6 : 200) + 1; n > 0; n--)
      text += `${JSON.stringify({ n: this.#lines++, text: "x".repeat(this.#random(length)) })}\n`;
    return text;
  }

  #append(path: string, cut?: number): void {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, this.#text().slice(0, cut));
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    if (this.#random(2) === 0) writeFileSync(path, text);
    else {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    }
  }

  /** Changes a byte in place, and may append. */
  #edit(path: string, size: number | null): void {
    if (!size) return;
    const bytes = readFileSync(path);
    const at = this.#random(size);
    if (bytes[at] !== 0x0a) bytes[at] = 0x41 + this.#random(26);
    writeFileSync(path, bytes);
    if (this.#random(2) === 0) this.#append(path);
  }

  /** Renames the project, or the file. */
  #move(path: string): void {
    const folder = join(this.#root, "projects", "-home-dev-shop");
    if (this.#random(2) === 0 && sizeOf(folder) !== null) {
      const target = join(this.#root, "projects", "-home-dev-store");
      rmSync(target, { recursive: true, force: true });
      renameSync(folder, target);
    } else
      renameSync(path, this.#path(NAMES.filter((name) => dirname(join(this.#root, name)) === dirname(path))));
  }

  /** As if nobody had written to it for a while: an unfinished line will not be finished. */
  #age(path: string): void {
    const atMs = Date.now() - 120_000 - this.#random(1_000_000);
    utimesSync(path, new Date(atMs), new Date(atMs));
  }
}

/** What was kept of each path, and whether it comes back. */
class Remembered {
  readonly #root: string;
  readonly #folder: string;
  readonly #contents = new Map<string, Buffer[]>();

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** Keeping has ended: all whole lines of now are kept. */
  remember(): void {
    for (const name of readdirSync(this.#root, { recursive: true, encoding: "utf8" })) {
      const path = join(this.#root, name);
      if (!statSync(path).isFile()) continue;
      const bytes = readFileSync(path);
      const whole = path.endsWith(".jsonl") ? bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1) : bytes;
      const known = (this.#contents.get(path) ?? []).filter((one) => !startsWith(whole, one));
      this.#contents.set(path, [...known, whole]);
    }
  }

  /** What was kept and comes back neither from the same path, nor from where its file was moved to; what is damaged. */
  async lost(): Promise<string[]> {
    const archive = new Archive(new FolderStore(this.#folder));
    const { problems } = await archive.verify();
    const byPath = new Map<string, Uint8Array[]>();
    for (const file of await archive.files()) {
      const contents = (await archive.generations(file)).map((one) => this.#read(one));
      for (const path of [file.path, ...file.movedFrom])
        byPath.set(path, [...(byPath.get(path) ?? []), ...contents]);
    }
    for (const [path, contents] of this.#contents) {
      const kept = byPath.get(path) ?? [];
      for (const content of contents)
        if (!kept.some((one) => startsWith(one, content)))
          problems.push(`${path}: ${content.toString("utf8", 0, 300)}`);
    }
    return problems;
  }

  /** What the store holds after a collection and its heads do not need. */
  async needless(): Promise<string[]> {
    const store = new FolderStore(this.#folder);
    const archive = new Archive(store);
    const needed = new Set<string>();
    for (const file of await archive.files()) {
      for (const { hash, chunks } of await archive.generations(file)) {
        needed.add(manifestName(hash));
        for (const chunk of chunks) needed.add(chunkName(chunk.hash));
      }
    }
    const stored = [...(await store.list("chunks/")), ...(await store.list("manifests/"))];
    const aside = await store.list("removed/");
    return [
      ...[...stored, ...aside].map(({ name }) => name).filter((name) => !needed.has(name)),
      ...readdirSync(join(this.#folder, "partial")),
    ];
  }

  #read(file: KeptFile): Uint8Array {
    const into = new Uint8Array(file.bytes);
    new KeptFileReader(new FolderStore(this.#folder)).read(file, 0, file.bytes, into);
    return into;
  }
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return Buffer.compare(bytes.subarray(0, beginning.length), beginning) === 0;
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
