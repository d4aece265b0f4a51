import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Archive } from "./archive";
import { ARCHIVE_COMMANDS, copyArchive } from "./archive-commands";
import { type ArchiveStatus, ArchiveWorker } from "./archive-task";
import { broughtTo } from "./brought-in";
import { sha256 } from "./chunks";
import { KeptFileReader } from "./kept-file-reader";
import type { KeptFile } from "./manifest";
import { FolderStore } from "./store/folder-store";

const ONE = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
const TWO = `projects/-home-dev-store/${uuid(2)}.jsonl`;

const FILES = {
  [ONE]: [prompt("one")],
  [ONE.replace(".jsonl", "/subagents/agent-a.jsonl")]: [prompt("agent")],
  [TWO]: [prompt("two")],
  [`todos/${uuid(1)}-agent-${uuid(1)}.json`]: ["[]"],
};

function keep(root: string, folder: string): Promise<ArchiveStatus> {
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
  return worker.do({ kind: "keep", paths: null }, () => undefined);
}

const newFolder = () => join(makeTree({}), "archive");
const archiveIn = (folder: string) => new Archive(new FolderStore(folder));

function text(folder: string, file: KeptFile): string {
  const into = new Uint8Array(file.bytes);
  new KeptFileReader(new FolderStore(folder)).read(file, 0, file.bytes, into);
  return Buffer.from(into).toString("utf8");
}

async function contents(folder: string): Promise<string[]> {
  const archive = archiveIn(folder);
  const all = [];
  for (const file of await archive.files())
    for (const one of await archive.generations(file)) all.push(`${one.path} ${text(folder, one)}`);
  return all.sort();
}

test("a copy has every file with its generations, and copying it again changes nothing", async () => {
  const root = makeTree(FILES);
  const [from, to] = [newFolder(), newFolder()];
  await keep(root, from);
  writeFileSync(join(root, ONE), toText([prompt("anew")]));
  await keep(root, from);
  expect(ARCHIVE_COMMANDS.mayHold(to)).toBe(true);
  expect((await ARCHIVE_COMMANDS.copy(from, to)).files).toBe(4);
  expect(await contents(to)).toEqual(await contents(from));
  expect(ARCHIVE_COMMANDS.mayHold(to)).toBe(true);
  await ARCHIVE_COMMANDS.copy(from, to);
  expect(await contents(to)).toEqual(await contents(from));
  expect((await ARCHIVE_COMMANDS.verify(to, () => undefined)).problems).toEqual([]);
});

test("what is removed as unused before a copy is named, since a file took long, is copied again", async () => {
  const root = makeTree({});
  const [from, to] = [newFolder(), newFolder()];
  let text = "";
  for (let n = 0; text.length < 1_500_000; n++) text += sha256(`${n}`);
  const path = join(root, ONE);
  mkdirSync(dirname(path), { recursive: true });
  for (const more of ["", "edited"]) {
    writeFileSync(path, `${more}${text}\n`);
    await keep(root, from);
  }
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const removed: number[] = [];
  const store = new FolderStore(to);
  const swapHead = store.swapHead.bind(store);
  store.swapHead = async (...head) => {
    aheadMs += 300_000;
    removed.push((await new Archive(new FolderStore(to), now).collect(120_000)).removed);
    return swapHead(...head);
  };
  await copyArchive(archiveIn(from), new Archive(store, now), (file) => file);
  expect(removed).toEqual([2]);
  expect(await contents(to)).toEqual(await contents(from));
});

test("two archives with the same path are merged, the one last written on top", async () => {
  const root = makeTree(FILES);
  const [from, to] = [newFolder(), newFolder()];
  await keep(root, to);
  rmSync(join(root, ONE));
  writeFileSync(join(root, ONE), toText([prompt("from another machine")]));
  utimesSync(join(root, ONE), new Date(), new Date(Date.now() + 5_000));
  await keep(root, from);
  await ARCHIVE_COMMANDS.copy(from, to);
  const newest = await archiveIn(to).find(join(root, ONE));
  const all = newest ? await archiveIn(to).generations(newest) : [];
  expect(all.map((file) => text(to, file))).toEqual([
    toText([prompt("from another machine")]),
    toText([prompt("one")]),
  ]);
  expect((await ARCHIVE_COMMANDS.verify(to, () => undefined)).problems).toEqual([]);
  // The machine's own log goes on from there.
  appendFileSync(join(root, ONE), toText([prompt("more")]));
  expect((await keep(root, to)).problems).toEqual([]);
  expect((await archiveIn(to).find(join(root, ONE)))?.bytes).toBe(
    toText([prompt("from another machine"), prompt("more")]).length,
  );
});

