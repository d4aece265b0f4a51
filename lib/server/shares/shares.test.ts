import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Annotations } from "@/lib/server/annotations/annotations";
import {
  addForGuest,
  changeForGuest,
  commentsForGuest,
  removeForGuest,
} from "@/lib/server/annotations/guest-comments";
import { Catalog } from "@/lib/server/library/catalog";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import type { ViewerError } from "@/lib/server/runtime/viewer-error";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { rowsOf } from "@/lib/testing/transcript";
import { formatRecordId, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { Health } from "@/lib/wire/library";
import type { Position } from "@/lib/wire/presence";
import { AnnotationBody, ShareBody } from "@/lib/wire/requests";
import { type Access, SHARE_TIMES } from "@/lib/wire/shares";
import { CopyWorker } from "./copy-task";
import { type Guest, Shares } from "./shares";

const ID = uuid(1) as SessionId;
const OTHER = uuid(2) as SessionId;
const TOKEN = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
const LOG = `projects/-home-marlowe-shop/${ID}.jsonl`;

type Library = { catalog: Catalog; sessions: SessionQueries; logs: string; dispose(): unknown };
type Opened = {
  root: string;
  dataDir: string;
  catalog: Catalog;
  shares: Shares<Library>;
  lost: Health["warnings"];
  /** What each library over a copy was told of its link. */
  accesses: Access[];
  disposed: () => number;
};

/** A server's shares over one folder, with all work in this thread. */
async function open(
  root: string,
  dataDir = makeTree({}),
  ends: (data: string) => unknown = () => undefined,
): Promise<Opened> {
  // Not listed yet: a link may be made right after the start.
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  const copies = new CopyWorker();
  let disposed = 0;
  const lost: Health["warnings"] = [];
  const accesses: Access[] = [];
  const shares = new Shares<Library>({
    catalog,
    secrets: new SessionSecrets(catalog, scanSecrets, dataDir),
    dataDir,
    ask: (task) => copies.do(task),
    lost: (warning) => lost.push(warning),
    open: (logs, data, access) => {
      accesses.push(access);
      const copied = new Catalog([{ path: logs, kind: "config" }]);
      return {
        catalog: copied,
        sessions: createSessions(copied, { scan }),
        logs,
        dispose: () => {
          disposed += 1;
          return ends(data);
        },
      };
    },
  });
  onTestFinished(() => shares.stop());
  return { root, dataDir, catalog, shares, lost, accesses, disposed: () => disposed };
}

/** Below one another. */
const thread = (lines: readonly Record<string, unknown>[], from = 0) =>
  lines.map((line, at) => ({
    ...line,
    uuid: uuid(100 + from + at),
    parentUuid: from + at === 0 ? null : uuid(99 + from + at),
  }));

const tree = () =>
  makeTree({
    [LOG]: thread([
      prompt(`Use ${TOKEN}`, { cwd: "/home/marlowe/shop" }),
      answer("Used"),
      prompt("ask anna@heronmail.org and bo@heronmail.org"),
    ]),
    [`projects/-home-marlowe-shop/${OTHER}.jsonl`]: [prompt("of no concern")],
  });

const body = (more: object = {}) => ShareBody.parse({ sessionId: ID, ...more });

/** What a visitor with this token sees. */
async function libraryOf(shares: Shares<Library>, token: string): Promise<Library> {
  const guest = await shares.guest(token);
  if (!guest) throw new Error("The token is refused");
  return guest.library();
}

async function prompts(shares: Shares<Library>, token: string): Promise<string[]> {
  const { sessions, catalog } = await libraryOf(shares, token);
  const id = catalog.summaries()[0]?.id as SessionId;
  await catalog.refresh(id);
  const { rows } = await rowsOf({ catalog, sessions }, id, "everything");
  return rows.flatMap((row) => ("prompt" in row && row.prompt ? [row.prompt.text] : []));
}

test("a guest has the one session, without its secrets", async () => {
  const { shares } = await open(tree());
  const { token, path } = await shares.create(body({ place: "?at=m~0" }));
  expect(path).toBe(`/sessions/${ID}?at=m~0`);
  expect(await prompts(shares, token)).toEqual(["Use [github-token 1]", "ask [email 1] and [email 2]"]);
  const { catalog } = await libraryOf(shares, token);
  expect(catalog.summaries().map(({ id }) => id)).toEqual([ID]);
  expect(() => catalog.sessionFiles(OTHER)).toThrow("Session not found");
});

test("a link that cannot be made reports what is wrong, and not that the disk was full", async () => {
  const { shares, dataDir } = await open(tree());
  writeFileSync(join(dataDir, "redact.txt"), "(unclosed\n");
  await expect(shares.create(body())).rejects.toMatchObject({ code: "bad-pattern" });
});

test("a guest is told nothing of the owner's but what is shared, whatever keeps their link from opening", async () => {
  const log = join("projects", "-home-marlowe-shop", "merger-with-heron.jsonl");
  const { shares, root, dataDir, catalog, accesses } = await open(makeTree({ [log]: [prompt("one")] }));
  await catalog.list();
  const [summary] = catalog.summaries();
  const { token, id } = await shares.create(body({ sessionId: summary?.id, comments: true }));
  expect(summary?.id).toMatch(/^merger-with-heron-/);
  expect(JSON.stringify(accesses)).not.toContain("heron");
  shares.stop();
  const again = await open(root, dataDir);
  writeFileSync(join(dataDir, "redact.txt"), "(heron\n");
  const guest = await again.shares.guest(token);
  for (const asked of [() => guest?.library(), () => guest?.redact("a comment")]) {
    const { code, message, hint } = await Promise.resolve(asked()).then(
      () => Promise.reject(new Error("it opened")),
      (error: ViewerError) => error,
    );
    expect(code).toBe("session-unreadable");
    expect(`${message} ${hint}`).not.toMatch(/heron|redact\.txt/);
  }
  expect(await again.shares.list()).toMatchObject([{ id }]);
});

test("the place in a link contains nothing that is redacted, and leads to the copy's file", async () => {
  const { shares } = await open(tree());
  const file = encodeURIComponent("/home/marlowe/shop/a b.ts");
  const place = `?at=m~0&view=changes&file=${file}&q=${TOKEN}&bad=%E0%A4%A#m~0.0`;
  const { path } = await shares.create(body({ place }));
  const [, search, hash] = /\?(.*)#(.*)/.exec(path) ?? [];
  expect(search).toMatch(/^at=m~0&view=changes&/);
  expect(hash).toBe("m~0.0");
  expect(new URLSearchParams(search).get("file")).toBe("/home/[user 1]/shop/a b.ts");
  expect(new URLSearchParams(search).get("q")).toBe("[github-token 1]");
  expect((await shares.create(body({ place, redact: false }))).path).toBe(`/sessions/${ID}${place}`);
});

test("nothing is left of a revoked link, even if its index was being written", async () => {
  let copy = "";
  const { shares } = await open(tree(), undefined, async (data) => {
    copy = dirname(data);
    await new Promise((turn) => setImmediate(turn));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "index.db"), "its texts");
  });
  const { id } = await shares.create(body());
  await shares.revoke(id);
  await expect.poll(() => copy).not.toBe("");
  // Two turns: one in which the index is written, and one after it.
  for (let turns = 0; turns < 2; turns++) await new Promise((turn) => setImmediate(turn));
  expect(existsSync(copy)).toBe(false);
});

