import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Catalog } from "./catalog";
import { keepSessionIds, SessionIds } from "./session-ids";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "backscroll-ids-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** What a start on this folder of logs lists, and writes down. */
async function start(root: string): Promise<{ catalog: Catalog; ids: Record<string, string> }> {
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await keepSessionIds(catalog.ids, dataDir);
  await catalog.list();
  return { catalog, ids: idsOf(catalog) };
}

/** The ids of the sessions, by the folder that each is in. */
const idsOf = (catalog: Catalog) =>
  Object.fromEntries(
    catalog.summaries().map(({ id }) => [basename(dirname(catalog.sessionFiles(id).main.path)), id]),
  );

const kept = () => readFileSync(join(dataDir, "session-ids.json"), "utf8");

const log = (project: string) => `projects/-home-dev-${project}/${uuid(1)}.jsonl`;

/** Enough projects that some of their folders are listed before the first. */
const PROJECTS = ["shop", "a", "b", "c", "d", "e", "f", "zoo"];

test("copies of a log keep their ids over a start, whichever folder that lists first", async () => {
  const root = makeTree({ [log("shop")]: [prompt("one")] });
  const { catalog } = await start(root);
  for (const project of PROJECTS.slice(1)) {
    mkdirSync(join(root, "projects", `-home-dev-${project}`));
    writeFileSync(join(root, log(project)), toText([prompt("one")]));
    await catalog.listAnew();
  }
  const ids = idsOf(catalog);
  expect(ids["-home-dev-shop"]).toBe(uuid(1));
  expect(new Set(Object.values(ids)).size).toBe(PROJECTS.length);
  await vi.waitFor(() => expect(Object.keys(JSON.parse(kept()).ids)).toHaveLength(PROJECTS.length - 1));
  expect((await start(root)).ids).toEqual(ids);
});

test("a copy keeps its id when the log with the plain one is gone", async () => {
  const root = makeTree({ [log("shop")]: [prompt("one")], [log("copy")]: [prompt("one")] });
  const { ids } = await start(root);
  const folderOf = (isPlain: boolean) =>
    Object.keys(ids).find((folder) => (ids[folder] === uuid(1)) === isPlain)!;
  await vi.waitFor(() => expect(kept()).toContain(ids[folderOf(false)]));
  rmSync(join(root, "projects", folderOf(true)), { recursive: true });
  expect((await start(root)).ids).toEqual({ [folderOf(false)]: ids[folderOf(false)] });
});

test.skipIf(process.platform === "win32")(
  "a file that the system does not read stays, and is told of",
  async () => {
    const path = join(dataDir, "session-ids.json");
    symlinkSync(path, path);
    const root = makeTree({ [log("shop")]: [prompt("one")], [log("copy")]: [prompt("one")] });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    expect(await keepSessionIds(catalog.ids, dataDir)).toMatchObject({
      code: "session-ids-unreadable",
      path,
    });
    await catalog.list();
    expect(new Set(Object.values(idsOf(catalog))).size).toBe(2);
    expect(readdirSync(dataDir)).toEqual(["session-ids.json"]);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  },
);

test("a damaged file is moved aside, and another version's is left", async () => {
  const root = makeTree({ [log("shop")]: [prompt("one")] });
  for (const bad of ["", "[]", '{"version": 1}', '{"version": 1, "ids": 3}', "{"]) {
    writeFileSync(join(dataDir, "session-ids.json"), bad);
    expect(await keepSessionIds(new SessionIds(), dataDir)).toMatchObject({ code: "session-ids-damaged" });
    expect((await start(root)).ids).toEqual({ "-home-dev-shop": uuid(1) });
    expect(readdirSync(dataDir)).toEqual(["session-ids.json.damaged"]);
  }
  const newer = '{"version": 2, "ids": {}}';
  writeFileSync(join(dataDir, "session-ids.json"), newer);
  await start(root);
  expect(kept()).toBe(newer);
});
