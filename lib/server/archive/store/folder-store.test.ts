import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { FolderStore } from "./folder-store";

const NAMES = Array.from({ length: 40 }, (_, n) => `chunks/${String(n).padStart(64, "0")}`);
const bytesOf = (name: string) => Buffer.from(`bytes of ${name}`);
const ALWAYS = Number.POSITIVE_INFINITY;

function isThere(store: FolderStore, name: string): boolean {
  return Buffer.from(store.getSync(name) ?? "").equals(bytesOf(name));
}

async function setUp() {
  const folder = join(makeTree({}), "archive");
  const store = new FolderStore(folder);
  const put = async (names: readonly string[] = NAMES, head = "files/abcdef") => {
    for (const name of names) await store.putIfAbsent(name, bytesOf(name), false);
    expect(await store.swapHead(head, null, "one")).toBe(true);
  };
  const batches = () => readdirSync(join(folder, "batches"), { recursive: true, encoding: "utf8" });
  const there = (from = new FolderStore(folder)) => NAMES.filter((name) => isThere(from, name));
  return { folder, store, put, batches, there };
}

test("many objects that are put before a head are in one file, and another store finds them when the head exists", async () => {
  const { store, put, folder, batches, there } = await setUp();
  const other = new FolderStore(folder);
  for (const name of NAMES) expect(await store.putIfAbsent(name, bytesOf(name), false)).toBe(true);
  expect(await store.putIfAbsent(NAMES[0] ?? "", bytesOf(NAMES[0] ?? ""), false)).toBe(false);
  expect(there(store)).toEqual(NAMES);
  expect(there(other)).toEqual([]);
  await put();
  expect(batches()).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(["batches", "files", "partial"]);
  expect(there(other)).toEqual(NAMES);
  const listed = await other.list("chunks/");
  expect(listed.map(({ name }) => name)).toEqual(NAMES);
  expect(listed.every(({ name, storedBytes }) => storedBytes === bytesOf(name).length)).toBe(true);
  expect(await other.list("manifests/")).toEqual([]);
});

test("a few objects, and long ones, have files of their own", async () => {
  const { folder, store, put } = await setUp();
  await put(NAMES.slice(0, 3));
  for (const name of NAMES.slice(3, 30)) await store.putIfAbsent(name, Buffer.alloc(1 << 20, "x"), false);
  expect(await store.swapHead("files/other", null, "one")).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(["chunks", "files", "partial"]);
  expect((await new FolderStore(folder).list("chunks/")).length).toBe(30);
});

test("no more objects wait for a head than may stay in memory", async () => {
  const { folder, store } = await setUp();
  const padded = (name: string) => Buffer.concat([bytesOf(name), Buffer.alloc(500_000)]);
  for (const name of NAMES) expect(await store.putIfAbsent(name, padded(name), false)).toBe(true);
  // What waits is read like what is written, and so often as it is asked for.
  const isPadded = (from: FolderStore, name: string) =>
    Buffer.from(from.getSync(name) ?? "").equals(padded(name));
  for (let times = 0; times < 2; times++) expect(NAMES.filter((name) => !isPadded(store, name))).toEqual([]);
  expect(new Set(readdirSync(folder))).toEqual(new Set(["chunks", "partial"]));
  const early = (await new FolderStore(folder).list("chunks/")).map(({ name }) => name);
  expect(early.length).toBeGreaterThan(20);
  expect(early.length).toBeLessThan(30);
  expect(await store.swapHead("files/abcdef", null, "one")).toBe(true);
  expect(NAMES.filter((name) => !isPadded(new FolderStore(folder), name))).toEqual([]);
});

test("objects are removed from a batch, and its other objects stay", async () => {
  const { put, folder, store, batches, there } = await setUp();
  const other = new FolderStore(folder);
  await put();
  expect(there(other)).toEqual(NAMES);
  const gone = NAMES.slice(0, 10);
  const [batch = ""] = batches();
  const putAtMs = statSync(join(folder, "batches", batch)).mtimeMs;
  expect(await store.remove(gone, putAtMs)).toEqual(new Set());
  expect(there(other)).toEqual(NAMES);
  expect(await store.remove(gone, ALWAYS)).toEqual(new Set(gone));
  for (const reader of [store, other, new FolderStore(folder)])
    expect(there(reader)).toEqual(NAMES.slice(10));
  const text = readFileSync(join(folder, "batches", batches()[0] ?? ""), "utf8");
  for (const name of gone) expect(text).not.toContain(name);
  // A store that knew the removed batch writes its objects again.
  expect(await other.putIfAbsent(gone[0] ?? "", bytesOf(gone[0] ?? ""), true)).toBe(true);
  expect(await other.putIfAbsent(NAMES[20] ?? "", bytesOf(NAMES[20] ?? ""), true)).toBe(false);
  expect(await store.remove(NAMES, ALWAYS)).toEqual(new Set(NAMES));
  expect(there()).toEqual([]);
});

test("an object of a batch that is put again stays, with its other objects", async () => {
  const { put, store, batches, folder, there } = await setUp();
  await put();
  const [batch = ""] = batches();
  const longAgoMs = statSync(join(folder, "batches", batch)).mtimeMs;
  await new Promise((later) => setTimeout(later, 20));
  expect(await new FolderStore(folder).putIfAbsent(NAMES[3] ?? "", bytesOf(NAMES[3] ?? ""), false)).toBe(
    false,
  );
  expect(await store.remove(NAMES, longAgoMs + 1)).toEqual(new Set());
  expect(there()).toEqual(NAMES);
});