test("secrets that the owner excepts stay, and with redaction off all do", async () => {
  const { shares } = await open(tree());
  const excepted = await shares.create(body({ except: ["email 2"] }));
  expect((await prompts(shares, excepted.token))[1]).toBe("ask [email 1] and bo@heronmail.org");
  const plain = await shares.create(body({ redact: false }));
  expect((await prompts(shares, plain.token))[0]).toBe(`Use ${TOKEN}`);
});

test("later lines arrive, without their secrets", async () => {
  const { root, shares } = await open(tree());
  const { token } = await shares.create(body());
  await prompts(shares, token);
  appendFileSync(join(root, LOG), toText(thread([prompt(`now npm_${"aB3dE5fG7hI9".repeat(3)}`)], 3)));
  shares.touch(join(root, LOG));
  await expect.poll(() => prompts(shares, token)).toHaveLength(3);
  expect((await prompts(shares, token))[2]).toMatch(/^now \[npm-token \d+\]$/);
});

test("a follower of a share gets changes that no watch reports, without requests", async () => {
  const { root, shares } = await open(tree());
  const { token } = await shares.create(body());
  const { catalog } = await libraryOf(shares, token);
  const [session] = catalog.summaries();
  const { path: copy } = catalog.sessionFiles(session?.id as SessionId).main;
  const guest = await shares.guest(token);
  const end = guest?.follow();
  appendFileSync(join(root, LOG), toText(thread([prompt("written unseen")], 3)));
  await vi.waitFor(() => expect(readFileSync(copy, "utf8")).toContain("written unseen"), { timeout: 60_000 });
  end?.();
});

