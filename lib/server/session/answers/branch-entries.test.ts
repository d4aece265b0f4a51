import { expect, test } from "vitest";
import { firstWords } from "@/lib/format/text";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

/** Each branch as it is listed, against what its own rows show. */
async function compare(folder: OpenFolder, id: SessionId): Promise<number> {
  const { branches } = await settled(() => folder.sessions.branches(id, { limit: 1000, cursor: null }));
  const shown: Set<string>[] = [];
  for (const branch of branches) {
    const { rows } = await rowsOf(folder, id, "everything", { branch: branch.id });
    const turns = rows.filter((row) => row.kind === "turn");
    expect(branch.turns, branch.id).toBe(turns.length);
    const others = new Set(shown[0] ?? []);
    const own = turns.find((row) => !others.has(row.recordId));
    expect(branch.prompt, branch.id).toBe(own ? firstWords(own.prompt.text, 120) : null);
    // A result is in the row of its call, which ends with it.
    const times = rows.flatMap(({ atMs, durationMs }) =>
      atMs === null ? [] : [atMs, atMs + (durationMs ?? 0)],
    );
    expect(times.length > 0 ? times : [null]).toContain(branch.lastActiveAtMs);
    shown.push(new Set(rows.map(({ recordId }) => recordId)));
  }
  expect(branches.filter(({ active }) => active).length).toBe(branches.length > 0 ? 1 : 0);
  return branches.length;
}

test.each(RECORDED_VERSIONS)("%s: a branch is listed as its rows show it", async (version) => {
  const { folder } = await openRecording(version);
  let forked = 0;
  for (const { id } of folder.catalog.summaries()) if ((await compare(folder, id)) > 1) forked += 1;
  expect(forked).toBeGreaterThan(0);
});

test("many rewinds, to the start and within each other", async () => {
  const lines = [];
  for (let turn = 0; turn < 40; turn++) {
    // Back to a third of what there is; every tenth one to before the first prompt.
    const parent =
      turn === 0 || turn % 10 === 9 ? null : `a-answer ${Math.floor((turn - 1) / (turn % 3 || 1))}`;
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, turn)).toISOString();
    const uuidOfPrompt = `u-${turn}`;
    lines.push(prompt(`prompt ${turn}`, { uuid: uuidOfPrompt, parentUuid: parent, timestamp }));
    lines.push(answer(`answer ${turn}`, { parentUuid: uuidOfPrompt, timestamp }));
  }
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: lines }));
  const [session] = folder.catalog.summaries();
  expect(await compare(folder, session?.id as SessionId)).toBeGreaterThan(10);
});
