import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, openFolder } from "@/lib/testing/transcript";

const SESSION = uuid(9);
/** What a client writes when it makes its log, most of a second before its first message (2.1.332). */
const BOOKKEEPING = toText([{ type: "mode", mode: "normal", sessionId: SESSION }]);

let entryPath: string;
let log: string;
let catalog: Catalog;
let live: Live;

beforeEach(async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-no-message-")));
  const project = join(dir, "projects", "-home-dev-my-shop");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(dir, "sessions"));
  entryPath = join(dir, "sessions", `${process.pid}.json`);
  log = join(project, `${SESSION}.jsonl`);
  const folder = await openFolder(dir);
  catalog = folder.catalog;
  const scanner = new Scanner(catalog, openLibraryIndex(null), new RequestActivity());
  // Nothing is watched unless it is started: only what the test touches is looked at.
  live = new Live(catalog, folder.sessions, scanner, configFor(dir));
  onTestFinished(() => {
    live.stop();
    rmSync(dir, { recursive: true, force: true });
  });
});

/** When this process began, as the system tells it: the client is known to run. */
function procStart(): string | null {
  if (process.platform !== "linux") return null;
  const stat = readFileSync("/proc/self/stat", "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function register(status: string): void {
  const nowMs = Date.now();
  const client = { pid: process.pid, procStart: procStart(), startedAt: nowMs, entrypoint: "cli" };
  const entry = { ...client, sessionId: SESSION, cwd: "/home/dev/my-shop", status, statusUpdatedAt: nowMs };
  writeFileSync(entryPath, JSON.stringify(entry));
  live.touch(entryPath);
}

function write(text: string): void {
  appendFileSync(log, text);
  live.touch(log);
}

const told = () =>
  catalog
    .summaries()
    .map(({ id, title }) => [title, live.state(id)?.state, catalog.sessionFiles(id).projectPath].join(" · "));

it("the log of a client that runs is a session before it has a message, and in its client's folder", async () => {
  register("busy");
  write(BOOKKEEPING);
  await expect.poll(told).toEqual(["Untitled session · running · /home/dev/my-shop"]);
  write(toText([prompt("Test it", { cwd: "/home/dev/my-shop" })]));
  await expect.poll(told).toEqual(["Test it · running · /home/dev/my-shop"]);
});

it("is one where the server starts after its client", async () => {
  writeFileSync(log, BOOKKEEPING);
  register("busy");
  await live.start(Promise.resolve());
  await expect.poll(told).toEqual(["Untitled session · running · /home/dev/my-shop"]);
});

it("is none any longer when the client has ended without one", async () => {
  register("idle");
  write(BOOKKEEPING);
  await expect.poll(told).toEqual(["Untitled session · idle · /home/dev/my-shop"]);
  rmSync(entryPath);
  live.touch(entryPath);
  await expect.poll(told).toEqual([]);
});

it("is none where no client has registered it", async () => {
  write(BOOKKEEPING);
  const other = uuid(8);
  writeFileSync(log.replace(SESSION, other), toText([prompt("Something else")]));
  live.touch(log.replace(SESSION, other));
  await expect.poll(() => told().length).toBe(1);
  expect(catalog.outsideFiles().map(({ file }) => file.path)).toEqual([log]);
});