test("a guest sees that a session is running, even while another client's entry is being written", async () => {
  const root = tree();
  mkdirSync(join(root, "sessions"));
  writeFileSync(join(root, "sessions/41.json"), JSON.stringify({ pid: 41, sessionId: ID, status: "busy" }));
  writeFileSync(join(root, "sessions/42.json"), '{"pid": 42, "sess');
  const { shares } = await open(root);
  const { token } = await shares.create(body());
  const { logs } = await libraryOf(shares, token);
  expect(readdirSync(join(logs, "sessions"))).toEqual(["41.json"]);
});

test("a revoked link opens nothing, and ends what it had opened", async () => {
  const { shares, accesses, disposed } = await open(tree());
  const { id, token } = await shares.create(body());
  const guest = (await shares.guest(token)) as Guest<Library>;
  const { logs } = await guest.library();
  expect(guest.signal.aborted).toBe(false);
  expect(await shares.revoke(id)).toBe(true);
  expect(guest.signal.aborted).toBe(true);
  expect(await shares.guest(token)).toBeNull();
  expect(shares.guestOf(id)).toBeNull();
  await expect.poll(disposed).toBe(1);
  await expect.poll(() => existsSync(logs)).toBe(false);
  expect(await shares.revoke(id)).toBe(false);
  // Who is still being answered has no copy made anew.
  await expect(guest.library()).rejects.toMatchObject({ code: "share-ended", status: 401 });
  await expect(guest.redact(TOKEN)).rejects.toMatchObject({ code: "share-ended" });
  expect(accesses.length).toBe(1);
});

test("what nobody reads for ten minutes is closed, also of a link that was never opened, and opens again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares, disposed } = await open(tree());
  const { token } = await shares.create(body());
  vi.advanceTimersByTime(599_000);
  expect(disposed()).toBe(0);
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(disposed()).toBe(1));
  expect((await prompts(shares, token)).length).toBe(2);
  const guest = (await shares.guest(token)) as Guest<Library>;
  const leave = guest.follow();
  vi.advanceTimersByTime(3_600_000 - 1);
  leave();
  vi.advanceTimersByTime(599_000);
  expect(disposed()).toBe(1);
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(disposed()).toBe(2));
  expect(await guest.redact(TOKEN)).toBe("[github-token 1]");
  vi.advanceTimersByTime(600_000);
  await vi.waitFor(() => expect(disposed()).toBe(3));
});

test("if the revocation of a link cannot be stored, it has ended, and the owner is told", async () => {
  const { dataDir, shares } = await open(tree());
  const { id, token } = await shares.create(body());
  rmSync(dataDir, { recursive: true });
  await expect(shares.revoke(id)).rejects.toMatchObject({
    ...{ code: "share-unwritable", message: expect.stringContaining("opens again") },
    hint: expect.stringContaining("data folder"),
  });
  expect(await shares.guest(token)).toBeNull();
  await expect(shares.create(body())).rejects.toMatchObject({
    ...{ code: "share-unwritable", message: expect.stringContaining("was not created") },
    hint: expect.stringContaining("data folder"),
  });
});

test("a link that was taken back while the disk was full does not open after a restart", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { root, dataDir, shares } = await open(tree());
  const { id, token } = await shares.create(body());
  const path = join(dataDir, "shares.json");
  const stored = readFileSync(path, "utf8");
  rmSync(dataDir, { recursive: true });
  await expect(shares.revoke(id)).rejects.toMatchObject({ code: "share-unwritable" });
  mkdirSync(dataDir);
  writeFileSync(path, stored);
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(readFileSync(path, "utf8")).toBe("[]"));
  shares.stop();
  expect(await (await open(root, dataDir)).shares.guest(token)).toBeNull();
});

test("the reason why a link cannot be made is reported unchanged", async () => {
  const { dataDir, shares } = await open(tree());
  writeFileSync(join(dataDir, "redact.txt"), "(unclosed\n");
  await expect(shares.create(body())).rejects.toMatchObject({ code: "bad-pattern" });
});

test("what fails behind a link's requests is reported on the console, but for a link that cannot be opened", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  const said = () => reported.mock.calls.map(([message, error]) => `${message} ${String(error)}`);
  const root = tree();
  const { shares, catalog } = await open(root, makeTree({}), () =>
    Promise.reject(new TypeError("not closed")),
  );
  await catalog.list();
  const { id, token } = await shares.create(body({ comments: true }));
  await libraryOf(shares, token);
  shares.commentsChanged(ID, () => {
    throw new TypeError("not told");
  });
  await expect.poll(said).toEqual([expect.stringContaining("TypeError: not told")]);
  await shares.revoke(id);
  await expect
    .poll(said)
    .toEqual([
      expect.stringContaining("TypeError: not told"),
      expect.stringContaining("TypeError: not closed"),
    ]);
  reported.mockClear();
  const gone = await open(root);
  const { token: stale } = await gone.shares.create(body({ comments: true }));
  const { shares: next } = await open(makeTree({}), gone.dataDir);
  const asked = (await next.guest(stale))?.library();
  next.commentsChanged(ID, () => undefined);
  await expect(asked).rejects.toMatchObject({ code: "session-not-found" });
  await next.list();
  expect(reported).not.toHaveBeenCalled();
});

