import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { Archive } from "./archive";
import { writeArchiveSettings } from "./archive-settings";
import { ArchiveWorker } from "./archive-task";
import { GroupKeeper } from "./group-keeper";
import type { FileToKeep } from "./keep-group";
import { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

const NAMES = Array.from({ length: 9 }, (_, n) => `projects/-home-dev-shop/log-${n}.jsonl`);
const LOG_BYTES = 6_000_000;

/** Logs that are much to keep at once, and a worker with help that does its groups or fails with them. */
function setUp(
  helpWith: (keeper: GroupKeeper, group: readonly FileToKeep[]) => ReturnType<GroupKeeper["keep"]>,
) {
  const root = makeTree({});
  const folder = join(makeTree({}), "archive");
  for (const name of NAMES) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${JSON.stringify({ name })}\n`.repeat(LOG_BYTES / 50));
  }
  const helped: string[] = [];
  let started = 0;
  let stopped = 0;
  const start = () => {
    const keeper = new GroupKeeper(folder);
    started += 1;
    return {
      keep: (group: readonly FileToKeep[]) => {
        helped.push(...group.map(({ source }) => source.path));
        return helpWith(keeper, group);
      },
      stop: () => {
        stopped += 1;
      },
    };
  };
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] }, start);
  const keep = (paths: readonly string[] | null = null) =>
    worker.do({ kind: "keep", paths }, () => undefined);
  return { root, folder, keep, helped, starts: () => [started, stopped], worker };
}

test("many files at once are kept by two threads, and each knows what the other has kept", async () => {
  const { root, folder, keep, helped, starts, worker } = setUp((keeper, group) => keeper.keep(group));
  const status = await keep();
  expect(helped.length).toBeGreaterThan(0);
  expect(helped.length).toBeLessThan(NAMES.length);
  expect(starts()).toEqual([1, 1]);
  expect(status).toMatchObject({ files: NAMES.length, failed: false, problems: [] });
  expect(status.storedBytes).toBe((await MeasuredStore.of(new FolderStore(folder))).storedBytes);
  expect(worker.takeNews().files.map(([path]) => path)).toEqual(
    expect.arrayContaining(NAMES.map((name) => join(root, name))),
  );
  expect(await new Archive(new FolderStore(folder)).verify()).toMatchObject({
    files: NAMES.length,
    generations: NAMES.length,
    problems: [],
  });
  // Nothing is due any more, and no help is asked for.
  expect(await keep()).toMatchObject({ files: NAMES.length, bytes: status.bytes });
  expect(starts()).toEqual([1, 1]);
});

test("a new line of long logs needs no help", async () => {
  const { root, keep, starts } = setUp((keeper, group) => keeper.keep(group));
  const { bytes } = await keep();
  const paths = NAMES.map((name) => join(root, name));
  const line = `${JSON.stringify({ name: "new" })}\n`;
  for (const path of paths) appendFileSync(path, line);
  expect(await keep(paths)).toMatchObject({ bytes: bytes + NAMES.length * line.length });
  expect(starts()).toEqual([1, 1]);
});

test("if a helper fails its groups are kept without it, and the errors of that are reported", async () => {
  const gone = setUp(() => Promise.reject(new Error("The thread ended with code 1")));
  expect(await gone.keep()).toMatchObject({ files: NAMES.length, failed: false, problems: [] });
  expect(gone.starts()).toEqual([1, 1]);
  const full = setUp(() => Promise.reject(new Error("ENOSPC")));
  mkdirSync(full.folder);
  writeFileSync(join(full.folder, "partial"), "");
  expect(await full.keep()).toMatchObject({
    files: 0,
    failed: true,
    problems: [{ code: "archive-unwritable" }],
  });
  expect(full.starts()).toEqual([1, 1]);
});

test("a log that was removed since it was listed is no problem for a helper", async () => {
  let isRemoved = false;
  const { root, keep } = setUp((keeper, group) => {
    const [first] = group;
    if (!isRemoved && first) rmSync(first.source.path);
    isRemoved = true;
    return keeper.keep(group);
  });
  expect(await keep()).toMatchObject({ files: NAMES.length - 1, failed: false, problems: [] });
  expect(await keep([join(root, NAMES[0] ?? "")])).toMatchObject({ failed: false, problems: [] });
});

test("a log that moves on is known again, though another of its name was looked at in its place", async () => {
  const name = `${uuid(1)}.jsonl`;
  const root = makeTree({ [`projects/-a/${name}`]: [prompt("first ".repeat(400))] });
  const [first, other, last] = ["-a", "-b", "-c"].map((project) => join(root, "projects", project, name));
  const aside = join(makeTree({}), name);
  const folder = join(makeTree({}), "archive");
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
  const keep = () => worker.do({ kind: "keep", paths: null }, () => undefined);
  const move = (from = "", to = "") => {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  };
  await keep();
  move(first, aside);
  mkdirSync(dirname(other ?? ""));
  writeFileSync(other ?? "", `${JSON.stringify(prompt("another"))}\n`);
  await keep();
  move(aside, last);
  await keep();
  const files = await new Archive(new FolderStore(folder)).files();
  expect(Object.fromEntries(files.map(({ path, movedFrom }) => [path, movedFrom]))).toEqual({
    [other ?? ""]: [],
    [last ?? ""]: [first],
  });
});

describe("a project that is left out", () => {
  const OPEN = `projects/-work-open/${uuid(1)}.jsonl`;
  const SECRET = `projects/-work-secret/${uuid(2)}.jsonl`;
  const BACKUP = `file-history/${uuid(2)}/abc@v1`;
  const TODOS = [uuid(1), uuid(2)].map((id) => `todos/${id}-agent-${id}.json`);

  /** What is kept of a configuration folder at a place, after each change of it. */
  function setUp(place: string, linked = false) {
    const names = [OPEN, SECRET, BACKUP, ...TODOS, "plans/merry-hen.md"];
    const top = makeTree(Object.fromEntries(names.map((name) => [`${place}/${name}`, [prompt(name)]])));
    const root = join(top, place);
    if (linked) {
      renameSync(join(root, "projects"), join(top, "logs"));
      symlinkSync(join(top, "logs"), join(root, "projects"));
    }
    const folder = join(makeTree({}), "archive");
    writeArchiveSettings(folder, RULES);
    const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
    const kept = async (paths: readonly string[] | null = null) => {
      await worker.do({ kind: "keep", paths }, () => undefined);
      const files = await new Archive(new FolderStore(folder)).files();
      return files.map(({ path }) => path.slice(top.length + 1).replace(`${place}/`, "")).sort();
    };
    return { root, folder, kept, worker };
  }

  const RULES = { enabled: true, leftOut: ["/work/secret"], maxStoredBytes: null, maxAgeDays: null };
  const REST = ["plans/merry-hen.md", OPEN, TODOS[0]];

  test("is not kept, nor is anything else, if the rules cannot be read, and the reader is told", async () => {
    const { folder, kept, worker } = setUp("home/.claude");
    for (const damaged of ["", '{"leftOut": "/work/secret"}']) {
      writeFileSync(join(folder, "settings.json"), damaged);
      expect(await kept()).toEqual([]);
      const { problems, failed } = await worker.do({ kind: "status" }, () => undefined);
      expect([problems.map(({ code }) => code), failed]).toEqual([["archive-settings-damaged"], true]);
    }
    writeArchiveSettings(folder, RULES);
    expect(await kept()).toEqual(REST);
    expect(await worker.do({ kind: "status" }, () => undefined)).toMatchObject({
      problems: [],
      failed: false,
    });
  });

  test.each([
    "home/.claude",
    "projects/dotfiles/claude",
    `${uuid(2)}/claude`,
    "projects/-work-secret/claude",
  ])("is not kept, and all else is, with the folder at %s", async (place) => {
    const { root, kept } = setUp(place);
    expect(await kept()).toEqual(REST);
    expect(await kept([join(root, SECRET), join(root, OPEN)])).toEqual(REST);
  });

  test.each([
    ["with a small drive", "C:\\work\\secret", "c--work-secret"],
    ["cut", `/work/${"deep/".repeat(60)}`, `-work-${"deep-".repeat(60).slice(0, 194)}-1k9xz`],
  ])("is not kept where its folder's name is %s (2.1.330)", async (_, directory, name) => {
    const { root, folder, kept } = setUp("claude");
    renameSync(join(root, "projects/-work-secret"), join(root, "projects", name));
    writeArchiveSettings(folder, { ...RULES, leftOut: [directory] });
    expect(await kept()).toEqual(REST);
  });

  test("is not kept if the folder of projects is a link", async () => {
    const { kept } = setUp("claude", true);
    expect(await kept()).toEqual([OPEN.replace("projects", "logs"), REST[0], REST[2]]);
  });

  test("does not keep files left over from sessions whose logs were deleted, before or after the first check", async () => {
    const { root, kept } = setUp("claude");
    rmSync(join(root, SECRET));
    expect(await kept()).toEqual(REST);
    // What is kept tells whose todos these are.
    rmSync(join(root, OPEN));
    writeFileSync(join(root, TODOS[0] ?? ""), "[1]");
    expect(await kept()).toEqual(REST);
  });
});

/** As somebody who may not read everything. */
async function asUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

const hasModes = process.platform !== "win32";

test.skipIf(!hasModes)("a file that could not be read and was deleted is no problem any more", () =>
  asUser(async () => {
    const names = [uuid(1), uuid(2), uuid(3)].map((id) => `projects/-a/${id}.jsonl`);
    const root = makeTree(Object.fromEntries(names.map((name) => [name, [prompt(name)]])));
    const [first = "", second = "", third = ""] = names.map((name) => join(root, name));
    for (const path of [first, second, third]) chmodSync(path, 0);
    const folder = join(makeTree({}), "archive");
    const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
    const problems = async (paths: readonly string[] | null) => {
      const status = await worker.do({ kind: "keep", paths }, () => undefined);
      return status.problems.map(({ message }) => message);
    };
    expect(await problems(null)).toEqual(["3 files are not kept: Permission denied"]);
    rmSync(first);
    expect(await problems([first])).toEqual(["2 files are not kept: Permission denied"]);
    rmSync(second);
    expect(await problems(null)).toEqual(["1 file is not kept: Permission denied"]);
    rmSync(third);
    expect(await problems(null)).toEqual([]);
  }),
);

test("which sessions are gone is counted again only after a while where to count them takes long", async () => {
  const id = uuid(1);
  const root = makeTree({ [`projects/-a/${id}.jsonl`]: [prompt("p")] });
  const folder = join(makeTree({}), "archive");
  const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
  const ask = async (task: Parameters<typeof worker.do>[0]) =>
    (await worker.do(task, () => undefined)).keptOnly;
  // Whoever looks at the clock finds it a tenth of a second later.
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
  onTestFinished(() => clock.mockRestore());
  expect(await ask({ kind: "keep", paths: null })).toBe(0);
  rmSync(join(root, `projects/-a/${id}.jsonl`));
  expect(await ask({ kind: "status" })).toBe(0);
  nowMs += 1_000;
  expect(await ask({ kind: "status" })).toBe(1);
});
