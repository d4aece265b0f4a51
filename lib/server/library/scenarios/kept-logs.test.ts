import { appendFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Catalog } from "../catalog";

const PROJECT = "projects/-home-dev-shop";
const LOG = `${PROJECT}/${uuid(1)}.jsonl`;
const AGENT = `${PROJECT}/${uuid(1)}/subagents/agent-a1.jsonl`;
const META = AGENT.replace(".jsonl", ".meta.json");
const OTHER = `${PROJECT}/${uuid(2)}.jsonl`;
const FILES = {
  [LOG]: [prompt("one"), answer("first")],
  [AGENT]: [prompt("look"), answer("found")],
  [META]: ["{}"],
  [OTHER]: [prompt("two"), answer("second")],
};

async function list(catalog: Catalog): Promise<string[]> {
  await catalog.list();
  return listed(catalog);
}

function listed(catalog: Catalog): string[] {
  return catalog
    .summaries()
    .map(({ id, title, storage, logGone }) => {
      const { agents } = catalog.sessionFiles(id);
      return `${id === uuid(1) ? 1 : id === uuid(2) ? 2 : id} ${title} ${agents.length} ${storage}${logGone ? " gone" : ""}`;
    })
    .sort();
}

const catalogOf = (path: string) => new Catalog([{ path, kind: "config" }]);

test("a session stays with its agents, whichever of its logs are deleted", async () => {
  const root = makeTree(FILES);
  const catalog = catalogOf(root);
  expect(await list(catalog)).toEqual(["1 one 1 logs", "2 two 0 logs"]);
  using _ = await keepFolder(root);
  expect(await list(catalog)).toEqual(["1 one 1 both", "2 two 0 both"]);
  rmSync(join(root, AGENT));
  expect(await list(catalog)).toEqual(["1 one 1 both", "2 two 0 both"]);
  rmSync(join(root, LOG));
  expect(await list(catalog)).toEqual(["1 one 1 archive", "2 two 0 both"]);
  const [agent] = catalog.sessionFiles(
    catalog.summaries().find(({ title }) => title === "one")?.id as never,
  ).agents;
  expect(agent?.metaPath).toBe(join(root, META));
  rmSync(join(root, "projects"), { recursive: true });
  expect(await list(catalog)).toEqual(["1 one 1 archive", "2 two 0 archive"]);
  expect(catalog.warnings).toEqual([]);
});

test("a configuration folder that is gone is missed, though its sessions are kept", async () => {
  const root = makeTree(FILES);
  const catalog = catalogOf(root);
  using _ = await keepFolder(root);
  renameSync(root, `${root}-away`);
  expect(await list(catalog)).toEqual(["1 one 1 archive", "2 two 0 archive"]);
  expect(catalog.warnings).toMatchObject([{ code: "root-missing", path: root }]);
  renameSync(`${root}-away`, root);
  expect(await list(catalog)).toEqual(["1 one 1 both", "2 two 0 both"]);
  expect(catalog.warnings).toEqual([]);
});

test.each([
  [[]],
  [[LOG]],
  [[AGENT]],
  [[META]],
  [[LOG, AGENT, META]],
  [[`${PROJECT}/${uuid(1)}`]],
  [[LOG, `${PROJECT}/${uuid(1)}`]],
  [[PROJECT]],
  [["projects"]],
])("the first listing hears of what is kept when it is done, and shows it: without %j", async (gone) => {
  for (const kind of ["config", "loose"] as const) {
    const root = makeTree(FILES);
    using kept = await keepFolder(root);
    const all = [...kept.listing.paths()].map((path) => [path, kept.listing.find(path)] as const);
    for (const path of gone) rmSync(join(root, path), { recursive: true });
    const expected = new Catalog([{ path: root, kind }]);
    await expected.list();
    kept.listing.take({ isAll: true, files: [] });
    const catalog = new Catalog([{ path: root, kind }]);
    let tellKept = () => {};
    const keptIsKnown = new Promise<void>((resolve) => (tellKept = resolve));
    const first = catalog.listFirst(keptIsKnown, new Promise((resolve) => setTimeout(resolve, 5)));
    const asked = catalog.untilListed().then(() => listed(catalog));
    await catalog.list();
    expect(catalog.listed).toBe(false);
    kept.listing.take({ isAll: true, files: all });
    tellKept();
    await first;
    expect(catalog.listed).toBe(true);
    expect(listed(catalog)).toEqual(listed(expected));
    // Whoever asked before any of it had begun.
    expect(await asked).toEqual(listed(expected));
    expect(agentsOf(catalog)).toEqual(agentsOf(expected));
    expect(catalog.totals()).toEqual(expected.totals());
  }
});

function agentsOf(catalog: Catalog) {
  const ids = catalog.summaries().map(({ id }) => id);
  return ids.sort().map((id) => catalog.sessionFiles(id).agents);
}

test("what is on disk wins over what is kept", async () => {
  const root = makeTree(FILES);
  using _ = await keepFolder(root);
  const catalog = catalogOf(root);
  rmSync(join(root, LOG));
  expect(await list(catalog)).toContain("1 one 1 archive");
  writeFileSync(join(root, LOG), toText([prompt("another"), answer("third")]));
  expect(await list(catalog)).toContain("1 another 1 both");
});

test("a kept session that turns up in another folder is the same session", async () => {
  const root = makeTree(FILES);
  using _ = await keepFolder(root);
  const catalog = catalogOf(root);
  await list(catalog);
  renameSync(join(root, "projects/-home-dev-shop"), join(root, "projects/-home-dev-store"));
  expect(await list(catalog)).toEqual(["1 one 1 logs", "2 two 0 logs"]);
  expect(await list(catalogOf(root))).toEqual(["1 one 1 logs", "2 two 0 logs"]);
});

test("a file that gets the inode of a deleted log is another session", async () => {
  const root = makeTree(FILES);
  using kept = await keepFolder(root);
  rmSync(join(root, LOG));
  appendFileSync(join(root, OTHER), "\n");
  const { dev, ino } = statSync(join(root, OTHER));
  const was = kept.listing.find(join(root, LOG));
  if (!was) throw new Error("The log is not kept");
  kept.listing.take({ isAll: false, files: [[join(root, LOG), { ...was, dev, ino }]] });
  expect(await list(catalogOf(root))).toEqual(["1 one 1 archive", "2 two 0 both"]);
});

test("the archive forgets: the session goes, and comes again when it is kept again", async () => {
  const root = makeTree(FILES);
  using kept = await keepFolder(root);
  const stats = kept.listing.find(join(root, OTHER));
  rmSync(join(root, OTHER));
  const catalog = catalogOf(root);
  expect(await list(catalog)).toContain("2 two 0 archive");
  kept.listing.take({ isAll: false, files: [[join(root, OTHER), null]] });
  expect(await list(catalog)).toEqual(["1 one 1 both"]);
  kept.listing.take({ isAll: false, files: [[join(root, OTHER), stats]] });
  expect(await list(catalog)).toEqual(["1 one 1 both", "2 two 0 archive"]);
});