test("a link expires by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { dataDir, shares } = await open(tree());
  const { id, token } = await shares.create(body({ expiresInMs: 60_000 }));
  const guest = (await shares.guest(token)) as Guest<Library>;
  vi.advanceTimersByTime(59_000);
  expect(await shares.guest(token)).not.toBeNull();
  vi.advanceTimersByTime(1_001);
  expect(await shares.guest(token)).toBeNull();
  expect(await shares.list()).toEqual([]);
  await vi.waitFor(() => expect(guest.signal.aborted).toBe(true));
  await vi.waitFor(() => expect(readFileSync(join(dataDir, "shares.json"), "utf8")).not.toContain(id));
});

test("a link expires for its current readers, even if the machine slept or its clock was set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares } = await open(tree());
  const guestFor = async (expiresInMs: number) => {
    const { token } = await shares.create(body({ expiresInMs }));
    return (await shares.guest(token)) as Guest<Library>;
  };
  const slept = await guestFor(SHARE_TIMES.most);
  // Timers stand still while a machine sleeps.
  vi.setSystemTime(Date.now() + SHARE_TIMES.most);
  vi.advanceTimersByTime(60_000);
  await vi.waitFor(() => expect(slept.signal.aborted).toBe(true));
  const setBack = await guestFor(60_000);
  vi.setSystemTime(Date.now() - 86_400_000);
  vi.advanceTimersByTime(60_001);
  await vi.waitFor(() => expect(setBack.signal.aborted).toBe(true));
});

test("a link that was made while the clock was a year ahead is open for as long as was asked, not for the year too", async () => {
  const root = tree();
  const first = await open(root);
  const { token } = await first.shares.create(body({ expiresInMs: 60_000 }));
  first.shares.stop();
  const path = join(first.dataDir, "shares.json");
  const stored = JSON.parse(readFileSync(path, "utf8")) as { createdAtMs: number; expiresAtMs: number }[];
  for (const share of stored) {
    share.createdAtMs += 365 * 86_400_000;
    share.expiresAtMs += 365 * 86_400_000;
  }
  writeFileSync(path, JSON.stringify(stored));
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { shares } = await open(root, first.dataDir);
  const guest = (await shares.guest(token)) as Guest<Library>;
  expect(guest.signal.aborted).toBe(false);
  vi.advanceTimersByTime(60_001);
  await vi.waitFor(() => expect(guest.signal.aborted).toBe(true));
});

test("the owner sees what is shared; no token is stored", async () => {
  const { dataDir, shares } = await open(tree());
  const { id, token } = await shares.create(body({ except: ["email 1"] }));
  const [listed] = await shares.list();
  expect(listed).toMatchObject({ id, sessionId: ID, redacted: true, lastUsedAtMs: null, readers: 0 });
  const guest = (await shares.guest(token)) as Guest<Library>;
  const left = guest.follow();
  expect((await shares.list())[0]).toMatchObject({ lastUsedAtMs: expect.any(Number), readers: 1 });
  left();
  expect((await shares.list())[0]?.readers).toBe(0);
  const written = readFileSync(join(dataDir, "shares.json"), "utf8");
  expect(written).toContain(id);
  for (const secret of [token, token.slice(10), "anna@heronmail.org"]) expect(written).not.toContain(secret);
});

test("links outlive their server, expired ones do not", async () => {
  const root = tree();
  const first = await open(root);
  const { token } = await first.shares.create(body({ except: ["email 2"], expiresInMs: SHARE_TIMES.most }));
  const gone = await first.shares.create(body());
  first.shares.stop();
  const path = join(first.dataDir, "shares.json");
  const stored = JSON.parse(readFileSync(path, "utf8")) as { id: string; expiresAtMs: number }[];
  for (const share of stored) if (share.id === gone.id) share.expiresAtMs = Date.now() - 1;
  writeFileSync(path, JSON.stringify(stored));
  const { shares } = await open(root, first.dataDir);
  expect((await prompts(shares, token))[1]).toBe("ask [email 1] and bo@heronmail.org");
  expect(await shares.guest(gone.token)).toBeNull();
  expect(await shares.guest("share~invented")).toBeNull();
});

