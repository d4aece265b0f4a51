import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { Archive } from "./archive";
import { ArchiveWorker } from "./archive-task";
import { GroupKeeper } from "./group-keeper";
import type { Wanted } from "./keep-group";
import { FolderStore } from "./store/folder-store";
import { MeasuredStore } from "./store/measured-store";

const NAMES = Array.from({ length: 9 }, (_, n) => `projects/-home-dev-shop/log-${n}.jsonl`);
const LOG_BYTES = 6_000_000;

/** Logs that are much to keep at once, and a worker with help that does its groups or fails with them. */
function setUp(helpWith: (keeper: GroupKeeper, group: readonly Wanted[]) => ReturnType<GroupKeeper["keep"]>) {
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
      keep: (group: readonly Wanted[]) => {
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

test("what is much at once is kept by two, and what one of them has kept the other knows", async () => {
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

test("what who helps fails with is done without help, and what is wrong then is told", async () => {
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

test("a log that was removed since it was listed is no problem of who helps", async () => {
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
