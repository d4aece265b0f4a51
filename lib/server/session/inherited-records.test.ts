import { afterAll, describe, expect, test } from "vitest";
import { type RecordedVersion, unpackRecording } from "@/lib/testing/recorded";
import { detailOf, type OpenFolder, openFolder, rowsOf } from "@/lib/testing/transcript";
import type { Row } from "@/lib/wire/rows";

/** After "Clear context and implement plan": what the new session repeats of the old one. */
const CARRIED: [RecordedVersion, string[]][] = [
  [
    "2.1.29",
    [
      "tool ExitPlanMode → answered in the next: The user doesn't want to proceed",
      "context → ExitPlanMode of the session before: ExitPlanMode",
      "event ← from the session before",
    ],
  ],
  ["2.1.42", ["event → of the session before: The user doesn't want to proceed"]],
];

/** A row with what the place it leads to says. */
async function tell(folder: OpenFolder, row: Row): Promise<string[]> {
  const { carried } = row;
  if (!carried) return [];
  const name = row.kind === "tool" ? `tool ${row.name}` : row.kind;
  if (carried.recordId === null) return [`${name} ← from the session before`];
  const detail = await folder.sessions.record(carried.sessionId, carried.recordId);
  const said = JSON.stringify("json" in detail ? detail.json : null);
  const words = /The user doesn't want to proceed|ExitPlanMode/.exec(said)?.[0];
  if (carried.way === "to") return [`${name} → answered in the next: ${words}`];
  return [`${name} → ${carried.tool ? `${carried.tool} ` : ""}of the session before: ${words}`];
}

describe.each(CARRIED)("%s", (version, expected) => {
  const recording = unpackRecording(version);
  afterAll(() => recording[Symbol.dispose]());

  test("lines that a plan's session repeats lead to the one before, and its call to them", async () => {
    const folder = await openFolder(recording.claudeDir);
    const told: string[] = [];
    // A session that nobody has read yet holds no answer up.
    for (const { id } of folder.catalog.summaries()) await detailOf(folder, id);
    for (const { id, projectId } of folder.catalog.summaries()) {
      const { rows } = await rowsOf(folder, id, "everything");
      const isPlan = folder.catalog.project(projectId).path.endsWith("/tui-plan");
      for (const row of rows) {
        const found = await tell(folder, row);
        // Nowhere else: copies and dangling parents of other kinds are no continuation.
        expect(isPlan || found.length === 0, id).toBe(true);
        told.push(...found);
      }
    }
    expect(told.sort()).toEqual(expected.sort());
  });
});
