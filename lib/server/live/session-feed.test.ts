import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LogWriter } from "@/lib/testing/log-writer";
import { idOf, openFolder } from "@/lib/testing/transcript";
import { SessionFeed } from "./session-feed";

const SESSION = "feed0000-0000-4000-8000-000000000000";
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
});