/** Has a stored object hold other bytes, as a disk that forgets does. */
function damage(folder: string, kind: "chunks" | "manifests", hash: string): void {
  writeFileSync(join(folder, kind, hash.slice(0, 2), hash.slice(2)), "damaged");
}

async function keptIn(folder: string, path: string): Promise<KeptFile> {
  const file = await archiveIn(folder).find(path);
  if (!file) throw new Error(`Nothing is kept of ${path}`);
  return file;
}

test("files of another machine get this one's paths, and stay the same files", async () => {
  const there = makeTree(FILES);
  const [from, to] = [newFolder(), newFolder()];
  await keep(there, from);
  writeFileSync(join(there, ONE), toText([prompt("anew")]));
  await keep(there, from);
  const before = await contents(from);
  // Here is no such folder, and this home is called otherwise.
  rmSync(there, { recursive: true });
  const home = makeTree({ [TWO]: [prompt("two")] });
  await keep(home, to);
  for (let time = 0; time < 2; time++) {
    const { files, fresh, moved, stayed } = await ARCHIVE_COMMANDS.bringIn(from, to, home);
    // One of them is the same here.
    expect({ files, moved, stayed }).toEqual({ files: 4, moved: 4, stayed: [] });
    expect(fresh).toBe(time === 0 ? 3 : 0);
    expect(await contents(to)).toEqual(before.map((one) => one.replaceAll(there, home)).sort());
  }
  expect((await ARCHIVE_COMMANDS.verify(to, () => undefined)).problems).toEqual([]);
  expect(await keep(home, to)).toMatchObject({ files: 4, keptOnly: 1, problems: [] });
  // A backup goes back to where it was, also while that disk is away.
  const backup = newFolder();
  await ARCHIVE_COMMANDS.copy(to, backup);
  rmSync(home, { recursive: true });
  expect(await ARCHIVE_COMMANDS.bringIn(backup, to, makeTree({}))).toMatchObject({
    moved: 0,
    stayed: [{ root: home, why: "in-archive", files: 4, sessions: [join(home, ONE), join(home, TWO)] }],
  });
});

test("a folder that files stay in is told as one word of a command, whatever another machine calls it", async () => {
  const disk = makeTree({});
  const there = join(disk, "Ann's logs; ls");
  cpSync(makeTree({ [ONE]: [prompt("one")] }), there, { recursive: true });
  const from = newFolder();
  await keep(there, from);
  const { stayed } = await ARCHIVE_COMMANDS.bringIn(from, newFolder(), null);
  expect(stayed.map(({ root, rootWord }) => [root, rootWord])).toEqual([
    [there, process.platform === "win32" ? `'${disk}\\Ann''s logs; ls'` : `'${disk}/Ann'\\''s logs; ls'`],
  ]);
});

test("files of Windows, and files of no configuration folder", async () => {
  const { placed, whyStays } = broughtTo("/home/b/.claude", []);
  const pathOf = (root: string, path: string) => placed({ root, path } as KeptFile).path;
  const folder = "C:\\Users\\a\\.claude";
  expect(pathOf(folder, `${folder}\\projects\\C--dev-shop\\1a.jsonl`)).toBe(
    join("/home/b/.claude/projects/C--dev-shop/1a.jsonl"),
  );
  for (const path of ["/nowhere/logs/1a.jsonl", "/elsewhere/projects/-a/1a.jsonl"])
    expect(pathOf("/nowhere/logs", path)).toBe(path);
  expect(whyStays({ root: "/nowhere/logs", path: "/nowhere/logs/1a.jsonl" } as KeptFile)).toBe("no-config");
});

test("each file that keeps its path has its own reason", () => {
  const inRoot = (root: string, path = "projects/-a/1a.jsonl") =>
    ({ root, path: `${root}/${path}` }) as KeptFile;
  const here = makeTree({}).replaceAll("\\", "/");
  const { placed, whyStays } = broughtTo("/home/b/.claude", [inRoot("/unmounted/.claude")]);
  const files = [
    inRoot("/home/a/.claude"),
    inRoot(here),
    inRoot("/unmounted/.claude"),
    inRoot("/home/a/logs", "1a.jsonl"),
  ];
  expect(files.map(whyStays)).toEqual([null, "on-disk", "in-archive", "no-config"]);
  expect(files.map((file) => placed(file) === file)).toEqual([false, true, true, true]);
  // Where logs alone are read, there is no folder to move anything to.
  const nowhere = broughtTo(null, []);
  expect(files.map(nowhere.whyStays)).toEqual(["no-home", "on-disk", "no-home", "no-config"]);
  expect(files.map((file) => nowhere.placed(file) === file)).toEqual([true, true, true, true]);
});

