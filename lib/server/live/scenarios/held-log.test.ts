import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { LogTail } from "@/lib/server/live/told/log-tail";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const FREE = uuid(1);
/** The session whose log is not read before the test says so. */
const HELD = uuid(2);

let dir: string;
let folder: OpenFolder;
let live: Live;
/** Lets what is held go on. */
let give: () => void;
let given: Promise<void>;
/** How often what is held was begun. */
let begun: number;
/** The sessions whose rows were sent. */
let sent: string[];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "backscroll-held-log-"));
  mkdirSync(join(dir, "projects", "-home-dev-shop"), { recursive: true });
  for (const session of [FREE, HELD]) write(session);
  folder = await openFolder(dir);
  given = new Promise<void>((resolve) => {
    give = resolve;
  });
  begun = 0;
  sent = [];
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  // Nothing is watched: only what the test touches is looked at.
  live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
});
afterEach(() => {
  give();
  vi.restoreAllMocks();
  live.stop();
  rmSync(dir, { recursive: true, force: true });
});

const logOf = (session: string) => join(dir, "projects", "-home-dev-shop", `${session}.jsonl`);
const state = (session: string) => live.state(idOf(folder, session))?.state;
const touch = (session: string) => live.touch(logOf(session));

/** A turn, or with `text` null its prompt alone. */
function write(session: string, text: string | null = "Done"): void {
  // Of sessions that are looked at, the one written last comes first.
  const timestamp = new Date(Date.now() + (session === HELD ? 1_000 : 0)).toISOString();
  const asked = prompt("Test it", { timestamp });
  appendFileSync(logOf(session), toText(text === null ? [asked] : [asked, answer(text, { timestamp })]));
}

function holdState(): void {
  const { read } = LogTail.prototype;
  vi.spyOn(LogTail.prototype, "read").mockImplementation(async function (this: LogTail, root, path) {
    if (path === logOf(HELD)) {
      begun += 1;
      await given;
    }
    return read.call(this, root, path);
  });
}

function holdRows(): void {
  const { latest } = folder.sessions;
  vi.spyOn(folder.sessions, "latest").mockImplementation(async (id) => {
    if (id === idOf(folder, HELD)) {
      begun += 1;
      await given;
    }
    return latest(id);
  });
}

async function follow(name: string): Promise<void> {
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const folding = { fold: [], runs: null };
  const session: SessionId = idOf(folder, name);
  const { signal } = new AbortController();
  const decoder = new TextDecoder();
  for await (const piece of live.open({ session, since: null, view, folding, beside: [], signal }))
    if (decoder.decode(piece, { stream: true }).includes('"kind":"rows"')) sent.push(name);
}

it("what a client does waits for no log of another one, that a disk does not give", async () => {
  touch(FREE);
  await expect.poll(() => state(FREE)).toBe("unknown");
  holdState();
  const other = new ClientRegistry(dir, HELD, 4_194_002);
  other.tell("busy");
  live.touch(other.path);
  await expect.poll(() => begun).toBe(1);
  const client = new ClientRegistry(dir, FREE, 4_194_001);
  client.tell("waiting", "permission prompt");
  live.touch(client.path);
  await expect.poll(() => state(FREE)).toBe("waiting");
  expect(state(HELD)).toBe(undefined);
  give();
  await expect.poll(() => state(HELD)).toBe("running");
});

it("what the log of a session says waits for no other log", async () => {
  holdState();
  touch(HELD);
  await expect.poll(() => begun).toBe(1);
  for (const [text, says] of [
    [null, "running"],
    ["Done", "unknown"],
    [null, "running"],
  ] as const) {
    write(FREE, text);
    touch(FREE);
    await expect.poll(() => state(FREE)).toBe(says);
  }
  // What was written to the other meanwhile is read when that can be.
  write(HELD, null);
  touch(HELD);
  give();
  await expect.poll(() => state(HELD)).toBe("running");
});

it("looks at each session at the start, and at what is written then, whatever log is held", async () => {
  holdState();
  const started = live.start(Promise.resolve());
  await expect.poll(() => state(FREE)).toBe("unknown");
  expect([begun, state(HELD)]).toEqual([1, undefined]);
  const later = uuid(3);
  write(later, null);
  // Also where this was before its folder was watched.
  touch(later);
  await expect.poll(() => folder.catalog.summaries().length).toBe(3);
  await expect.poll(() => state(later)).toBe("running");
  give();
  await started;
  expect(state(HELD)).toBe("unknown");
});

it("rows of a session wait for no other session, as one that is still being scanned", async () => {
  holdRows();
  void follow(FREE);
  void follow(HELD);
  await expect.poll(() => begun).toBe(1);
  await expect.poll(() => state(FREE)).toBe("unknown");
  write(HELD);
  touch(HELD);
  for (const nth of [1, 2]) {
    write(FREE);
    touch(FREE);
    await expect.poll(() => sent).toHaveLength(nth);
  }
  expect(sent).toEqual([FREE, FREE]);
  give();
  await expect
    .poll(() => {
      write(HELD);
      touch(HELD);
      return sent;
    })
    .toContain(HELD);
});
