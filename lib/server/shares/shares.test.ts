import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ViewerError } from "@/lib/server/runtime/viewer-error";
import { makeTree, prompt, toText } from "@/lib/testing/log-tree";
import {
  chained,
  type GuestLibrary,
  guestLibrary,
  guestPrompts,
  openShares,
  SHARED,
  SHARED_LOG,
  SHARED_SECRET,
  shareBody,
  shopLogs,
  UNSHARED,
} from "@/lib/testing/opened-shares";
import type { SessionId } from "@/lib/wire/ids";
import type { Guest } from "./shares";

test("a guest has the one session, without its secrets", async () => {
  const { shares } = await openShares(shopLogs());
  const { token, path } = await shares.create(shareBody({ place: "?at=m~0" }));
  expect(path).toBe(`/sessions/${SHARED}?at=m~0`);
  expect(await guestPrompts(shares, token)).toEqual(["Use [github-token 1]", "ask [email 1] and [email 2]"]);
  const { catalog } = await guestLibrary(shares, token);
  expect(catalog.summaries().map(({ id }) => id)).toEqual([SHARED]);
  expect(() => catalog.sessionFiles(UNSHARED)).toThrow("Session not found");
});

test("a link that cannot be made reports what is wrong, and not that the disk was full", async () => {
  const { shares, dataDir } = await openShares(shopLogs());
  writeFileSync(join(dataDir, "redact.txt"), "(unclosed\n");
  await expect(shares.create(shareBody())).rejects.toMatchObject({ code: "bad-pattern" });
});

test("a guest is told nothing of the owner's but what is shared, whatever keeps their link from opening", async () => {
  const log = join("projects", "-home-marlowe-shop", "merger-with-heron.jsonl");
  const { shares, root, dataDir, catalog, accesses } = await openShares(makeTree({ [log]: [prompt("one")] }));
  await catalog.list();
  const [summary] = catalog.summaries();
  const { token, id } = await shares.create(shareBody({ sessionId: summary?.id, comments: true }));
  expect(summary?.id).toMatch(/^merger-with-heron-/);
  expect(JSON.stringify(accesses)).not.toContain("heron");
  shares.stop();
  const again = await openShares(root, dataDir);
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
  const { shares } = await openShares(shopLogs());
  const file = encodeURIComponent("/home/marlowe/shop/a b.ts");
  const place = `?at=m~0&view=changes&file=${file}&q=${SHARED_SECRET}&bad=%E0%A4%A#m~0.0`;
  const { path } = await shares.create(shareBody({ place }));
  const [, search, hash] = /\?(.*)#(.*)/.exec(path) ?? [];
  expect(search).toMatch(/^at=m~0&view=changes&/);
  expect(hash).toBe("m~0.0");
  expect(new URLSearchParams(search).get("file")).toBe("/home/[user 1]/shop/a b.ts");
  expect(new URLSearchParams(search).get("q")).toBe("[github-token 1]");
  expect((await shares.create(shareBody({ place, redact: false }))).path).toBe(`/sessions/${SHARED}${place}`);
});

test("a file's path, or searched words, that look like the place of a record stay as they are", async () => {
  const { shares } = await openShares(shopLogs());
  // Behind the first line of the copy, whose secret is shorter there.
  const place = `?at=m~zz&view=changes&file=m~zz.ts&q=m%7Ezz%20side9#m~zz.0`;
  const { path } = await shares.create(shareBody({ place }));
  const [, at, rest] = /at=m~(\w+)(.*)#/.exec(path) ?? [];
  expect(at).not.toBe("zz");
  expect(rest).toBe("&view=changes&file=m~zz.ts&q=m%7Ezz%20side9");
});

test("a link that is made beside another session does not name that", async () => {
  const { shares } = await openShares(shopLogs());
  const made = async (place: string) => (await shares.create(shareBody({ place, redact: false }))).path;
  for (const left of [UNSHARED, "a-log-about-heron"])
    expect(await made(`?detail=tools&view=compare&left=${left}&look=prompts#x=1`)).toBe(
      `/sessions/${SHARED}?detail=tools#x=1`,
    );
  const branches = "?view=compare&left=m~0&right=m~9";
  expect(await made(branches)).toBe(`/sessions/${SHARED}${branches}`);
});

test("secrets that the owner excepts stay, and with redaction off all do", async () => {
  const { shares } = await openShares(shopLogs());
  const excepted = await shares.create(shareBody({ except: ["email 2"] }));
  expect((await guestPrompts(shares, excepted.token))[1]).toBe("ask [email 1] and bo@heronmail.org");
  const plain = await shares.create(shareBody({ redact: false }));
  expect((await guestPrompts(shares, plain.token))[0]).toBe(`Use ${SHARED_SECRET}`);
});

test("later lines arrive, without their secrets", async () => {
  const { root, shares } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  await guestPrompts(shares, token);
  appendFileSync(join(root, SHARED_LOG), toText(chained([prompt(`now npm_${"aB3dE5fG7hI9".repeat(3)}`)], 3)));
  shares.touch(join(root, SHARED_LOG));
  await expect.poll(() => guestPrompts(shares, token)).toHaveLength(3);
  expect((await guestPrompts(shares, token))[2]).toMatch(/^now \[npm-token \d+\]$/);
});