test("damaged objects are repaired when a copy of the archive is brought in", async () => {
  const root = makeTree(FILES);
  const [folder, backup] = [newFolder(), newFolder()];
  await keep(root, folder);
  await ARCHIVE_COMMANDS.copy(folder, backup);
  const file = await keptIn(folder, join(root, ONE));
  damage(folder, "chunks", file.chunks[0]?.hash ?? "");
  damage(folder, "manifests", (await keptIn(folder, join(root, TWO))).hash);
  for (const path of [ONE, TWO]) rmSync(join(root, path));
  expect((await ARCHIVE_COMMANDS.verify(folder, () => undefined)).problems).toHaveLength(2);
  await ARCHIVE_COMMANDS.copy(backup, folder);
  expect((await ARCHIVE_COMMANDS.verify(folder, () => undefined)).problems).toEqual([]);
  expect(text(folder, file)).toBe(toText([prompt("one")]));
});

test("damaged objects of an archive do not prevent keeping the same files where it was brought in", async () => {
  const root = makeTree(FILES);
  const [from, to] = [newFolder(), newFolder()];
  await keep(root, from);
  damage(from, "chunks", (await keptIn(from, join(root, ONE))).chunks[0]?.hash ?? "");
  // There the log has another path, and the same bytes.
  await ARCHIVE_COMMANDS.copy(from, to);
  const other = makeTree(FILES);
  await keep(other, to);
  expect(text(to, await keptIn(to, join(other, ONE)))).toBe(toText([prompt("one")]));
});

test("a copy says what it leaves out since it is damaged, until it has that from elsewhere", async () => {
  const root = makeTree(FILES);
  const [from, backup, to] = [newFolder(), newFolder(), newFolder()];
  await keep(root, from);
  const before = await keptIn(from, join(root, ONE));
  writeFileSync(join(root, ONE), toText([prompt("anew")]));
  await keep(root, from);
  await ARCHIVE_COMMANDS.copy(from, backup);
  expect((await ARCHIVE_COMMANDS.copy(from, backup)).leftOut).toEqual([]);
  const two = await keptIn(from, join(root, TWO));
  const { chunks } = await keptIn(from, join(root, ONE));
  damage(from, "manifests", before.hash);
  damage(from, "manifests", two.hash);
  damage(from, "chunks", chunks[0]?.hash ?? "");
  const { files, leftOut } = await ARCHIVE_COMMANDS.copy(from, to);
  expect(files).toBe(3);
  expect(leftOut).toEqual([
    `The chunk ${chunks[0]?.hash} is damaged or missing, of ${join(root, ONE)}`,
    `The manifest ${before.hash} is damaged, an earlier state of ${join(root, ONE)}`,
    `files/${sha256(join(root, TWO))}: Its head names no manifest`,
  ]);
  expect((await ARCHIVE_COMMANDS.bringIn(from, newFolder(), null)).leftOut).toEqual(leftOut);
  // Of what a damaged head named it is not known whether it is there.
  expect((await ARCHIVE_COMMANDS.copy(from, backup)).leftOut).toEqual(leftOut.slice(2));
  await ARCHIVE_COMMANDS.copy(backup, from);
  expect((await ARCHIVE_COMMANDS.copy(from, to)).leftOut).toEqual([]);
});

test("a damaged earlier manifest does not prevent copying the rest", async () => {
  const root = makeTree(FILES);
  const [from, to] = [newFolder(), newFolder()];
  await keep(root, from);
  const before = await keptIn(from, join(root, ONE));
  writeFileSync(join(root, ONE), toText([prompt("anew")]));
  await keep(root, from);
  damage(from, "manifests", before.hash);
  for (let time = 0; time < 2; time++) expect((await ARCHIVE_COMMANDS.copy(from, to)).files).toBe(4);
  expect(text(to, await keptIn(to, join(root, ONE)))).toBe(toText([prompt("anew")]));
});

/** Folders above a configuration folder that are named like those in it, or like a session. */
const ABOVE = [
  "projects/dotfiles",
  "workflows",
  "subagents/tool-results",
  uuid(7),
  `projects/-home-dev-shop/${uuid(1)}`,
];