test.each([
  ["a byte that flipped", (text: string) => `${text.slice(0, 9)}\0${text.slice(10)}`, 0],
  ["half of it", (text: string) => text.slice(0, text.length / 2), 0],
  ["another shape", () => '{"shares":[]}', 0],
  ["one link of another shape", (text: string) => text.replace('"redact":true', '"redact":"yes"'), 1],
])(
  "links of which the file is damaged are told of, and what is left of it stays: %s",
  async (_, damage, left) => {
    const root = tree();
    const first = await open(root);
    for (let n = 0; n < 2; n++) await first.shares.create(body());
    first.shares.stop();
    const path = join(first.dataDir, "shares.json");
    const damaged = damage(readFileSync(path, "utf8"));
    writeFileSync(path, damaged);
    const { shares, lost } = await open(root, first.dataDir);
    expect(await shares.list()).toHaveLength(left);
    expect(lost).toEqual([expect.objectContaining({ code: "shares-damaged", path })]);
    await shares.create(body());
    expect(readFileSync(`${path}.damaged`, "utf8")).toBe(damaged);
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveLength(left + 1);
  },
);

test("a second server of the data folder loses no links of the first, and what either takes back stays so", async () => {
  const root = tree();
  const first = await open(root);
  const [one, two] = [await first.shares.create(body()), await first.shares.create(body())];
  const second = await open(root, first.dataDir);
  const three = await second.shares.create(body());
  const four = await first.shares.create(body());
  await second.shares.revoke(one.id);
  await first.shares.revoke(two.id);
  expect(await first.shares.guest(one.token)).toBeNull();
  for (const { shares } of [first, second]) shares.stop();
  const { shares } = await open(root, first.dataDir);
  expect((await shares.list()).map(({ id }) => id).sort()).toEqual([three.id, four.id].sort());
});

test("a file of links that was removed under a server is written again", async () => {
  const root = tree();
  const first = await open(root);
  const { id, token } = await first.shares.create(body());
  rmSync(first.dataDir, { recursive: true });
  mkdirSync(first.dataDir);
  await first.shares.create(body());
  expect(await first.shares.guest(token)).not.toBeNull();
  expect(readFileSync(join(first.dataDir, "shares.json"), "utf8")).toContain(id);
});

test("a link with many readers at once causes no warning on the console", async () => {
  const { shares } = await open(tree());
  const { token } = await shares.create(body());
  const warned = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warned.mockRestore());
  const guest = await shares.guest(token);
  for (let reader = 0; reader < 20; reader++) guest?.signal.addEventListener("abort", () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).not.toHaveBeenCalled();
});

test("the next server knows that a link was opened", async () => {
  const root = tree();
  const first = await open(root);
  const { token } = await first.shares.create(body());
  await prompts(first.shares, token);
  const stored = () => readFileSync(join(first.dataDir, "shares.json"), "utf8");
  await vi.waitFor(() => expect(stored()).toMatch(/"lastUsedAtMs":\d/));
  first.shares.stop();
  const { shares } = await open(root, first.dataDir);
  expect((await shares.list())[0]?.lastUsedAtMs).toBeGreaterThan(0);
});

test("copies of a killed server are removed by the next one, even if nothing is shared any more", async () => {
  const namespace = pidNamespace();
  // Pid 999999999 is nobody's here; in another container that shares the folder it may be a server's.
  const left = mkdtempSync(join(tmpdir(), `backscroll-shares-999999999${namespace ? `.${namespace}` : ""}-`));
  const others = mkdtempSync(join(tmpdir(), "backscroll-shares-999999999.1-"));
  // The time of every link that was made there is over, in whatever container; the pid may be another process's by now.
  const old = ["999999999.1", "999999999", `${process.ppid}${namespace ? `.${namespace}` : ""}`].map((of) =>
    mkdtempSync(join(tmpdir(), `backscroll-shares-${of}-`)),
  );
  const longAgo = new Date(Date.now() - SHARE_TIMES.most - 60_000);
  for (const folder of old) utimesSync(folder, longAgo, longAgo);
  onTestFinished(() => {
    for (const folder of [left, others, ...old]) rmSync(folder, { recursive: true, force: true });
  });
  const { shares } = await open(tree());
  expect(await shares.list()).toEqual([]);
  expect([left, others, ...old].map((folder) => existsSync(folder))).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});

test("a missing session cannot be shared, and copies are removed with their server", async () => {
  const { shares } = await open(tree());
  await expect(shares.create(body({ sessionId: uuid(9) }))).rejects.toMatchObject({
    code: "session-not-found",
  });
  const { token } = await shares.create(body());
  const { logs } = await libraryOf(shares, token);
  expect(readdirSync(join(logs, "projects"))).toEqual(["-home-user-1-shop"]);
  shares.stop();
  expect(existsSync(dirname(dirname(logs)))).toBe(false);
});

