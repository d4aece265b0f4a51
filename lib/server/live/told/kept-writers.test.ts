import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { readKeptWriters, writeKeptWriters } from "./kept-writers";

const ID = "5be11000-0000-4000-8000-000000000000" as SessionId;
const WRITER = { pid: 11, startTicks: "1000", slug: "-home-dev-shop", readTo: 900, bytesWritten: 1_800 };

describe.runIf(process.platform === "linux")("what is kept of clients that write logs", () => {
  let dir: string;
  let path: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "backscroll-writers-"));
    path = join(dir, "log-writers.json");
    onTestFinished(() => rmSync(dir, { recursive: true }));
    await writeKeptWriters(dir, new Map([[ID, WRITER]]));
  });
  const known = async () => [...(await readKeptWriters(dir)).writers];

  it("is known to the next run, and when it was kept", async () => {
    expect(await known()).toEqual([[ID, WRITER]]);
    expect((await readKeptWriters(dir)).atMs).toBeGreaterThan(0);
  });

  it("is nothing once the system was started anew: its processes are others", async () => {
    writeFileSync(path, readFileSync(path, "utf8").replace(/"system":"\w/, '"system":"-'));
    expect(await known()).toEqual([]);
  });

  it("is nothing where the file is damaged or there is none, and nothing fails", async () => {
    writeFileSync(path, '{"system":');
    expect(await known()).toEqual([]);
    rmSync(path);
    expect(await known()).toEqual([]);
    expect([...(await readKeptWriters(null)).writers]).toEqual([]);
    await writeKeptWriters(null, new Map([[ID, WRITER]]));
    await writeKeptWriters(join(dir, "none"), new Map([[ID, WRITER]]));
  });

  it("is what has its shape", async () => {
    const other = '"other":{"pid":"12"},';
    writeFileSync(path, readFileSync(path, "utf8").replace('"writers":{', `"writers":{${other}`));
    expect(await known()).toEqual([[ID, WRITER]]);
  });
});