test.each(ABOVE)("sessions are distinguished and found by their project below %s", async (above) => {
  const named = Object.entries(FILES).map(([path, lines]) => [`${above}/claude/${path}`, lines] as const);
  const root = join(makeTree(Object.fromEntries(named)), above, "claude");
  const folder = newFolder();
  expect((await keep(root, folder)).keptOnly).toBe(0);
  const list = async (...words: string[]) =>
    (await ARCHIVE_COMMANDS.listRemoval(folder, { words, olderThanDays: null })).map(
      ({ id, project, files }) => `${id.slice(-1)} ${project} ${files}`,
    );
  expect(await list(uuid(1))).toEqual(["1 -home-dev-shop 3"]);
  expect(await list("/home/dev/store")).toEqual(["2 -home-dev-store 1"]);
  rmSync(join(root, TWO));
  expect((await keep(root, folder)).keptOnly).toBe(1);
});

test("sessions are found by their project if the folder of projects is a link", async () => {
  const elsewhere = makeTree({ [ONE.replace("projects", "logs")]: [prompt("one")] });
  const root = makeTree({});
  symlinkSync(join(elsewhere, "logs"), join(root, "projects"));
  const folder = newFolder();
  await keep(root, folder);
  const found = await ARCHIVE_COMMANDS.listRemoval(folder, {
    words: ["/home/dev/shop"],
    olderThanDays: null,
  });
  expect(found.map(({ id }) => id)).toEqual([uuid(1)]);
});

test("a folder with other contents is refused for a copy", () => {
  expect(ARCHIVE_COMMANDS.mayHold(makeTree({ "letters.txt": ["x"] }))).toBe(false);
});

test("a removal selects sessions by id, project and age, and removes everything that is kept of them", async () => {
  const root = makeTree(FILES);
  const folder = newFolder();
  await keep(root, folder);
  rmSync(join(root, ONE));
  rmSync(join(root, ONE.replace(".jsonl", "")), { recursive: true });
  const list = async (words: string[], olderThanDays: number | null = null) =>
    (await ARCHIVE_COMMANDS.listRemoval(folder, { words, olderThanDays })).map(
      ({ id, project, files, isGone }) => `${id.slice(-1)} ${project} ${files} ${isGone ? "gone" : "there"}`,
    );
  const one = "1 -home-dev-shop 3 gone";
  const two = "2 -home-dev-store 1 there";
  expect(await list([uuid(1)])).toEqual([one]);
  expect(await list(["/home/dev/store"])).toEqual([two]);
  expect((await list([uuid(1), "-home-dev-store"])).sort()).toEqual([one, two]);
  expect(await list([], 1)).toEqual([]);
  expect((await list([], 0)).sort()).toEqual([one, two]);
  expect(await list(["nothing"])).toEqual([]);
  await ARCHIVE_COMMANDS.remove(folder, { words: [uuid(1)], olderThanDays: null });
  expect(await contents(folder)).toEqual([`${join(root, TWO)} ${toText([prompt("two")])}`]);
});

test("agents' logs beside a session that only name it in their lines (up to 2.0.76) are removed with it", async () => {
  const agent = (of: number, text: string) => [prompt(text, { isSidechain: true, sessionId: uuid(of) })];
  const beside = (name: string) => `projects/-home-dev-shop/agent-${name}.jsonl`;
  const root = makeTree({
    ...{ [ONE]: [prompt("one")], [beside("a1")]: agent(1, "look"), [beside("b2")]: agent(3, "other") },
    [beside("c3")]: [{ ...prompt("unknown"), sessionId: 7 }],
  });
  const folder = newFolder();
  await keep(root, folder);
  rmSync(join(root, ONE));
  for (const name of ["a1", "b2"]) rmSync(join(root, beside(name)));
  // The session with its agent, and what is left of another.
  expect((await keep(root, folder)).keptOnly).toBe(2);
  const what = { words: [uuid(1)], olderThanDays: null };
  const listed = await ARCHIVE_COMMANDS.listRemoval(folder, what);
  expect(listed.map(({ id, files }) => [id, files])).toEqual([[uuid(1), 2]]);
  await ARCHIVE_COMMANDS.remove(folder, what);
  expect((await archiveIn(folder).files()).map(({ path }) => path).sort()).toEqual(
    [beside("b2"), beside("c3")].map((path) => join(root, path)),
  );
});
