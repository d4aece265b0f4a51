import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { Archive } from "../archive";
import { KeptFileReader } from "../kept-file-reader";
import { type LogArchive, openLogArchive } from "../log-archive";
import { FolderStore } from "../store/folder-store";

const SOON = { batchMs: 5, lookAfterMs: 20, retryMs: 20 };
const LOG = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
const OTHER = `projects/-home-dev-shop/${uuid(2)}.jsonl`;

function open(root: string, folder: string): LogArchive {
  const archive = openLogArchive(folder, [{ path: root, kind: "config" }], SOON);
  onTestFinished(() => archive.stop());
  return archive;
}

function kept(folder: string, path: string): string | null {
  const reader = new KeptFileReader(new FolderStore(folder));
  const file = reader.find(path);
  if (!file) return null;
  const into = new Uint8Array(file.bytes);
  reader.read(file, 0, file.bytes, into);
  return Buffer.from(into).toString("utf8");
}

const codes = (archive: LogArchive) => archive.warnings.map(({ code, message }) => `${code}: ${message}`);

/** A disk of this many KiB, which only root can make. */
function smallDisk(kib: number): string {
  const folder = makeTree({});
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "backscroll-test", folder]);
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
  });
  return folder;
}

function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = makeTree({});
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "backscroll-test", folder], { stdio: "ignore" });
  } catch {
    return false; // a container that may not
  }
  execFileSync("umount", [folder]);
  return true;
}

test("a full disk is reported once, loses nothing that was kept, and everything is kept when there is room", async (context) => {
  if (!canMount()) return context.skip("only root can make a small disk, where it may mount one");
  const disk = smallDisk(400);
  const folder = join(disk, "archive");
  const root = makeTree({ [LOG]: [prompt("one")] });
  const archive = open(root, folder);
  archive.fill();
  await expect.poll(() => kept(folder, join(root, LOG))).toBe(toText([prompt("one")]));
  writeFileSync(join(disk, "ballast"), "x".repeat(300_000));
  // What no compression fits into 100 KiB: 180,000 random bytes in hexadecimal.
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("hex");
  const long = toText([prompt(random()), prompt(random()), prompt(random())]);
  writeFileSync(join(root, OTHER), long);
  archive.touch(join(root, OTHER));
  const full = ["archive-unwritable: New lines are not kept in the archive: the disk is full"];
  await expect.poll(() => codes(archive)).toEqual(full);
  appendFileSync(join(root, LOG), toText([prompt("two")]));
  archive.touch(join(root, LOG));
  expect(codes(archive)).toEqual(full);
  expect((await new Archive(new FolderStore(folder)).verify()).problems).toEqual([]);
  rmSync(join(disk, "ballast"));
  await expect.poll(() => codes(archive)).toEqual([]);
  await expect.poll(() => kept(folder, join(root, LOG))).toBe(toText([prompt("one"), prompt("two")]));
  await expect.poll(() => kept(folder, join(root, OTHER)) === long).toBe(true);
  expect((await new Archive(new FolderStore(folder)).verify()).problems).toEqual([]);
});

test("a disk that became read-only is reported once, and used again when it is writable", async (context) => {
  if (!canMount()) return context.skip("only root can make a small disk, where it may mount one");
  const disk = smallDisk(4_000);
  const folder = join(disk, "archive");
  const root = makeTree({ [LOG]: [prompt("one")] });
  const archive = open(root, folder);
  archive.fill();
  await expect.poll(() => kept(folder, join(root, LOG))).toBe(toText([prompt("one")]));
  execFileSync("mount", ["-o", "remount,ro", disk]);
  appendFileSync(join(root, LOG), toText([prompt("two")]));
  archive.touch(join(root, LOG));
  await expect
    .poll(() => codes(archive))
    .toEqual(["archive-unwritable: New lines are not kept in the archive: the disk is read-only"]);
  expect(kept(folder, join(root, LOG))).toBe(toText([prompt("one")]));
  execFileSync("mount", ["-o", "remount,rw", disk]);
  await expect.poll(() => kept(folder, join(root, LOG))).toBe(toText([prompt("one"), prompt("two")]));
  await expect.poll(() => codes(archive)).toEqual([]);
});

const isUser = process.getuid !== undefined && process.getuid() !== 0;

test("a folder without write permission is reported once, and used when it is writable", async (context) => {
  if (!isUser) return context.skip("root may write everywhere");
  const above = makeTree({});
  chmodSync(above, 0o500);
  onTestFinished(() => chmodSync(above, 0o700));
  const root = makeTree({ [LOG]: [prompt("one")] });
  const archive = open(root, join(above, "archive"));
  archive.fill();
  await expect
    .poll(() => codes(archive))
    .toEqual(["archive-unwritable: New lines are not kept in the archive: its folder may not be written"]);
  chmodSync(above, 0o700);
  await expect.poll(() => kept(join(above, "archive"), join(root, LOG))).toBe(toText([prompt("one")]));
  await expect.poll(() => codes(archive)).toEqual([]);
});

test("two servers on one folder keep the same logs, and lose nothing", async () => {
  const root = makeTree({ [LOG]: [prompt("one")], [OTHER]: [prompt("two")] });
  const folder = join(makeTree({}), "archive");
  mkdirSync(folder);
  const servers = [open(root, folder), open(root, folder)];
  for (const server of servers) server.fill();
  let text = toText([prompt("one")]);
  for (let n = 0; n < 30; n++) {
    const line = toText([prompt(`line ${n}`)]);
    appendFileSync(join(root, LOG), line);
    text += line;
    for (const server of servers) server.touch(join(root, LOG));
  }
  await expect.poll(() => kept(folder, join(root, LOG))).toBe(text);
  const archive = new Archive(new FolderStore(folder));
  await expect.poll(async () => (await archive.files()).length).toBe(2);
  expect((await archive.find(join(root, LOG)))?.generation).toBe(0);
  expect((await archive.verify()).problems).toEqual([]);
  expect(servers.flatMap(codes)).toEqual([]);
});