/** A shared session with what readers put on it, as its owner and a guest have it. */
async function openCommented(more: object = {}, logs = tree()) {
  const { root, dataDir, catalog, shares, accesses } = await open(logs);
  const { token, id } = await shares.create(body({ comments: true, ...more }));
  const sessions = createSessions(catalog, { scan });
  const annotations = new Annotations(null, {
    latest: (session) => sessions.latest(session),
    changed: () => undefined,
    projectChanged: () => undefined,
    warn: () => undefined,
  });
  const guest = (await shares.guest(token)) as Guest<Library>;
  const sharedSession = async (writer: string | null = null) => {
    const copied = await guest.library();
    const copy = await copied.sessions.latest(copied.catalog.summaries()[0]?.id as SessionId);
    const { sessionId, redact } = guest;
    return { sessionId, original: await sessions.latest(ID), copy, writer, redacted: true, redact };
  };
  return { root, dataDir, catalog, shares, accesses, annotations, guest, token, shareId: id, sharedSession };
}

let made = 0;
const comment = (text: string, target: object, rest: object = {}) =>
  AnnotationBody.parse({
    ...{ id: `comment-${++made}`, kind: "comment", body: text },
    ...{ target: { sessionId: ID, ...target }, ...rest },
  });

/** The id of a session's line, from 0. */
function lineOf(log: string, line: number): RecordId {
  const lines = log.split("\n").slice(0, line);
  return formatRecordId("m", Buffer.byteLength(lines.map((one) => `${one}\n`).join("")));
}

test("a guest reads comments on their copy's lines, without redacted text in quotes or comments", async () => {
  const { root, annotations, sharedSession } = await openCommented();
  const log = readFileSync(join(root, LOG), "utf8");
  const selected = { text: TOKEN.slice(5), before: `Use ${TOKEN.slice(0, 5)}` };
  // A part of a secret, a line behind one, and a secret that the owner writes.
  const lines = { path: "/home/marlowe/shop/a.ts", from: 1, to: 2 };
  await annotations.add(comment("why this one?", { recordId: lineOf(log, 0), block: 0, selected, lines }));
  await annotations.add(
    comment(`not ${TOKEN}!`, {
      ...{ recordId: lineOf(log, 2), block: 0 },
      selected: { text: "ask", before: "" },
    }),
  );
  for (const kind of ["star", "note", "tag"] as const)
    await annotations.add(
      AnnotationBody.parse({
        ...{ id: `mark-of-${kind}`, kind, target: { sessionId: ID } },
        body: kind === "star" ? "" : "mine alone",
      }),
    );
  await annotations.add(comment("of another", { sessionId: OTHER }, { replyTo: "comment-9999" }));

  const { annotations: seen, sequence } = await commentsForGuest(annotations, await sharedSession());
  const { copy } = await sharedSession();
  expect(JSON.stringify(seen)).not.toContain(TOKEN.slice(8));
  expect(JSON.stringify(seen)).not.toContain("mine alone");
  expect(sequence).toBe(2);
  expect(seen[0]?.target.lines).toEqual({ path: "/home/[user 1]/shop/a.ts", from: 1, to: 2, before: false });
  expect(seen.map(({ body: text, target: { quote } }) => [text, quote?.exact])).toEqual([
    ["why this one?", "Use [github-token 1]"],
    ["not [github-token 1]!", "ask"],
  ]);
  // Their records are those of the copy, where the second one stands elsewhere.
  expect(seen.map(({ target, state }) => [copy.find(target.recordId ?? ""), state])).toEqual([
    [0, "anchored"],
    [2, "anchored"],
  ]);
  expect(seen[1]?.target.recordId).not.toBe(lineOf(log, 2));
});

test("a guest does not see the name of a comment's writer if it is redacted in the session", async () => {
  const { annotations, sharedSession } = await openCommented();
  await annotations.add(comment("imported", { recordId: lineOf("", 0) }), "marlowe <anna@heronmail.org>");
  const { annotations: seen } = await commentsForGuest(annotations, await sharedSession());
  expect(seen.map(({ author }) => author)).toEqual(["[user 1] <[email 1]>"]);
});

