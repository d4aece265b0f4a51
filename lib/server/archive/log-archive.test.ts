import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Archive } from "./archive";
import { ArchiveWorker } from "./archive-task";
import { KeptFileReader } from "./kept-file-reader";
import { LogArchive, openLogArchive, READING_LEAVES_A_CORE } from "./log-archive";
import { FolderStore } from "./store/folder-store";

const SOON = { batchMs: 5, lookAfterMs: 20, retryMs: 20 };
const LOG = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
const AGENT = `projects/-home-dev-shop/${uuid(1)}/subagents/agent-a1.jsonl`;

const FILES = {
  [LOG]: [prompt("one")],
  [AGENT]: [prompt("two")],
  [AGENT.replace(".jsonl", ".meta.json")]: ["{}"],
  [`projects/-home-dev-shop/${uuid(1)}/tool-results/toolu_1.txt`]: ["text"],
  [`projects/-home-dev-shop/memory/MEMORY.md`]: ["notes"],
  [`todos/${uuid(1)}-agent-${uuid(1)}.json`]: ["[]"],
  [`tasks/${uuid(1)}/1.json`]: ["{}"],
  [`file-history/${uuid(1)}/0123456789abcdef@v1`]: ["before"],
  "plans/patient-tuning-hopper.md": ["# Plan"],
  "history.jsonl": [{ display: "one" }],
};
const OTHERS = { "settings.json": ["{}"], ".credentials.json": ["secret"], "sessions/1.json": ["{}"] };

function setUp({
  files = { ...FILES, ...OTHERS },
  folder = "",
}: {
  files?: typeof FILES;
  folder?: string;
} = {}) {
  const root = makeTree(files);
  const place = folder || join(makeTree({}), "archive");
  const archives: LogArchive[] = [];
  onTestFinished(() => {
    for (const archive of archives) archive.stop();
  });
  const open = (times = SOON) => {
    const archive = openLogArchive(place, [{ path: root, kind: "config" }], times);
    archives.push(archive);
    return archive;
  };
  const kept = (name: string) => {
    const reader = new KeptFileReader(new FolderStore(place));
    const file = reader.find(join(root, name));
    if (!file) return null;
    const into = new Uint8Array(file.bytes);
    reader.read(file, 0, file.bytes, into);
    return Buffer.from(into).toString("utf8");
  };
  return { root, folder: place, open, kept };
}

async function filled(archive: LogArchive, files: number) {
  archive.fill();
  await expect.poll(async () => (await archive.status()).files).toBe(files);
  return archive.status();
}

test("keeping begins during the first reading if that leaves a core, otherwise after it", async () => {
  const { open, folder } = setUp();
  const archive = open();
  let end: () => void = () => undefined;
  let list: () => void = () => undefined;
  const listing = new Promise<void>((resolve) => {
    list = resolve;
  });
  const reading = new Promise<void>((_, reject) => {
    end = () => reject(new Error("The index cannot be written"));
  });
  reading.catch(() => undefined);
  expect((await archive.status()).filling).toBeNull();
  let isKept = false;
  const keeping = archive.begin(listing, reading).then(() => {
    isKept = true;
  });
  // Whoever waits until all is kept does not take it for done before it began.
  expect((await archive.status()).filling).toMatchObject({ filesTotal: 0 });
  const steps = READING_LEAVES_A_CORE ? [list] : [list, end];
  for (const step of steps) {
    await new Promise((later) => setTimeout(later, 50));
    expect([existsSync(folder), isKept]).toEqual([false, false]);
    step();
  }
  await keeping;
  await expect.poll(async () => (await archive.status()).files).toBe(Object.keys(FILES).length);
  await expect.poll(async () => (await archive.status()).filling).toBeNull();
  end();
});

test("everything that belongs to sessions is kept, and nothing else of the folder", async () => {
  const { open, kept, folder } = setUp();
  const status = await filled(open(), Object.keys(FILES).length);
  for (const [name, lines] of Object.entries(FILES)) expect(kept(name), name).toBe(toText(lines));
  for (const name of Object.keys(OTHERS)) expect(kept(name), name).toBeNull();
  expect(status).toMatchObject({ enabled: true, path: folder, keptOnly: 0, problems: [] });
  expect(status.storedBytes).toBeGreaterThan(0);
});

