import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, openFolder } from "@/lib/testing/transcript";

/** Roots are looked at every two seconds, and watches are set in less. */
const NOTICED = { timeout: 10_000 };

/** The logs of which something was told, in a folder that is watched and, where so asked for, not there yet. */
async function watch({ isThere }: { isThere: boolean }) {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-root-")));
  const dir = join(above, "config");
  const write = (n: number) => {
    const log = join(dir, "projects", "-home-dev-shop", `${uuid(n)}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    appendFileSync(log, toText([prompt(`in ${n}`, { uuid: crypto.randomUUID() })]));
  };
  if (isThere) write(1);
  const { catalog, sessions } = await openFolder(dir);
  const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
  const written = new Set<string>();
  const live = new Live(catalog, sessions, scanner, configFor(dir), (path) => written.add(path));
  onTestFinished(() => {
    live.stop();
    rmSync(above, { recursive: true, force: true });
  });
  await live.start(Promise.resolve());
  const listed = () => catalog.summaries().map(({ id }) => id);
  return { dir, above, live, write, written, listed };
}

/** Writes until something is told of it: which write is the first after the watches were set is not known. */
const isTold = async (write: () => void, written: Set<string>) => {
  written.clear();
  await expect
    .poll(
      () => {
        write();
        return [...written].some((path) => path.endsWith(".jsonl"));
      },
      { ...NOTICED, interval: 100 },
    )
    .toBe(true);
};

it("a folder of logs that is made after the start is watched", async () => {
  const { write, written, listed } = await watch({ isThere: false });
  write(1);
  await expect.poll(listed, NOTICED).toEqual([uuid(1)]);
  await isTold(() => write(1), written);
  write(2);
  await expect.poll(listed, NOTICED).toEqual([uuid(1), uuid(2)]);
});

it("one that was moved away is watched again when it is back, and what was written meanwhile is found", async () => {
  const { dir, above, live, write, written, listed } = await watch({ isThere: true });
  renameSync(dir, join(above, "away"));
  await expect.poll(() => live.coverage.folders, NOTICED).toBe(0);
  const beside = join(above, "away", "projects", "-home-dev-shop", `${uuid(2)}.jsonl`);
  writeFileSync(beside, toText([prompt("meanwhile")]));
  renameSync(join(above, "away"), dir);
  await expect.poll(listed, NOTICED).toEqual([uuid(1), uuid(2)]);
  await isTold(() => write(1), written);
});

it("another folder in its place is watched instead of it", async () => {
  const { dir, above, write, written, listed } = await watch({ isThere: true });
  renameSync(dir, join(above, "away"));
  write(2);
  await expect.poll(listed, NOTICED).toEqual([uuid(2)]);
  await isTold(() => write(2), written);
});
