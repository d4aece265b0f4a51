import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { LogWriter } from "@/lib/testing/log-writer";
import { configFor, idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const LOG = "11fe0000-0000-4000-8000-000000000000.jsonl";
const LINE = { type: "user", uuid: crypto.randomUUID(), parentUuid: null, message: { content: "begin" } };
const FOREVER = new Promise<void>(() => undefined);

let dir: string;
let live: Live;
let scanner: Scanner;
let folder: OpenFolder;
let listed: () => string[];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "backscroll-start-"));
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, LOG), `${JSON.stringify(LINE)}\n`);
  folder = await openFolder(dir);
  const { catalog, sessions } = folder;
  listed = () => catalog.summaries().map(({ id }) => id);
  scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
  live = new Live(catalog, sessions, scanner, configFor(dir));
  // The time after which watching begins by itself never comes.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  live.stop();
  rmSync(dir, { recursive: true, force: true });
});

function look(session: SessionId | null = null): AbortController {
  const closing = new AbortController();
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const folding = { fold: [], runs: null };
  live.open({ session, since: null, view, folding, beside: [], signal: closing.signal });
  return closing;
}

const folders = () => live.coverage.folders;

it("leaves the cores to the first reading while nobody looks, and watches when that has ended", async () => {
  let end = () => undefined as void;
  const reading = new Promise<void>((resolve) => {
    end = resolve;
  });
  void live.start(reading);
  await wait(200);
  expect(folders()).toBe(0);
  end();
  await expect.poll(folders).toBeGreaterThan(0);
});

it("watches at once when somebody comes to look", async () => {
  void live.start(FOREVER);
  await wait(50);
  const closing = look();
  await expect.poll(folders).toBeGreaterThan(0);
  closing.abort();
});

it("watches at once when somebody was there before the library was listed", async () => {
  const closing = look();
  void live.start(FOREVER);
  await expect.poll(folders).toBeGreaterThan(0);
  closing.abort();
});

it("watches although the first reading has failed", async () => {
  void live.start(Promise.reject(new Error("no thread")));
  await expect.poll(folders).toBeGreaterThan(0);
});

it("watches nothing once it has been stopped", async () => {
  const started = live.start(FOREVER);
  live.stop();
  await started;
  expect(folders()).toBe(0);
});

it("lists a session in a new folder while an earlier one is still being indexed", async () => {
  scanner.run = () => FOREVER;
  void live.start(Promise.resolve());
  await expect.poll(folders).toBeGreaterThan(0);
  for (const name of ["cart", "till"]) {
    const project = join(dir, "projects", `-home-dev-${name}`);
    mkdirSync(project);
    writeFileSync(join(project, `${crypto.randomUUID()}.jsonl`), `${JSON.stringify(LINE)}\n`);
    const before = listed().length;
    await expect.poll(() => listed().length, { timeout: 30_000 }).toBe(before + 1);
  }
});

it("has followed sessions read again when agents that began before the watch have been listed", async () => {
  vi.useRealTimers();
  const { catalog, sessions } = folder;
  const id = idOf(folder, LOG.slice(0, -6));
  const list = catalog.list.bind(catalog);
  // What is followed would have been read long ago.
  vi.spyOn(catalog, "list").mockImplementation(() => wait(300).then(list));
  const agentsRead: number[] = [];
  const latest = async (one: SessionId) => {
    const session = await sessions.latest(one);
    agentsRead.push(session.files.agents.length);
    return session;
  };
  live.stop();
  live = new Live(catalog, { ...sessions, latest }, scanner, configFor(dir));
  const closing = look(id);
  await expect.poll(() => agentsRead.length).toBeGreaterThan(0);
  new LogWriter(join(dir, "projects", "-home-dev-shop", LOG)).startAgent(
    "a1aaaaaaaaaaaaaaa",
    "Read the front",
  );
  await live.start(FOREVER);
  await expect.poll(() => agentsRead.at(-1)).toBe(1);
  closing.abort();
});
