import { appendFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepFolder } from "@/lib/testing/keep-folder";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Catalog } from "../catalog";

const LOG = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
const AGENT = `projects/-home-dev-shop/${uuid(1)}/subagents/agent-a1.jsonl`;
const OTHER = `projects/-home-dev-shop/${uuid(2)}.jsonl`;
const FILES = {
  [LOG]: [prompt("one"), answer("first")],
  [AGENT]: [prompt("look"), answer("found")],
  [AGENT.replace(".jsonl", ".meta.json")]: ["{}"],
  [OTHER]: [prompt("two"), answer("second")],
};

async function list(catalog: Catalog): Promise<string[]> {
  await catalog.list();
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
  expect(agent?.metaPath).toBe(join(root, AGENT.replace(".jsonl", ".meta.json")));
  rmSync(join(root, "projects"), { recursive: true });
  expect(await list(catalog)).toEqual(["1 one 1 archive", "2 two 0 archive"]);
  expect(catalog.warnings).toEqual([]);
});

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
