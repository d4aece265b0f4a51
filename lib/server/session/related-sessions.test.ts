import { afterAll, describe, expect, test } from "vitest";
import { type RecordedVersion, unpackRecording } from "@/e2e/support/recorded";
import type { RelatedResponse } from "@/lib/wire/related";
import { Catalog } from "../catalog/catalog";
import { scan } from "./scanned-session";
import { createSessions } from "./sessions";

/** Scenario (`--fork-session`, `/branch`, "Clear context") → what each of its sessions is to the other. */
const RELATIONS: [RecordedVersion, string, string[]][] = [
  // A session resumed or continued in print mode is a new file with new uuids. Each is told of the four others:
  // the histories of base (2 lines), resumed (4), continued (6), compacted and what went on from there.
  ["1.0.60", "resume", []],
  ["1.0.60", "tui-queue", []],
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

  test("both sessions lead to each other", async () => {
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
