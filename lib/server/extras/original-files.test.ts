import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { listOriginals, readOriginal } from "./original-files";

const ID = uuid(1) as SessionId;
const OWN = {
  [`file-history/${ID}/0123456789abcdef@v1`]: ["before"],
  [`projects/-home-dev-shop/${ID}.jsonl`]: [prompt("one"), answer("first")],
  [`projects/-home-dev-shop/${ID}/subagents/agent-a1.jsonl`]: [prompt("look")],
  [`projects/-home-dev-shop/${ID}/subagents/agent-a1.meta.json`]: ["{}"],
  [`projects/-home-dev-shop/${ID}/tool-results/deep/out.txt`]: ["text"],
  [`tasks/${ID}/1.json`]: ["{}"],
  [`todos/${ID}-agent-${ID}.json`]: ["[]"],
};
const OTHERS = {
  "history.jsonl": [{ display: "one" }],
  "projects/-home-dev-shop/memory/MEMORY.md": ["notes"],
  [`projects/-home-dev-shop/${uuid(2)}.jsonl`]: [prompt("two")],
  [`todos/${uuid(2)}-agent-${uuid(2)}.json`]: ["[]"],
};

async function read(catalog: Catalog, place: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const { pieces } = await readOriginal(catalog.sessionFiles(ID), catalog.surroundings(ID), place);
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

test("a session's own files are those that the client made for it, on disk or kept", async () => {
  const root = makeTree({ ...OWN, ...OTHERS });
  const was = new Map(
    Object.keys(OWN).map((name): [string, Buffer] => [name, readFileSync(join(root, name))]),
  );
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  const list = async () => {
    await catalog.list();
    const files = await listOriginals(catalog.sessionFiles(ID), catalog.surroundings(ID));
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  };
  const all = [...was].map(([path, bytes]) => ({ path, bytes: bytes.length }));
  expect(await list()).toEqual(all);
  using _ = await keepFolder(root);
  rmSync(root, { recursive: true });
  expect(await list()).toEqual(all);
  for (const [path, bytes] of was) expect((await read(catalog, path)).equals(bytes), path).toBe(true);
});

test("no other file is available", async () => {
  const root = makeTree({ ...OWN, ...OTHERS });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  for (const place of [...Object.keys(OTHERS), "../passwd", "/etc/passwd", `projects/../history.jsonl`])
    await expect(read(catalog, place)).rejects.toMatchObject({ code: "original-not-found" });
});

test("logs from anywhere get the path at which the client would look for them", async () => {
  const root = makeTree({
    [`logs/${ID}.jsonl`]: [prompt("one")],
    [`logs/${ID}/tool-results/out.txt`]: ["text"],
  });
  const catalog = new Catalog([{ path: join(root, "logs"), kind: "loose" }]);
  await catalog.list();
  const files = await listOriginals(catalog.sessionFiles(ID), catalog.surroundings(ID));
  const slug = catalog.sessionFiles(ID).projectPath.replace(/[^A-Za-z0-9]/g, "-");
  expect(files.map(({ path }) => path)).toEqual([
    `projects/${slug}/${ID}.jsonl`,
    `projects/${slug}/${ID}/tool-results/out.txt`,
  ]);
});
