import { afterAll, describe, expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { type RecordedVersion, unpackRecording } from "@/lib/testing/recorded";
import type { RelatedResponse } from "@/lib/wire/session";
import { createSessions } from "./sessions";

/** Scenario (`--fork-session`, `/branch`, "Clear context") → what each of its sessions is to the other. */
const RELATIONS: [RecordedVersion, string, string[]][] = [
  // Whatever goes on in print mode is a new file with new uuids. All five begin with two records of the first, and the
  // two that were resumed one after the other share a second turn.
  [
    "1.0.60",
    "resume",
    [...Array<string>(18).fill("shares-history 2"), ...Array<string>(2).fill("shares-history 4")],
  ],
  ["1.0.60", "compacted", Array<string>(6).fill("shares-history 14")],
  // In the terminal the uuids stay, and a person's lines keep the old session's id.
  ["1.0.60", "tui-queue", ["fork 7", "forked-from 7"]],
  ["1.0.128", "resume", ["shares-history 6", "shares-history 6"]],
  ["2.0.42", "resume", ["fork 6", "forked-from 6"]],
  ["2.0.76", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.29", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.42", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.330", "resume", ["shares-history 16", "shares-history 16"]],
  ["2.1.29", "tui-plan", ["continued-in 0", "continues 0"]],
  ["2.1.42", "tui-plan", ["continued-in 0", "continues 0"]],
  // After "summarize from here" the copy writes what was kept once more: it holds 15 uuids twice.
  ["2.1.330", "tui-extra", ["fork 41", "forked-from 56"]],
];

describe.each(RELATIONS)("%s, %s", (version, folder, expected) => {
  const recording = unpackRecording(version);
  afterAll(() => recording[Symbol.dispose]());

  test("the sessions lead to each other", async () => {
    const catalog = new Catalog([{ path: recording.claudeDir, kind: "config" }]);
    await catalog.list();
    const sessions = createSessions(catalog, { scan });
    const found: string[] = [];
    for (const { id } of catalog.summaries()) {
      if (!catalog.sessionFiles(id).projectPath.endsWith(`/${folder}`)) continue;
      const { related } = (await sessions.related(id)) as RelatedResponse;
      for (const { relation, sharedRecords } of related) found.push(`${relation} ${sharedRecords}`);
    }
    expect(found.sort()).toEqual(expected);
  });
});