test("lines written while it watches are kept, and removed sessions count as only kept", async () => {
  const { root, open, kept } = setUp();
  const archive = open();
  await filled(archive, Object.keys(FILES).length);
  appendFileSync(join(root, LOG), toText([prompt("three")]));
  archive.touch(join(root, LOG));
  await expect.poll(() => kept(LOG)).toBe(toText([prompt("one"), prompt("three")]));
  rmSync(join(root, "projects"), { recursive: true });
  // While everything is looked through, the number is that of before.
  await expect.poll(async () => (await archive.status()).keptOnly).toBe(1);
  expect(kept(LOG)).toBe(toText([prompt("one"), prompt("three")]));
});

test("a change starts a check for files that no watch reports", async () => {
  const { root, open, kept } = setUp();
  const archive = open();
  await filled(archive, Object.keys(FILES).length);
  const todos = `todos/${uuid(1)}-agent-${uuid(1)}.json`;
  writeFileSync(join(root, todos), '[{"content":"buy"}]');
  archive.touch(join(root, LOG));
  await expect.poll(() => kept(todos)).toBe('[{"content":"buy"}]');
});

test("a project that was left out is not kept, nor are its sessions' todos", async () => {
  const { open } = setUp();
  const archive = open();
  archive.saveSettings({
    enabled: true,
    leftOut: ["/home/dev/shop"],
    maxStoredBytes: null,
    maxAgeDays: null,
  });
  expect((await filled(archive, 2)).problems).toEqual([]);
});

test("rules that cannot be written are a fault of the folder, and a bug stays one", () => {
  const rules = { enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: null };
  const belowAFile = join(makeTree({ file: ["text"] }), "file", "archive");
  expect(() => setUp({ folder: belowAFile }).open().saveSettings(rules)).toThrow(
    "The archive’s folder cannot be written",
  );
  expect(() =>
    setUp()
      .open()
      .saveSettings({ ...rules, maxStoredBytes: 1n as never }),
  ).toThrow(TypeError);
});

test("nothing is kept while it is off, and everything when it is on again", async () => {
  const { open } = setUp();
  const archive = open();
  const off = { enabled: false, leftOut: [], maxStoredBytes: null, maxAgeDays: null };
  archive.saveSettings(off);
  expect(archive.settings()).toEqual(off);
  archive.touch(LOG);
  expect(await filled(archive, 0)).toMatchObject({ enabled: false, files: 0 });
  archive.saveSettings({ ...off, enabled: true });
  await filled(archive, Object.keys(FILES).length);
});

test("old files are left out by the rule for age", async () => {
  const { root, open, kept } = setUp();
  const longAgo = new Date(Date.now() - 3 * 86_400_000);
  utimesSync(join(root, AGENT), longAgo, longAgo);
  const archive = open();
  archive.saveSettings({ enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: 1 });
  await filled(archive, Object.keys(FILES).length - 1);
  expect(kept(AGENT)).toBeNull();
});

test("at its limit it reports that, keeps no more, and continues when the limit is raised", async () => {
  const { open } = setUp();
  const archive = open();
  archive.saveSettings({ enabled: true, leftOut: [], maxStoredBytes: 1, maxAgeDays: null });
  await expect.poll(() => archive.warnings.map(({ code }) => code)).toEqual(["archive-full"]);
  expect(archive.warnings[0]?.message).toBe(
    "The archive has reached its limit of 1 B: new lines are not kept",
  );
  expect((await archive.status()).files).toBe(1);
  archive.saveSettings({ enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: null });
  await filled(archive, Object.keys(FILES).length);
  expect(archive.warnings).toEqual([]);
});

test("if its folder cannot be created it reports that once, and keeps when it can", async () => {
  const outside = makeTree({ archive: ["a file"] });
  const { open } = setUp({ folder: join(outside, "archive") });
  const archive = open();
  archive.fill();
  await expect.poll(() => archive.warnings.map(({ code }) => code)).toEqual(["archive-unwritable"]);
  expect((await archive.status()).problems).toHaveLength(1);
  rmSync(join(outside, "archive"));
  await expect.poll(() => archive.warnings).toEqual([]);
  await filled(archive, Object.keys(FILES).length);
});

