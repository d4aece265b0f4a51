import { expect, test } from "vitest";
import type { MainLog, SessionFiles } from "@/lib/server/library/session-files";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import { ReadSessions } from "./scanned-library";

test("files that were not listed again are not compared, those that were are once", () => {
  let looks = 0;
  const listed = (bytes: number): SessionFiles => {
    const log: MainLog = { path: "/a.jsonl", name: "a.jsonl", key: "m", bytes, ino: 1, dev: 1, mtimeMs: 1 };
    const main = Object.defineProperty(log, "path", {
      get: () => {
        looks += 1;
        return "/a.jsonl";
      },
    });
    const [id, projectId] = ["a" as SessionId, "shop" as ProjectId];
    return { id, projectId, projectPath: "/", root: "/", main, agents: [], folder: null };
  };
  const read = new ReadSessions();
  const files = listed(1);
  const holds = (one: SessionFiles) => {
    looks = 0;
    return [read.holds(one), looks];
  };
  expect(holds(files)).toEqual([false, 0]);
  read.put(files, {} as StoredEntry, true);
  expect(holds(files)).toEqual([true, 0]);
  const again = listed(1);
  expect(holds(again)).toEqual([true, 2]);
  expect(holds(again)).toEqual([true, 0]);
  expect(holds(listed(2))).toEqual([false, 2]);
});
