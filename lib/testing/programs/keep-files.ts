import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Archive } from "@/lib/server/archive/archive";
import { ArchiveWorker } from "@/lib/server/archive/archive-task";
import { FolderStore } from "@/lib/server/archive/store/folder-store";

// Keeps a folder of logs in an archive once, as the server's thread does, collects what is not needed with `collect`,
// and prints "done". Kills itself at the n-th call that changes something on disk; a write of bytes half done.
const [root = "", folder = "", killAt = "0", mode = ""] = process.argv.slice(2);

const CHANGING = [
  "mkdirSync",
  "openSync",
  "fsync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "utimesSync",
];
let left = Number(killAt);

function countDown(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
for (const name of CHANGING) {
  const call = calls[name];
  if (!call) throw new Error(`There is no ${name}`);
  calls[name] = (...args) => {
    if (name !== "openSync" || args[1] === "wx") countDown();
    return call(...args);
  };
}
const write = fs.writeFileSync;
calls.writeFileSync = (...args) => {
  const [file, bytes, options] = args as Parameters<typeof write>;
  // A short text, which is a new file's, is there or not.
  const half = bytes instanceof Uint8Array ? bytes.subarray(0, bytes.length >> 1) : "";
  if (left === 1) write(file, half, options);
  countDown();
  write(file, bytes, options);
};
const writeParts = fs.writevSync;
calls.writevSync = (...args) => {
  const [file, parts] = args as Parameters<typeof writeParts>;
  const bytes = Buffer.concat(parts as Uint8Array[]);
  if (left === 1) write(file, bytes.subarray(0, bytes.length >> 1));
  countDown();
  return writeParts(file, parts);
};
syncBuiltinESMExports();

const worker = new ArchiveWorker({ folder, roots: [{ path: root, kind: "config" }] });
const status = await worker.do({ kind: "keep", paths: null }, () => undefined);
if (status.problems.length > 0) throw new Error(JSON.stringify(status.problems));
if (mode === "collect") {
  const store = new FolderStore(folder);
  store.recover(Date.now() + 1_000);
  await new Archive(store).collect(-1_000);
}
process.stdout.write("done");