test("what a process that died had moved aside is read, and restored", async () => {
  const { put, folder, batches, there } = await setUp();
  await put();
  const [batch = ""] = batches();
  const aside = join(folder, "batches", "aside", batch);
  mkdirSync(dirname(aside));
  renameSync(join(folder, "batches", batch), aside);
  expect(there()).toEqual(NAMES);
  new FolderStore(folder).recover(Date.now());
  expect(batches().sort()).toEqual(["aside", batch].sort());
  expect(there()).toEqual(NAMES);
});

test("if the beginning of a batch is damaged, its end lists its contents", async () => {
  const { put, folder, batches, there } = await setUp();
  await put();
  const path = join(folder, "batches", batches()[0] ?? "");
  const bytes = readFileSync(path);
  for (const at of [3, 200]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    expect(there()).toEqual(NAMES);
  }
  // Cut off: then the beginning does.
  writeFileSync(path, bytes.subarray(0, -100));
  expect(there()).toEqual(NAMES);
  writeFileSync(path, bytes.subarray(0, 100));
  expect(there()).toEqual([]);
});

test("objects that could not be written are written before the next head", async () => {
  const { folder, store, there } = await setUp();
  mkdirSync(folder);
  // No folder can be made for what is written.
  writeFileSync(join(folder, "partial"), "");
  for (const name of NAMES.slice(0, 20)) await store.putIfAbsent(name, bytesOf(name), false);
  const swapping = store.swapHead("files/abcdef", null, "one");
  await expect(swapping).rejects.toThrow("partial");
  expect(await store.readHead("files/abcdef")).toBeNull();
  expect(there(store)).toEqual(NAMES.slice(0, 20));
  for (const name of NAMES.slice(20)) await store.putIfAbsent(name, bytesOf(name), false);
  expect(there(store)).toEqual(NAMES);
  rmSync(join(folder, "partial"));
  expect(await store.swapHead("files/other", null, "two")).toBe(true);
  expect(there()).toEqual(NAMES);
});

test("the memory of a batch is reused for the next one, without changing what was written", async () => {
  const { folder, store } = await setUp();
  for (let round = 0; round < 5; round++) {
    const objects = new Map(
      Array.from({ length: 20 }, (_, n) => {
        const bytes = Buffer.alloc(1000 * (round + 1) * (n + 1), `${round} ${n} `);
        return [`chunks/${"0".repeat(60)}${round}${String(n).padStart(3, "0")}`, bytes];
      }),
    );
    for (const [name, bytes] of objects) await store.putIfAbsent(name, Uint8Array.from(bytes), false);
    expect(await store.swapHead(`files/round${round}`, null, "one")).toBe(true);
    const other = new FolderStore(folder);
    for (const [name, bytes] of objects) expect(bytes.equals(other.getSync(name) ?? Buffer.of())).toBe(true);
  }
});

test("heads that are swapped with a batch share a file, and can be swapped again", async () => {
  const { folder, store } = await setUp();
  const heads = NAMES.map((_, n) => `files/${String(n).padStart(6, "0")}`);
  const swap = async (head: string, n: number) => {
    const name = NAMES[n] ?? "";
    await store.putIfAbsent(name, bytesOf(name), false);
    return store.swapHead(head, null, `says ${n}`);
  };
  const twice = store.swapHead(heads[5] ?? "", null, "another");
  const swapped = await Promise.all(heads.map(swap));
  expect(swapped.filter(Boolean).length + Number(await twice)).toBe(heads.length);
  const other = new FolderStore(folder);
  const says = await other.readHeads("files/");
  for (const [n, head] of heads.entries()) {
    expect(says.get(head)).toBe(swapped[n] ? `says ${n}` : "another");
    expect(await other.readHead(head)).toBe(says.get(head));
  }
  expect(
    new Set(heads.map((head) => statSync(join(folder, "files/00", `${head.slice(8)}.1`)).ino)).size,
  ).toBeLessThan(4);
  expect(readdirSync(join(folder, "partial"))).toEqual([]);
  expect(await other.swapHead(heads[1] ?? "", null, "late")).toBe(false);
  expect(await other.swapHead(heads[1] ?? "", "says 1", "next")).toBe(true);
  expect(await store.swapHead(heads[2] ?? "", "says 2", null)).toBe(true);
  expect([...(await store.readHeads("files/"))].length).toBe(heads.length - 1);
  expect(await store.readHead(heads[1] ?? "")).toBe("next");
  expect(await store.readHead(heads[2] ?? "")).toBeNull();
  expect(await store.readHead(heads[3] ?? "")).toBe("says 3");
});

test("heads that are swapped while a batch is written follow those of the next", async () => {
  const { folder, store, there } = await setUp();
  const keep = async (name: string) => {
    await store.putIfAbsent(name, bytesOf(name), false);
    const swapped = await store.swapHead(`files/${name.slice(-6)}`, null, "one");
    return swapped && isThere(new FolderStore(folder), name);
  };
  expect(await Promise.all(NAMES.map(keep))).toEqual(NAMES.map(() => true));
  expect(there()).toEqual(NAMES);
});
