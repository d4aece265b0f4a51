import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { Live } from "@/lib/server/live/live";
import type { RootFolder } from "@/lib/server/runtime/config";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, openFolder } from "@/lib/testing/transcript";

const NEW = uuid(9);

/** A library that is watched, and how to write a log in it. */
async function watch(kind: RootFolder["kind"], ...logs: string[]) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-new-folder-")));
  const write = (log: string) => {
    mkdirSync(dirname(join(dir, log)), { recursive: true });
    writeFileSync(join(dir, log), toText([prompt(`in ${log}`)]));
  };
  for (const log of logs) write(log);
  const roots: RootFolder[] = [{ path: dir, kind }];
  const catalog = new Catalog(roots);
  await catalog.list();
  let anew = 0;
  const listAnew = catalog.listAnew.bind(catalog);
  catalog.listAnew = async () => {
    await listAnew();
    anew += 1;
  };
  const { sessions } = await openFolder(dir);
  const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
  const live = new Live(catalog, sessions, scanner, { ...configFor(dir), roots });
  onTestFinished(() => {
    live.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  await live.start(Promise.resolve());
  await expect.poll(() => anew).toBe(1);
  const listed = () => catalog.summaries().map(({ id }) => id);
  const agents = () =>
    catalog.summaries().flatMap(({ id }) => catalog.sessionFiles(id).agents.map((one) => one.name));
  return { write, listed, agents, listings: () => anew };
}

it.each([
  [
    "of a project",
    "config",
    `projects/-home-dev-new/${NEW}.jsonl`,
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`],
  ],
  [
    "of a project, where a log lies beside the projects' folders",
    "config",
    `projects/-home-dev-new/${NEW}.jsonl`,
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`, `projects/${uuid(2)}.jsonl`],
  ],
  ["in a folder that was named, and holds a log itself", "loose", `new/${NEW}.jsonl`, [`${uuid(1)}.jsonl`]],
  ["further down in such a folder", "loose", `a/b/${NEW}.jsonl`, [`${uuid(1)}.jsonl`, `a/${uuid(2)}.jsonl`]],
] as const)("a session in a new folder %s is in the library at once", async (_, kind, log, logs) => {
  const { write, listed } = await watch(kind, ...logs);
  write(log);
  await expect.poll(listed).toContain(NEW);
});

it.each([
  ["config", "projects/-home-dev-shop/"],
  ["loose", ""],
] as const)(
  "what comes into folders that are listed has no others listed again: %s",
  async (kind, folder) => {
    const { write, listed, agents, listings } = await watch(kind, `${folder}${uuid(1)}.jsonl`);
    write(`${folder}${NEW}.jsonl`);
    await expect.poll(listed).toContain(NEW);
    write(`${folder}${uuid(1)}/subagents/agent-a1.jsonl`);
    await expect.poll(agents).toHaveLength(1);
    expect(listings()).toBe(1);
  },
);
