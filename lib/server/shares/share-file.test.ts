import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { ShareFile, type ShareRecord } from "./share-file";

/** How many readings of a file fail from now on, and with which fault of the system. */
const readings = vi.hoisted(() => ({ failing: 0, code: "EMFILE" }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const readFile = async (...asked: Parameters<typeof real.readFile>) => {
    readings.failing -= 1;
    if (readings.failing >= 0) throw Object.assign(new Error(readings.code), { code: readings.code });
    return real.readFile(...asked);
  };
  return { ...real, readFile };
});

let folder: string;
beforeEach(() => {
  Object.assign(readings, { failing: 0, code: "EMFILE" });
  folder = mkdtempSync(join(tmpdir(), "backscroll-share-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const share = (id: string): ShareRecord => ({
  ...{ id, sessionId: "s" as SessionId, tokenHash: `hash of ${id}`, redact: true, comments: false, kept: [] },
  without: [],
  ...{ createdAtMs: 1, expiresAtMs: 2, lastUsedAtMs: null },
});
const stored = () =>
  (JSON.parse(readFileSync(join(folder, "shares.json"), "utf8")) as ShareRecord[]).map(({ id }) => id);
const told = ({ shares, warning }: Awaited<ReturnType<ShareFile["read"]>>) => [
  shares.map(({ id }) => id),
  warning?.code,
];

test("links that cannot be read for a moment open all the same", async () => {
  writeFileSync(join(folder, "shares.json"), JSON.stringify([share("one")]));
  readings.failing = 3;
  expect(told(await new ShareFile(folder).read())).toEqual([["one"], undefined]);
});

test("a link of a later version, which may say more of what its guests do not get, stays and does not open", async () => {
  const later = [
    { ...share("two"), hides: ["the prompts"] },
    { ...share("three"), without: ["prompts"] },
  ];
  const path = join(folder, "shares.json");
  writeFileSync(path, JSON.stringify([share("one"), ...later]));
  const file = new ShareFile(folder);
  expect(told(await file.read())).toEqual([["one"], "shares-newer"]);
  await file.save(() => [share("one"), share("four")]);
  expect(stored()).toEqual(["one", "four", "two", "three"]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(expect.arrayContaining(later));
  expect(readdirSync(folder)).toEqual(["shares.json"]);
});

test.each([["EMFILE"], ["EACCES"], ["EPERM"]])(
  "links that cannot be read for longer are lost to this server alone: nothing moves or replaces their file (%s)",
  async (code) => {
    writeFileSync(join(folder, "shares.json"), JSON.stringify([share("one")]));
    Object.assign(readings, { failing: 100, code });
    const file = new ShareFile(folder);
    expect(told(await file.read())).toEqual([[], "shares-unreadable"]);
    await expect(file.save(() => [share("two")])).rejects.toMatchObject({ code: "share-unwritable" });
    readings.failing = 0;
    expect([readdirSync(folder), stored()]).toEqual([["shares.json"], ["one"]]);
    await file.save(() => [share("two")]);
    expect(stored()).toEqual(["two", "one"]);
    expect(told(await new ShareFile(folder).read())).toEqual([["two", "one"], undefined]);
  },
);

test("a link that leaves something out stands where a version that does not know of that cannot widen it", async () => {
  const limited: ShareRecord = { ...share("two"), without: ["thinking"] };
  const path = join(folder, "shares.json");
  // As an earlier version has stored it.
  writeFileSync(path, JSON.stringify([share("one"), limited]));
  const first = new ShareFile(folder);
  expect(told(await first.read())).toEqual([["one", "two"], undefined]);
  await first.save(() => [share("one"), limited]);
  expect(stored()).toEqual(["one"]);
  expect(told(await new ShareFile(folder).read())).toEqual([["one", "two"], undefined]);
  const second = new ShareFile(folder);
  await second.read();
  // The first version reads and writes this file alone.
  writeFileSync(path, JSON.stringify([share("three")]));
  expect(await second.save(() => [share("one"), limited])).toEqual(["one"]);
  expect((await new ShareFile(folder).read()).shares).toEqual([share("three"), limited]);
  // Taken back by another server, it ends here.
  expect(await first.save(() => [])).toEqual([]);
  expect(await second.save(() => [limited])).toEqual(["two"]);
});
