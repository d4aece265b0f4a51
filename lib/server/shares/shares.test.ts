import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { rowsOf } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { ShareBody } from "@/lib/wire/requests";
import { SHARE_TIMES } from "@/lib/wire/shares";
import { CopyWorker } from "./copy-task";
import { type Guest, Shares } from "./shares";

const ID = uuid(1) as SessionId;
const OTHER = uuid(2) as SessionId;
const TOKEN = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
const LOG = `projects/-home-marlowe-shop/${ID}.jsonl`;

type Library = { catalog: Catalog; sessions: SessionQueries; logs: string; dispose(): void };
type Opened = { root: string; dataDir: string; shares: Shares<Library>; disposed: () => number };

/** A server's shares over one folder, with all work in this thread. */
async function open(root: string, dataDir = makeTree({})): Promise<Opened> {
  // Not listed yet: a link may be made right after the start.
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  const copies = new CopyWorker();
  let disposed = 0;
  const shares = new Shares<Library>({
    catalog,
    secrets: new SessionSecrets(catalog, scanSecrets, dataDir),
    dataDir,
    ask: (task) => copies.do(task),
    open: (logs) => {
      const copied = new Catalog([{ path: logs, kind: "config" }]);
      return {
        catalog: copied,
        sessions: createSessions(copied, { scan }),
        logs,
        dispose: () => void (disposed += 1),
      };
    },
  });
  onTestFinished(() => shares.stop());
  return { root, dataDir, shares, disposed: () => disposed };
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

/** What there is for whoever comes with this token. */
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

test("what the owner excepts stays, and with redaction off everything does", async () => {
  const { shares } = await open(tree());
  const excepted = await shares.create(body({ except: ["email 2"] }));
  expect((await prompts(shares, excepted.token))[1]).toBe("ask [email 1] and bo@heronmail.org");
  const plain = await shares.create(body({ redact: false }));
  expect((await prompts(shares, plain.token))[0]).toBe(`Use ${TOKEN}`);
});

test("what is written later arrives, without its secrets", async () => {
  const { root, shares } = await open(tree());
  const { token } = await shares.create(body());
  await prompts(shares, token);
  appendFileSync(join(root, LOG), toText(thread([prompt(`now npm_${"aB3dE5fG7hI9".repeat(3)}`)], 3)));
  shares.touch(join(root, LOG));
  await expect.poll(() => prompts(shares, token)).toHaveLength(3);
  expect((await prompts(shares, token))[2]).toMatch(/^now \[npm-token \d+\]$/);
});

test("a link that is taken back opens nothing, and ends what it had opened", async () => {
  const { shares, disposed } = await open(tree());
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

test("the owner sees what is shared; no token is written down", async () => {
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

test("a session that is not there cannot be shared, and copies of killed servers are removed", async () => {
  const left = mkdtempSync(join(tmpdir(), "backscroll-shares-999999999-"));
  onTestFinished(() => rmSync(left, { recursive: true, force: true }));
  const { shares } = await open(tree());
  await expect(shares.create(body({ sessionId: uuid(9) }))).rejects.toMatchObject({
    code: "session-not-found",
  });
  const { token } = await shares.create(body());
  const { logs } = await libraryOf(shares, token);
  expect(existsSync(left)).toBe(false);
  expect(readdirSync(join(logs, "projects"))).toEqual(["-home-user-1-shop"]);
  shares.stop();
  expect(existsSync(dirname(dirname(logs)))).toBe(false);
});
