import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { EventLog } from "./event-log";

/** How many bytes of what is added the disk takes, and what another process adds at once behind them. */
const disk = vi.hoisted(() => ({ room: Number.POSITIVE_INFINITY, behind: "" }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:fs/promises")>();
  const open = async (...asked: Parameters<typeof real.open>) => {
    const handle = await real.open(...asked);
    if (asked[1] !== "a") return handle;
    const write = handle.write.bind(handle);
    const cut = async (bytes: Uint8Array) => {
      const done = await write(bytes.subarray(0, Math.min(bytes.length, disk.room)));
      if (disk.behind !== "") await real.appendFile(asked[0], disk.behind);
      return done;
    };
    return Object.assign(handle, { write: cut });
  };
  return { ...real, open };
});

beforeEach(() => void Object.assign(disk, { room: Number.POSITIVE_INFINITY, behind: "" }));

const logIn = () => {
  const path = join(makeTree({}), "events.jsonl");
  return { path, log: new EventLog(path) };
};

test.each([
  [1, ""],
  [2, ""],
  [9, ""],
  [13, ""],
  [9, '\n{"of":"another"}\n'],
  [13, '\n{"of":"another"}\n'],
])(
  "a line of which a full disk took %d bytes leaves nothing that is read (then came %j)",
  async (room, behind) => {
    const { path, log } = logIn();
    await log.append('{"is":"one"}');
    Object.assign(disk, { room, behind });
    await expect(log.append('{"is":"two"}')).rejects.toMatchObject({ code: "ENOSPC" });
    Object.assign(disk, { room: Number.POSITIVE_INFINITY, behind: "" });
    await log.append('{"is":"three"}');
    const lines = ['{"is":"one"}', ...(behind ? [behind.trim()] : []), '{"is":"three"}'];
    const { lines: read } = await new EventLog(path).readOn();
    expect(read.map(({ text }) => text)).toEqual(lines);
    expect((await log.readOn()).lines).toEqual(read);
    expect(readFileSync(path, "utf8").split("\n").filter(Boolean)).toEqual(lines);
  },
);

test("a file that was cut, or replaced by a longer one, is read from its beginning", async () => {
  const { path, log } = logIn();
  const read = async () => {
    const { lines, again } = await log.readOn();
    return [lines.map(({ text }) => text), again];
  };
  await log.append('{"n":1}');
  await log.append('{"n":2}');
  expect(await read()).toEqual([['{"n":1}', '{"n":2}'], false]);
  writeFileSync(path, '{"cut":1}\n');
  expect(await read()).toEqual([['{"cut":1}'], true]);
  expect(await read()).toEqual([[], false]);
  // Another file by the same name, as a backup that is put back.
  writeFileSync(`${path}.backup`, '{"kept":1}\n{"kept":2}\n{"kept":3}\n');
  renameSync(`${path}.backup`, path);
  expect(await read()).toEqual([['{"kept":1}', '{"kept":2}', '{"kept":3}'], true]);
});