test("while its thread cannot be started it reports that, and keeps when it can", async () => {
  const { root, folder } = setUp();
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
  const thread = { isBroken: true };
  const said = vi.spyOn(console, "error");
  const archive = new LogArchive(
    folder,
    async (task) => {
      if (thread.isBroken) throw new ViewerError("thread-not-started", "no threads", { status: 503 });
      return { status: await worker.do(task, () => undefined), kept: worker.takeNews() };
    },
    SOON,
  );
  onTestFinished(() => archive.stop());
  await archive.listed();
  archive.fill();
  await expect
    .poll(() => archive.warnings.map(({ code, message }) => `${code}: ${message}`))
    .toEqual(["archive-waiting: New lines are not kept in the archive: no threads"]);
  thread.isBroken = false;
  await expect.poll(() => archive.warnings).toEqual([]);
  await filled(archive, Object.keys(FILES).length);
  expect(said).not.toHaveBeenCalled();
});

test("links are not followed out of the folder", async () => {
  const { root, open, kept } = setUp();
  const outside = makeTree({ "secret.jsonl": [prompt("secret")] });
  symlinkSync(join(outside, "secret.jsonl"), join(root, dirname(LOG), "secret.jsonl"));
  symlinkSync(outside, join(root, "projects", "-outside"));
  await filled(open(), Object.keys(FILES).length);
  expect(kept(join(dirname(LOG), "secret.jsonl"))).toBeNull();
});

// Root may read everything.
const isUser = process.getuid !== undefined && process.getuid() !== 0;
test.skipIf(!isUser)("an unreadable log is named, and all others are kept", async () => {
  const { root, open } = setUp();
  chmodSync(join(root, LOG), 0);
  const status = await filled(open(), Object.keys(FILES).length - 1);
  expect(status.problems.map(({ code }) => code)).toEqual(["archive-unread"]);
});

test("a loose folder's logs are kept with what belongs to them", async () => {
  const root = makeTree({
    "a.jsonl": [prompt("one")],
    "a/subagents/agent-b.jsonl": [prompt("two")],
    "a/tool-results/x.txt": ["text"],
    "notes.txt": ["no log"],
    "node_modules/x.jsonl": ["{}"],
  });
  const folder = join(makeTree({}), "archive");
  const archive = openLogArchive(folder, [{ path: root, kind: "loose" }], SOON);
  onTestFinished(() => archive.stop());
  await filled(archive, 3);
  const names = (await new Archive(new FolderStore(folder)).files()).map(({ path }) =>
    path.slice(root.length),
  );
  expect(names.sort()).toEqual(["/a.jsonl", "/a/subagents/agent-b.jsonl", "/a/tool-results/x.txt"]);
});

test("without a folder nothing is kept and nothing is written", async () => {
  const { root } = setUp();
  const before = readdirSync(root, { recursive: true }).length;
  const none = new LogArchive(null, null);
  none.fill();
  none.touch(join(root, LOG));
  expect(await none.status()).toMatchObject({ enabled: false, path: null });
  expect(() => none.settings()).toThrow("without an archive");
  expect(readdirSync(root, { recursive: true }).length).toBe(before);
  expect(existsSync(join(root, "archive"))).toBe(false);
});

test("a changed file is kept by one task at a time, also while everything is checked", async () => {
  const { root, folder, kept } = setUp();
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
  const keep = (paths: string[] | null) => worker.do({ kind: "keep", paths }, () => undefined);
  await keep(null);
  const swaps = vi.spyOn(FolderStore.prototype, "swapHead");
  onTestFinished(() => swaps.mockRestore());
  const log = join(root, LOG);
  for (const text of ["two", "three", "four"]) {
    appendFileSync(log, toText([prompt(text)]));
    await Promise.all([keep([log]), keep(null)]);
  }
  expect(swaps).toHaveBeenCalledTimes(3);
  expect(kept(LOG)).toBe(toText(["one", "two", "three", "four"].map((text) => prompt(text))));
  // Lines written since the other task began are kept by the task for the change.
  const other = keep(null);
  appendFileSync(log, toText([prompt("five")]));
  await keep([log]);
  expect(kept(LOG)).toContain("five");
  await other;
});
