import { expect, test } from "vitest";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { settled } from "@/lib/testing/transcript";

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

test.each(RELATIONS)("%s, %s: the sessions lead to each other", async (version, project, expected) => {
  const { catalog, sessions } = (await openRecording(version)).folder;
  const found: string[] = [];
  for (const { id } of catalog.summaries()) {
    if (!catalog.sessionFiles(id).projectPath.endsWith(`/${project}`)) continue;
    const { related } = await settled(() => sessions.related(id));
    for (const { relation, sharedRecords } of related) found.push(`${relation} ${sharedRecords}`);
  }
  expect(found.sort()).toEqual(expected);
});
