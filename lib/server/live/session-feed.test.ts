import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RunningCalls } from "@/lib/server/session/running-calls";
import { LogWriter } from "@/lib/testing/log-writer";
import { idOf, openFolder } from "@/lib/testing/transcript";
import type { EventStream } from "./event-stream";
import { continuesFrom, formatStreamOffset, SessionFeed, streamOffsetOf } from "./session-feed";

const SESSION = "feed0000-0000-4000-8000-000000000000";
const CALLING = "feed0000-0000-4000-8000-000000000002";
const RETURNING = "feed0000-0000-4000-8000-000000000001";
const PLACES = "feed0000-0000-4000-8000-000000000003";
const dir = mkdtempSync(join(tmpdir(), "backscroll-feed-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("a session that is read for its readers", () => {
  it("is read once more for whoever asks in the moment in which a reading ends", async () => {
    const log = join(dir, "projects", "-home-dev-shop", `${SESSION}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    new LogWriter(log, "root").prompt("Go on");
    const folder = await openFolder(dir);
    const session = await folder.sessions.latest(idOf(folder, SESSION));
    let readings = 0;
    const latest = async () => {
      readings += 1;
      return session;
    };
    const missed: number[] = [];
    for (let turns = 0; turns < 30; turns++) {
      const feed = new SessionFeed(session.files.id, latest, () => null);
      void feed.update();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const before = readings;
      await feed.update();
      if (readings === before) missed.push(turns);
    }
    expect(missed).toEqual([]);
  });

  it("tells of a call with its line that it runs, and that it asks", async () => {
    const log = join(dir, "projects", "-home-dev-shop", `${CALLING}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    const writer = new LogWriter(log, "root");
    writer.prompt("Test it");
    const folder = await openFolder(dir);
    const ids = new Set<string>();
    let asks: RunningCalls["asks"] = null;
    const running = () => ({ ids: new Set(ids), asks, asked: null, agents: new Set<string>(), readTo: null });
    const feed = new SessionFeed(idOf(folder, CALLING), folder.sessions.latest, running);
    const told: string[] = [];
    const stream = { send: (bytes: Uint8Array) => told.push(new TextDecoder().decode(bytes)) };
    const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
    await feed.join(stream as unknown as EventStream, view, { fold: [], runs: null });
    const statesTold = async () => {
      told.length = 0;
      await feed.update();
      return [...told.join().matchAll(/"subject":"([^"]*)".*?"state":"([^"]*)","result":"?([^",]*)/g)].map(
        ([, ...words]) => words.join(", "),
      );
    };
    ids.add(writer.call("Bash", { command: "npm test" }));
    expect(await statesTold()).toEqual(["npm test, running, null"]);
    ids.add(writer.call("Bash", { command: "npm publish" }));
    asks = "permission";
    expect(await statesTold()).toEqual([
      "npm test, running, asks permission",
      "npm publish, running, asks permission",
    ]);
  });

  it("tells its readers later what could not be read when it was written", async () => {
    const log = join(dir, "projects", "-home-dev-shop", `${RETURNING}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    const writer = new LogWriter(log, "root");
    writer.prompt("Go on");
    const folder = await openFolder(dir);
    const id = idOf(folder, RETURNING);
    let isAway = false;
    const feed = new SessionFeed(id, folder.sessions.latest, () => {
      // Behind the look at what is new, before its lines are read.
      if (isAway) renameSync(log, `${log}.away`);
      return null;
    });
    const sent: string[] = [];
    const stream = { send: (bytes: Uint8Array) => sent.push(new TextDecoder().decode(bytes)) };
    const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
    await feed.join(stream as unknown as EventStream, view, { fold: [], runs: null });
    writer.say("One more line.");
    isAway = true;
    await expect(feed.update()).rejects.toMatchObject({ code: "file-gone" });
    isAway = false;
    renameSync(`${log}.away`, log);
    await feed.update();
    expect(sent.join()).toContain("One more line.");
  });
});

describe("the place up to which a reader has a session", () => {
  it("is the beginning of what there is now, or of nothing that there is", async () => {
    const log = join(dir, "projects", "-home-dev-shop", `${PLACES}.jsonl`);
    mkdirSync(dirname(log), { recursive: true });
    const writer = new LogWriter(log, "root");
    writer.prompt("Test it");
    const folder = await openFolder(dir);
    const latest = () => folder.sessions.latest(idOf(folder, PLACES));
    const begun = formatStreamOffset(streamOffsetOf(await latest()));
    expect(continuesFrom(begun, await latest())).toBe("same");
    writer.say("Done");
    const grown = await latest();
    expect(continuesFrom(begun, grown)).toBe("grown");
    const there = formatStreamOffset(streamOffsetOf(grown));
    // Further than it reaches, of other files, or none at all.
    expect(continuesFrom(there.replace(/(\d+)\.0$/, "99999.0"), grown)).toBeNull();
    expect(continuesFrom(there.replace(/0$/, "1"), grown)).toBeNull();
    expect(continuesFrom(there.replace(/^./, "~"), grown)).toBeNull();
    expect(continuesFrom("1-2-3", grown)).toBeNull();
    // Cut, and written again with other words.
    rmSync(log);
    const again = new LogWriter(log, "root");
    again.prompt("Taste it");
    again.say("Done");
    await folder.catalog.list();
    expect(continuesFrom(begun, await latest())).toBeNull();
  });
});