test("a guest's comment is at the owner's line, under their name; they add nothing else, and nowhere else", async () => {
  const { root, annotations, sharedSession } = await openCommented();
  const log = readFileSync(join(root, LOG), "utf8");
  const session = await sharedSession();
  const recordId = session.copy.recordId(2);
  const about = { recordId, block: 0, selected: { text: "ask", before: "" } };
  const name = { author: " <b>You\nreally</b> " };
  const added = await addForGuest(annotations, session, comment("who is that?", about, name));
  expect(added).toMatchObject({ author: "<b>You really</b>", target: { recordId } });
  const [kept] = (await annotations.list(ID)).annotations;
  expect(kept).toMatchObject({
    ...{ body: "who is that?", author: "<b>You really</b>", state: "anchored" },
    target: { recordId: lineOf(log, 2), quote: { exact: "ask" } },
  });
  const answer = comment("nobody", {}, { replyTo: added.id });
  expect((await addForGuest(annotations, session, answer)).replyTo).toBe(added.id);
  expect((await annotations.list(ID)).annotations[1]?.author).toBe("");

  const star = AnnotationBody.parse({ id: "guests-star", kind: "star", target: { sessionId: ID } });
  await expect(addForGuest(annotations, session, star)).rejects.toMatchObject({ status: 400 });
  const note = AnnotationBody.parse({
    ...{ id: "owners-note", kind: "note", target: { sessionId: ID }, body: "for me" },
  });
  await annotations.add(note);
  const toNote = comment("?", {}, { replyTo: "owners-note" });
  const sameId = { ...comment("!", about), id: "owners-note" };
  for (const one of [toNote, sameId])
    await expect(addForGuest(annotations, session, one)).rejects.toMatchObject({
      code: "annotation-not-found",
    });
  expect((await annotations.list(ID)).annotations).toHaveLength(3);
});

test("a guest changes and removes their own comments, and nobody else's", async () => {
  const { annotations, sharedSession } = await openCommented();
  const [anna, bo, nobody] = [await sharedSession("anna"), await sharedSession("bo"), await sharedSession()];
  const about = { recordId: anna.copy.recordId(2), block: 0 };
  const annas = await addForGuest(annotations, anna, comment("why?", about));
  const bos = await addForGuest(annotations, bo, comment("because", {}, { replyTo: annas.id }));
  const unknown = await addForGuest(annotations, nobody, comment("!", about));
  await annotations.add(comment("mine", {}, { id: "owners-comment", replyTo: annas.id }));
  const own = async (session: typeof anna) =>
    (await commentsForGuest(annotations, session)).annotations.map(({ body: text, own: is }) => [text, is]);
  expect(await own(anna)).toEqual([
    ["why?", true],
    ["because", undefined],
    ["!", undefined],
    ["mine", undefined],
  ]);
  // The writer is not revealed to anybody, the owner included, and not exported.
  const everything = JSON.stringify([await annotations.list(ID), await annotations.list(null), annas]);
  expect(everything).not.toContain("writer");

  const edit = (id: string, session: typeof anna, more: object = {}) =>
    changeForGuest(annotations, session, id, { body: "changed", ...more });
  for (const [session, id] of [
    [bo, annas.id],
    [nobody, annas.id],
    [anna, "owners-comment"],
    [nobody, unknown.id],
    [{ ...anna, writer: "" }, unknown.id],
  ] as const) {
    await expect(edit(id, session)).rejects.toMatchObject({ code: "not-your-comment", status: 403 });
    await expect(removeForGuest(annotations, session, id)).rejects.toMatchObject({
      code: "not-your-comment",
    });
  }
  await expect(edit("never-was", anna)).rejects.toMatchObject({ code: "annotation-not-found" });
  for (const more of [{ body: undefined }, { resolved: true }, { sent: true as const }])
    await expect(edit(annas.id, anna, more)).rejects.toMatchObject({ code: "bad-parameter" });

  const edited = await edit(annas.id, anna, { revision: annas.revision });
  expect(edited).toMatchObject({ body: "changed", own: true, target: { recordId: about.recordId } });
  // Another tab of that guest, which has not seen that, replaces nothing; nor what the owner wrote meanwhile.
  await expect(edit(annas.id, anna, { revision: annas.revision - 1 })).rejects.toMatchObject({
    code: "annotation-changed",
  });
  // What others answered would go with it.
  await expect(removeForGuest(annotations, anna, annas.id)).rejects.toMatchObject({
    code: "comment-answered",
  });
  await removeForGuest(annotations, bo, bos.id);
  await annotations.remove("owners-comment");
  const again = await addForGuest(annotations, anna, comment("also this", {}, { replyTo: annas.id }));
  expect(again.own).toBe(true);
  await removeForGuest(annotations, anna, annas.id);
  expect(await own(anna)).toEqual([["!", undefined]]);
});

