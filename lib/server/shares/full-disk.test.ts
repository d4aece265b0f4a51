import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { SessionCopy } from "./session-copy";

/** How many more bytes the disk takes. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY }));

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const full = () => Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  /** Writes what there is room for, as the system does, and says how much that was. */
  const writeSync = (descriptor: number, bytes: Uint8Array, from: number, length: number, at: number) => {
    if (disk.room === 0) throw full();
    const written = fs.writeSync(descriptor, bytes, from, Math.min(length, disk.room), at);
    disk.room -= written;
    return written;
  };
  const writeFileSync: typeof fs.writeFileSync = (file, data, options) => {
    if (typeof data !== "string" && data.byteLength > disk.room) throw full();
    fs.writeFileSync(file, data, options);
  };
  return { ...fs, writeSync, writeFileSync };
});

const PLACE = `projects/-srv-shop/${uuid(1)}.jsonl`;

test.each([0, 1.1, 2.3])("a copy that a full disk cut after %f MiB continues when there is room", (mib) => {
  const line = (name: string) => prompt(name.padEnd(1 << 19, "-"), { cwd: "/srv" });
  const root = makeTree({ [PLACE]: [line("one")] });
  const [log, folder] = [join(root, PLACE), join(makeTree({}), "copy")];
  const copy = new SessionCopy(folder, { own: [], learned: null, learnedUpTo: {}, kept: [] });
  const sources = [{ root, path: log, place: PLACE, key: "m" }];
  copy.update(sources);
  appendFileSync(log, toText(["two", "three", "four", "five", "six", "seven"].map(line)));
  disk.room = Math.floor(mib * (1 << 20));
  expect(() => copy.update(sources)).toThrow("ENOSPC");
  disk.room = Number.POSITIVE_INFINITY;
  copy.update(sources);
  expect(readFileSync(join(folder, PLACE), "utf8") === readFileSync(log, "utf8")).toBe(true);
});

test("a file beside the log that did not fit is copied when there is room", () => {
  const place = `projects/-srv-shop/${uuid(1)}/tool-results/out.txt`;
  const root = makeTree({ [place]: ["text"] });
  const folder = join(makeTree({}), "copy");
  const copy = new SessionCopy(folder, { own: [], learned: null, learnedUpTo: {}, kept: [] });
  const sources = [{ root, path: join(root, place), place, key: null }];
  disk.room = 0;
  expect(() => copy.update(sources)).toThrow("ENOSPC");
  disk.room = Number.POSITIVE_INFINITY;
  expect(copy.update(sources)).toBe(true);
  expect(readFileSync(join(folder, place), "utf8")).toBe("text\n");
});