test("a follower of a share gets changes that no watch reports, without requests", async () => {
  const { root, shares } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  const { catalog } = await guestLibrary(shares, token);
  const [session] = catalog.summaries();
  const { path: copy } = catalog.sessionFiles(session?.id as SessionId).main;
  const guest = await shares.guest(token);
  const end = guest?.follow();
  appendFileSync(join(root, SHARED_LOG), toText(chained([prompt("written unseen")], 3)));
  await vi.waitFor(() => expect(readFileSync(copy, "utf8")).toContain("written unseen"), { timeout: 60_000 });
  end?.();
});

test("a guest sees that a session is running, even while another client's entry is being written", async () => {
  const root = shopLogs();
  mkdirSync(join(root, "sessions"));
  writeFileSync(
    join(root, "sessions/41.json"),
    JSON.stringify({ pid: 41, sessionId: SHARED, status: "busy" }),
  );
  writeFileSync(join(root, "sessions/42.json"), '{"pid": 42, "sess');
  // Nobody writes to it, so reading it would never end.
  if (process.platform !== "win32") execFileSync("mkfifo", [join(root, "sessions/43.json")]);
  const { shares } = await openShares(root);
  const { token } = await shares.create(shareBody());
  const { logs } = await guestLibrary(shares, token);
  expect(readdirSync(join(logs, "sessions"))).toEqual(["41.json"]);
});

test("a revoked link opens nothing, and ends what it had opened", async () => {
  const { shares, accesses, disposed } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody());
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
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
  await expect(guest.redact(SHARED_SECRET)).rejects.toMatchObject({ code: "share-ended" });
  expect(accesses.length).toBe(1);
});

test("what fails behind a link's requests is reported on the console, but for a link that cannot be opened", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  const said = () => reported.mock.calls.map(([message, error]) => `${message} ${String(error)}`);
  const root = shopLogs();
  const { shares, catalog } = await openShares(root, makeTree({}), () =>
    Promise.reject(new TypeError("not closed")),
  );
  await catalog.list();
  const { id, token } = await shares.create(shareBody({ comments: true }));
  await guestLibrary(shares, token);
  shares.commentsChanged(SHARED, () => {
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
  const gone = await openShares(root);
  const { token: stale } = await gone.shares.create(shareBody({ comments: true }));
  const { shares: next } = await openShares(makeTree({}), gone.dataDir);
  const asked = (await next.guest(stale))?.library();
  next.commentsChanged(SHARED, () => undefined);
  await expect(asked).rejects.toMatchObject({
    ...{ code: "session-not-found", status: 404 },
    hint: expect.stringContaining("Ask whoever sent the link"),
  });
  await next.list();
  expect(reported).not.toHaveBeenCalled();
});

test("the owner sees what is shared; no token is stored", async () => {
  const { dataDir, shares } = await openShares(shopLogs());
  const { id, token } = await shares.create(shareBody({ except: ["email 1"] }));
  const [listed] = await shares.list();
  expect(listed).toMatchObject({ id, sessionId: SHARED, redacted: true, lastUsedAtMs: null, readers: 0 });
  const guest = (await shares.guest(token)) as Guest<GuestLibrary>;
  const left = guest.follow();
  expect((await shares.list())[0]).toMatchObject({ lastUsedAtMs: expect.any(Number), readers: 1 });
  left();
  expect((await shares.list())[0]?.readers).toBe(0);
  const written = readFileSync(join(dataDir, "shares.json"), "utf8");
  expect(written).toContain(id);
  for (const secret of [token, token.slice(10), "anna@heronmail.org"]) expect(written).not.toContain(secret);
});

test("a link with many readers at once causes no warning on the console", async () => {
  const { shares } = await openShares(shopLogs());
  const { token } = await shares.create(shareBody());
  const warned = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warned.mockRestore());
  const guest = await shares.guest(token);
  for (let reader = 0; reader < 20; reader++) guest?.signal.addEventListener("abort", () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned).not.toHaveBeenCalled();
});

test.each([
  ["?at=m~0&panes=agent:a1,files&paneAt=a1@a1~0", "?at=m%7E0&panes=files"],
  ["?agent=a1&at=a1~0&detail=tools&panes=agent:a2", "?detail=tools"],
  ["?agent=a1#x=1", "#x=1"],
  ["?view=waterfall&step=a1~9", "?view=waterfall"],
  ["?view=waterfall&step=m~9", "?view=waterfall&step=m~9"],
  ["?at=m~0&panes=files,record:m~0", "?at=m~0&panes=files,record:m~0"],
])("a link without agents that is made at %s opens %s", async (place, opens) => {
  const { shares } = await openShares(shopLogs());
  const { path } = await shares.create(shareBody({ place, without: ["agents"] }));
  expect(path).toBe(`/sessions/${SHARED}${opens}`);
});