test("guests get the owner's position in the ids of their copy, in their session alone", async () => {
  const { root, shares, shareId, sharedSession } = await openCommented();
  const log = readFileSync(join(root, LOG), "utf8");
  const recordId = lineOf(log, 2);
  const position = {
    sessionId: ID,
    shown: { panes: `record:${recordId}`, file: "/home/marlowe/shop/a.ts" },
    thread: { at: { key: `${recordId}.0`, recordId, block: 0 }, open: [`${recordId}.0`] },
    beside: [],
  } as unknown as Position;
  const theirs = (await sharedSession()).copy.recordId(2);
  expect(theirs).not.toBe(recordId);
  expect(await shares.positionFor(shareId, position)).toMatchObject({
    shown: { panes: `record:${theirs}`, file: null },
    thread: { at: { key: `${theirs}.0`, recordId: theirs }, open: [`${theirs}.0`] },
  });
  expect(await shares.positionFor(shareId, { ...position, sessionId: OTHER })).toBeNull();
  await shares.revoke(shareId);
  expect(await shares.positionFor(shareId, position)).toBeNull();
});

test("a link without thinking and agents has neither, nor a comment's quote of one, also after a restart", async () => {
  const thinking = { type: "thinking", thinking: "hidden thought", signature: "c2ln" };
  const message = { id: "msg_1", role: "assistant", model: "claude-x", content: [thinking] };
  const logs = makeTree({
    [LOG]: thread([prompt("begin", { cwd: "/srv/shop" }), answer("", { message }), prompt("go on")]),
    [LOG.replace(".jsonl", "/subagents/agent-a1.jsonl")]: [
      prompt("hidden errand", { isSidechain: true, agentId: "a1", parentUuid: null, uuid: uuid(9) }),
    ],
  });
  const without = ["agents", "thinking"];
  const opened = await openCommented({ without }, logs);
  const { root, dataDir, shares, accesses, annotations, guest, token, shareId, sharedSession } = opened;
  expect((await shares.list())[0]?.without).toEqual(["thinking", "agents"]);
  expect(accesses).toMatchObject([{ without: ["thinking", "agents"] }]);
  const all = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
      one.isFile() ? readFileSync(join(one.parentPath, one.name), "utf8") : one.name,
    );
  expect(all((await guest.library()).logs).join("\n")).not.toMatch(/hidden|subagents/);
  expect(await prompts(shares, token)).toEqual(["begin", "go on"]);

  const log = readFileSync(join(root, LOG), "utf8");
  const key = opened.catalog.sessionFiles(ID).agents[0]?.key ?? "";
  const selected = { text: "hidden", before: "" };
  await annotations.add(comment("of a thought", { recordId: lineOf(log, 1), block: 0, selected }));
  await annotations.add(comment("of an agent", { recordId: formatRecordId(key, 0), block: 0, selected }));
  const { annotations: seen } = await commentsForGuest(annotations, await sharedSession());
  expect(seen.map((one) => one.body)).toEqual(["of a thought", "of an agent"]);
  expect(JSON.stringify(seen)).not.toContain("hidden");

  const position = (shown: object) =>
    ({
      ...{ sessionId: ID, thread: { at: null, open: [] }, beside: [{ agent: "a1", thread: {} }] },
      shown: { agent: null, panes: null, ...shown },
    }) as unknown as Position;
  expect(await shares.positionFor(shareId, position({ agent: "a1" }))).toBeNull();
  const panes = "agent:a1,files,record:a1~0,record:m~0";
  expect(await shares.positionFor(shareId, position({ panes }))).toMatchObject({
    shown: { panes: "files,record:m~0" },
    beside: [],
  });
  shares.stop();
  const next = await open(root, dataDir);
  expect(all((await libraryOf(next.shares, token)).logs).join("\n")).not.toMatch(/hidden|subagents/);
});

test.each([
  ["?at=m~0&panes=agent:a1,files&paneAt=a1@a1~0", "?at=m%7E0&panes=files"],
  ["?agent=a1&at=a1~0&detail=tools&panes=agent:a2", "?detail=tools"],
  ["?agent=a1#x=1", "#x=1"],
  ["?at=m~0&panes=files,record:m~0", "?at=m~0&panes=files,record:m~0"],
])("a link without agents that is made at %s opens %s", async (place, opens) => {
  const { shares } = await open(tree());
  const { path } = await shares.create(body({ place, without: ["agents"] }));
  expect(path).toBe(`/sessions/${ID}${opens}`);
});

test("a server that ends its shares takes its folder along, and leaves nothing to do when the process exits", async () => {
  const before = process.listenerCount("exit");
  const { shares } = await open(tree());
  const { token } = await shares.create(body());
  const { logs } = await libraryOf(shares, token);
  expect(process.listenerCount("exit")).toBe(before + 1);
  shares.stop();
  expect(existsSync(logs)).toBe(false);
  await vi.waitFor(() => expect(process.listenerCount("exit")).toBe(before));
  expect(existsSync(dirname(dirname(logs)))).toBe(false);
});
