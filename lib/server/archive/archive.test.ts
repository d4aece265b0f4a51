import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { Archive } from "./archive";
import { MIN_CHUNK_BYTES, sha256 } from "./chunks";
import type { SourceFile } from "./keep-file";
import { KeptFileReader } from "./kept-file-reader";
import type { KeptFile } from "./manifest";
import { FolderStore } from "./store/folder-store";

/** A root with logs, an archive beside it, and what a reader gets back from that. */
function setUp(files: Record<string, string> = {}) {
  const root = makeTree({});
  const folder = join(makeTree({}), "archive");
  const store = new FolderStore(folder);
  const archive = new Archive(store);
  const at = (name: string) => join(root, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const source = (name: string): SourceFile => {
    return { path: at(name), root, within: root, kind: name.endsWith(".jsonl") ? "log" : "file" };
  };
  const keep = (name: string, moved: KeptFile | null = null) => archive.keep(source(name), undefined, moved);
  const text = (file: KeptFile | null) => {
    if (!file) return null;
    const into = new Uint8Array(file.bytes);
    expect(new KeptFileReader(store).read(file, 0, file.bytes, into)).toBe(file.bytes);
    return Buffer.from(into).toString("utf8");
  };
  const kept = async (name: string) => text(await archive.find(at(name)));
  return { root, folder, store, archive, at, write, keep, text, kept };
}

function lines(from: number, to: number, length = 100): string {
  let text = "";
  for (let n = from; n < to; n++) text += `${JSON.stringify({ n, text: "x".repeat(length + (n % 7)) })}\n`;
  return text;
}

test("a log is kept up to its last whole line, and its rest when that line is whole", async () => {
  const { at, keep, kept } = setUp({ "a.jsonl": "{}\n{" });
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n");
  appendFileSync(at("a.jsonl"), "}\n");
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n{}\n");
});

test("a last line without a newline is kept when nobody continues it", async () => {
  const { at, keep, kept } = setUp({ "a.jsonl": "{}\n{}" });
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(at("a.jsonl"), longAgo, longAgo);
  const torn = await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n{}");
  appendFileSync(at("a.jsonl"), "\n{}\n");
  const whole = await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n{}\n{}\n");
  expect(whole.generation).toBe(torn.generation);
});

test("a last line without a newline is kept also where the log's time lies ahead of the clock", async () => {
  const { at, keep, kept } = setUp({ "a.jsonl": "{}\n{" });
  const ahead = new Date(Date.now() + 400 * 86_400_000);
  utimesSync(at("a.jsonl"), ahead, ahead);
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n{");
  appendFileSync(at("a.jsonl"), "}\n");
  utimesSync(at("a.jsonl"), ahead, ahead);
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("{}\n{}\n");
  const { earlier, generation } = await keep("a.jsonl");
  expect([earlier, generation]).toEqual([null, 0]);
});

test("a file that is no log is kept completely, however it ends", async () => {
  const { keep, kept } = setUp({ "a.meta.json": '{"agentType":"x"}' });
  await keep("a.meta.json");
  expect(await kept("a.meta.json")).toBe('{"agentType":"x"}');
});

test("an empty file is kept", async () => {
  const { keep, kept } = setUp({ "a.jsonl": "" });
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe("");
});

test("long logs are cut into chunks at line ends, and every range is read back", async () => {
  const log = lines(0, 60_000);
  const { store, keep } = setUp({ "a.jsonl": log });
  const file = await keep("a.jsonl");
  expect(file.chunks.length).toBeGreaterThan(4);
  for (const chunk of file.chunks) expect(log[chunk.at + chunk.bytes - 1]).toBe("\n");
  const reader = new KeptFileReader(store, 2 * MIN_CHUNK_BYTES);
  const ranges = [
    [0, 10],
    [MIN_CHUNK_BYTES - 50, MIN_CHUNK_BYTES + 3 * 1024 * 1024],
    [log.length - 5, log.length + 100],
    [log.length, log.length + 5],
  ] as const;
  for (const [from, to] of ranges) {
    const into = new Uint8Array(to - from);
    const read = reader.read(file, from, to, into);
    expect(Buffer.from(into.subarray(0, read)).toString()).toBe(log.slice(from, to));
  }
});

test("a line longer than a chunk is split over several", async () => {
  const log = `${JSON.stringify({ text: "y".repeat(9 * 1024 * 1024) })}\n{}\n`;
  const { keep, kept } = setUp({ "a.jsonl": log });
  const file = await keep("a.jsonl");
  expect(file.chunks.map(({ bytes }) => bytes >> 20)).toEqual([4, 4, 1, 0]);
  expect((await kept("a.jsonl")) === log).toBe(true);
});

test("the text after a long line is in the next chunks", async () => {
  const log = `${JSON.stringify({ text: "y".repeat(2_200_000) })}\n${lines(0, 40_000)}`;
  const { keep, kept } = setUp({ "a.jsonl": log });
  const { chunks } = await keep("a.jsonl");
  for (const chunk of chunks) expect(log[chunk.at + chunk.bytes - 1]).toBe("\n");
  expect((await kept("a.jsonl")) === log).toBe(true);
});

test("a log that grows line by line has few chunks, and each of them grows to a MiB", async () => {
  const { at, keep, kept } = setUp({ "a.jsonl": "" });
  let file: KeptFile | null = null;
  let most = 0;
  for (let n = 0; n < 180; n++) {
    appendFileSync(at("a.jsonl"), lines(n, n + 1, 12_000));
    file = await keep("a.jsonl");
    most = Math.max(most, file.chunks.length);
  }
  expect((await kept("a.jsonl")) === lines0(180)).toBe(true);
  expect(file?.chunks[0]?.bytes).toBeGreaterThanOrEqual(MIN_CHUNK_BYTES);
  expect(file?.chunks[1]?.bytes).toBeGreaterThanOrEqual(MIN_CHUNK_BYTES);
  expect(most).toBeLessThan(16);

  function lines0(to: number): string {
    return Array.from({ length: to }, (_, n) => lines(n, n + 1, 12_000)).join("");
  }
});

test("a log that was cut, replaced or edited in place begins a new generation, and the earlier one stays", async () => {
  const { at, write, keep, kept, archive, text } = setUp({ "a.jsonl": lines(0, 100) });
  await keep("a.jsonl");
  truncateSync(at("a.jsonl"), lines(0, 50).length);
  await keep("a.jsonl");
  write("a.jsonl", lines(500, 700));
  await keep("a.jsonl");
  const edited = lines(500, 700).replace('"n":600', '"n":999');
  write("a.jsonl", edited);
  const newest = await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe(edited);
  const all = await archive.generations(newest);
  expect(all.map((file) => file.generation)).toEqual([3, 2, 1, 0]);
  expect(all.map(text)).toEqual([edited, lines(500, 700), lines(0, 50), lines(0, 100)]);
});

test("the last chunk of a long log that was edited in place keeps its first state when lines are added", async () => {
  const { write, at, keep, kept } = setUp();
  // Beyond 4 MiB only the first and the last KiB are compared.
  const long = lines(0, 50_000) + lines(50_000, 53_000);
  write("a.jsonl", long);
  const first = await keep("a.jsonl");
  const last = first.chunks.at(-1)!;
  expect(last.bytes).toBeGreaterThan(8_000);
  expect(last.bytes).toBeLessThan(MIN_CHUNK_BYTES);
  const edited = Buffer.from(long);
  edited.write("y", last.at + 4_000);
  writeFileSync(at("a.jsonl"), edited);
  appendFileSync(at("a.jsonl"), lines(0, 2_000));
  const grown = await keep("a.jsonl");
  expect(grown.generation).toBe(0);
  expect(await kept("a.jsonl")).toBe(long + lines(0, 2_000));
});

test("nothing is written for a file that has not changed", async () => {
  const { folder, keep, archive, at, root } = setUp({ "a.jsonl": lines(0, 10) });
  const first = await keep("a.jsonl");
  const before = namesBelow(folder);
  expect((await keep("a.jsonl")).hash).toBe(first.hash);
  const source: SourceFile = { path: at("a.jsonl"), root, within: root, kind: "log" };
  expect(await archive.keep(source, first)).toBe(first);
  expect(namesBelow(folder)).toEqual(before);
});

test("a file that was copied over itself stays the same, with its new times", async () => {
  const { write, keep } = setUp({ "a.jsonl": lines(0, 10) });
  const first = await keep("a.jsonl");
  write("a.jsonl", "");
  write("a.jsonl", lines(0, 10));
  const second = await keep("a.jsonl");
  expect(second.generation).toBe(first.generation);
  expect(second.chunks).toEqual(first.chunks);
});

test("a log that was moved keeps its kept chunks", async () => {
  const { at, keep, kept, archive } = setUp({ "projects/old/a.jsonl": lines(0, 100) });
  const before = await keep("projects/old/a.jsonl");
  renameSync(at("projects/old"), at("projects/new"));
  appendFileSync(at("projects/new/a.jsonl"), lines(100, 110));
  const after = await keep("projects/new/a.jsonl", before);
  expect(after.movedFrom).toEqual([before.path]);
  expect(after.generation).toBe(0);
  expect(await kept("projects/new/a.jsonl")).toBe(lines(0, 110));
  expect((await archive.files()).map((file) => file.path)).toEqual([at("projects/new/a.jsonl")]);
});

test("equal short files of different sessions are not taken for each other", async () => {
  const { at, keep, kept } = setUp({ "tasks/one/1.json": "{}", "tasks/two/1.json": "{}" });
  const one = await keep("tasks/one/1.json");
  rmSync(at("tasks/one"), { recursive: true });
  await keep("tasks/two/1.json", one);
  expect(await kept("tasks/one/1.json")).toBe("{}");
  expect(await kept("tasks/two/1.json")).toBe("{}");
});

test("keeping the same file twice at once loses nothing", async () => {
  const { root, at, folder, kept, archive } = setUp({ "a.jsonl": lines(0, 10) });
  const source: SourceFile = { path: at("a.jsonl"), root, within: root, kind: "log" };
  const others = [archive, new Archive(new FolderStore(folder)), new Archive(new FolderStore(folder))];
  const known: (KeptFile | null)[] = [null, null, null];
  for (let n = 10; n < 40; n++) {
    appendFileSync(at("a.jsonl"), lines(n, n + 1));
    const files = await Promise.all(others.map((one, i) => one.keep(source, known[i] ?? null)));
    if (n % 3 === 0) files.forEach((file, i) => (known[i] = file));
    expect(await kept("a.jsonl")).toBe(lines(0, n + 1));
  }
  expect((await archive.find(at("a.jsonl")))?.generation).toBe(0);
});

test("unused objects are collected, and only those", async () => {
  const { at, folder, keep, kept, archive } = setUp({ "a.jsonl": "", "b.jsonl": lines(0, 5) });
  for (let n = 0; n < 50; n++) {
    appendFileSync(at("a.jsonl"), lines(n, n + 1));
    await keep("a.jsonl");
  }
  await keep("b.jsonl");
  expect((await archive.collect()).removed).toBe(0);
  expect((await archive.collect(-1_000)).removed).toBeGreaterThan(40);
  expect(await kept("a.jsonl")).toBe(lines(0, 50));
  expect(await kept("b.jsonl")).toBe(lines(0, 5));
  expect(await archive.verify()).toMatchObject({ files: 2, generations: 2, problems: [] });
  expect(namesBelow(join(folder, "manifests")).length).toBe(2);
  expect(namesBelow(join(folder, "partial"))).toEqual([]);
});

test("an object that is put again while it is collected stays", async () => {
  const { store } = setUp();
  await store.putIfAbsent("chunks/abcdef", Buffer.from("x"), true);
  const [object] = await store.list("chunks/");
  expect(await store.putIfAbsent("chunks/abcdef", Buffer.from("x"), true)).toBe(false);
  expect(await store.remove(["chunks/abcdef"], object?.putAtMs ?? 0)).toEqual(new Set());
  expect(await store.get("chunks/abcdef")).toEqual(Buffer.from("x"));
});

/** A store in which something happens each time before a head is swapped, as another process would do it. */
class InterruptedStore extends FolderStore {
  interrupt = async () => {};

  override async swapHead(...head: Parameters<FolderStore["swapHead"]>): Promise<boolean> {
    await this.interrupt();
    return super.swapHead(...head);
  }
}

test("what is removed as unused before its head is there, since the clock jumped ahead, is put again", async () => {
  const { root, folder, archive } = setUp();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const store = new InterruptedStore(folder);
  const removed: number[] = [];
  store.interrupt = async () => {
    aheadMs += 7_200_000;
    removed.push((await new Archive(new FolderStore(folder), now).collect()).removed);
  };
  // Digits of hashes: packed they are still longer than what waits in memory for its head.
  const path = join(root, "a.jsonl");
  let text = "";
  for (let n = 0; text.length < 2 * MIN_CHUNK_BYTES; n++) text += sha256(`${n}`);
  writeFileSync(path, `${text}\n`);
  const keep = () => new Archive(store, now).keep({ path, root, within: root, kind: "log" });
  await keep();
  appendFileSync(path, `${text.slice(64)}\n`);
  await keep();
  expect(removed).toEqual([1, 1]);
  expect(await archive.verify()).toMatchObject({ files: 1, chunks: 2, mended: 0, problems: [] });
});

test("verify names damaged objects, and files on disk are kept again", async () => {
  const { folder, at, keep, kept, archive } = setUp({ "a.jsonl": lines(0, 5), "b.jsonl": lines(5, 9) });
  const file = await keep("a.jsonl");
  await keep("b.jsonl");
  const [chunk] = file.chunks;
  writeFileSync(join(folder, "manifests", file.hash.slice(0, 2), file.hash.slice(2)), "{}");
  rmSync(join(folder, "chunks", chunk?.hash.slice(0, 2) ?? "", chunk?.hash.slice(2) ?? ""));
  expect((await archive.verify()).problems).toHaveLength(1);
  expect((await archive.files()).map(({ path }) => path)).toEqual([at("b.jsonl")]);
  await keep("a.jsonl");
  expect(await kept("a.jsonl")).toBe(lines(0, 5));
  expect((await archive.verify()).problems).toEqual([]);
});

test("a manifest of another hand that is no JSON, leads elsewhere or asks for all memory is damaged, and the rest is read", async () => {
  const { at, keep, archive, store } = setUp({ "a.jsonl": lines(0, 3), "b.jsonl": lines(0, 4) });
  await keep("a.jsonl");
  const { hash: _, ...sound } = await keep("b.jsonl");
  const path = `${dirname(at("b.jsonl"))}/x/../../b.jsonl`;
  const [chunk] = sound.chunks;
  const huge = { ...sound, bytes: 2 ** 31, chunks: [{ ...chunk, bytes: 2 ** 31 }] };
  for (const text of ["no JSON", JSON.stringify({ ...sound, path }), JSON.stringify(huge)]) {
    const bytes = Buffer.from(text);
    await store.putIfAbsent(`manifests/${sha256(bytes)}`, bytes, true);
    const name = `files/${sha256(at("b.jsonl"))}`;
    expect(await store.swapHead(name, await store.readHead(name), sha256(bytes))).toBe(true);
    expect((await archive.files()).map((file) => file.path)).toEqual([at("a.jsonl")]);
    await expect(archive.find(at("b.jsonl"))).rejects.toMatchObject({ code: "archive-damaged" });
    expect((await archive.verify()).problems).toHaveLength(1);
  }
});

test("verify repairs a damaged chunk from its file, and names it if the file has other bytes now", async () => {
  const { folder, at, write, keep, kept, archive } = setUp({
    "a.jsonl": lines(0, 5),
    "b.jsonl": lines(5, 9),
  });
  for (const name of ["a.jsonl", "b.jsonl"]) {
    const [chunk] = (await keep(name)).chunks;
    writeFileSync(
      join(folder, "chunks", chunk?.hash.slice(0, 2) ?? "", chunk?.hash.slice(2) ?? ""),
      "damaged",
    );
  }
  appendFileSync(at("a.jsonl"), lines(9, 12));
  write("b.jsonl", lines(50, 60));
  const { mended, problems } = await archive.verify();
  expect(mended).toBe(1);
  expect(problems).toEqual([expect.stringContaining(at("b.jsonl"))]);
  expect(await kept("a.jsonl")).toBe(lines(0, 5));
  expect(await archive.verify()).toMatchObject({ mended: 0, problems: [expect.any(String)] });
});

test("a head is swapped by a writer who knew it, and is empty after it was cleared", async () => {
  const { store } = setUp();
  expect(await store.swapHead("files/abcdef", null, "one")).toBe(true);
  expect(await store.swapHead("files/abcdef", null, "two")).toBe(false);
  expect(await store.swapHead("files/abcdef", "one", "two")).toBe(true);
  expect(await store.swapHead("files/abcdef", "one", "three")).toBe(false);
  expect([...(await store.readHeads("files/"))]).toEqual([["files/abcdef", "two"]]);
  expect(await store.swapHead("files/abcdef", "two", null)).toBe(true);
  expect(await store.readHead("files/abcdef")).toBeNull();
  expect([...(await store.readHeads("files/"))]).toEqual([]);
  expect(await store.swapHead("files/abcdef", null, "four")).toBe(true);
  expect(await store.readHead("files/abcdef")).toBe("four");
});

test("a head that is a link to its object is read and swapped like one that only contains its hash", async () => {
  const { store } = setUp();
  const bytes = Buffer.from("x".repeat(100));
  const hash = sha256(bytes);
  await store.putIfAbsent(`manifests/${hash}`, bytes, true);
  expect(await store.swapHead("files/abcdef", null, "one")).toBe(true);
  expect(await store.swapHead("files/abcdef", "one", hash, `manifests/${hash}`)).toBe(true);
  expect(await store.readHead("files/abcdef")).toBe(hash);
  expect(await store.remove([`manifests/${hash}`], Number.POSITIVE_INFINITY)).toEqual(
    new Set([`manifests/${hash}`]),
  );
  expect([...(await store.readHeads("files/"))]).toEqual([["files/abcdef", hash]]);
  expect(await store.swapHead("files/abcdef", hash, hash, `manifests/${hash}`)).toBe(true);
  expect(await store.readHead("files/abcdef")).toBe(hash);
});

test.skipIf(process.platform === "win32")("folders and files are for their user alone", async () => {
  const { folder, keep } = setUp({ "a.jsonl": lines(0, 5) });
  await keep("a.jsonl");
  const modes = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map((name) => {
    const stats = statSync(join(folder, name));
    return `${stats.isDirectory() ? "folder" : "file"} ${(stats.mode & 0o777).toString(8)}`;
  });
  expect([...new Set(modes)].sort()).toEqual(["file 600", "folder 700"]);
});

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

test("every reader of an archive hears that it was changed on request, and that files are kept is no such change", async () => {
  const { archive, folder, keep } = setUp({ "a.jsonl": "{}\n" });
  const other = new Archive(new FolderStore(folder));
  await keep("a.jsonl");
  expect(await other.lastChange()).toBeNull();
  await archive.announceChange();
  const first = await other.lastChange();
  expect(first).not.toBeNull();
  await other.announceChange();
  expect([await archive.lastChange()]).not.toEqual([first]);
});
