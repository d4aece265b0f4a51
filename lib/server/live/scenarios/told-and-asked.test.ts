import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { nowTiles } from "@/lib/server/live/now-tiles";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { LogWriter } from "@/lib/testing/log-writer";
import { configFor, idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";

const SESSION = "11fe0000-0000-4000-8000-000000000000";

let dir: string;
let log: string;
let writer: LogWriter;
let folder: OpenFolder;
let live: Live;

/** Tells of a session by hand: nothing is watched. */
beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-told-")));
  log = join(dir, "projects", "-home-dev-shop", `${SESSION}.jsonl`);
  mkdirSync(dirname(log), { recursive: true });
  writer = new LogWriter(log, "root");
  writer.prompt("Go on, please");
  folder = await openFolder(dir);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
});
afterEach(() => {
  live.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What the session's tile says last. */
async function lastSaid(): Promise<string | undefined> {
  const { tiles } = await nowTiles({ ...folder, live, config: { flags: [] } });
  const row = tiles[0]?.rows.at(-1);
  return row?.kind === "text" ? row.text.text : undefined;
}

it("a board that asks as soon as it is told has the line that it was told of, a moment after it asked before", async () => {
  const stateAtMs = () => live.state(idOf(folder, SESSION))?.lastLineAtMs ?? 0;
  live.touch(log);
  await expect.poll(stateAtMs).toBeGreaterThan(0);
  for (const text of ["First", "Second", "Third"]) {
    await lastSaid();
    const before = stateAtMs();
    await wait(2); // a time of its own
    writer.say(text);
    live.touch(log);
    await expect.poll(stateAtMs, { interval: 1 }).not.toBe(before);
    expect(await lastSaid()).toBe(text);
  }
});

it("a session whose client is open and idle has not ended, until the client leaves", async () => {
  const client = new ClientRegistry(dir, SESSION);
  const id = idOf(folder, SESSION);
  const listed = async () => {
    const { tiles, open, ended } = await nowTiles({ ...folder, live, config: { flags: [] } });
    const has = (sessions: readonly { id: string }[]) => sessions.some((one) => one.id === id);
    return [tiles.length > 0 && "tile", has(open) && "open", has(ended) && "ended"].filter(Boolean);
  };
  client.tell("busy");
  writer.say("It is done");
  live.touch(log);
  live.touch(client.path);
  await expect.poll(listed).toEqual(["tile"]);
  client.tell("idle");
  live.touch(client.path);
  await expect.poll(listed).toEqual(["open"]);
  client.leave();
  live.touch(client.path);
  await expect.poll(listed).toEqual(["ended"]);
});

it("a tile shows below the last prompt what came after it, and nothing of the turns before", async () => {
  const tileSays = async () => {
    const { tiles } = await nowTiles({ ...folder, live, config: { flags: [] } });
    const [tile] = tiles;
    return [
      tile?.turn?.prompt,
      ...(tile?.rows ?? []).map((row) => (row.kind === "text" ? row.text.text : row.kind)),
    ];
  };
  const stateAtMs = () => live.state(idOf(folder, SESSION))?.lastLineAtMs ?? 0;
  const written = async () => {
    const before = stateAtMs();
    live.touch(log);
    await expect.poll(stateAtMs, { interval: 1 }).not.toBe(before);
  };
  writer.say("It is done");
  writer.prompt("And the tests?");
  await written();
  expect(await tileSays()).toEqual(["And the tests?"]);
  await wait(2); // a time of its own
  writer.say("They pass");
  await written();
  expect(await tileSays()).toEqual(["And the tests?", "They pass"]);
});
