import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyAnswer } from "@/lib/testing/library/every-answer";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { RECORDED_VERSIONS, unpackRecording } from "@/lib/testing/recorded";
import { sampleOf } from "@/lib/testing/runs";
import type { SessionId } from "@/lib/wire/ids";

/**
 * Everything is asked for twice: in `npm test` of every sixth session, of a version for each way in which agents are
 * logged. 1.0.60 has them in the session's log, 2.0.76 in logs beside it, 2.1.330 in a folder of the session, where
 * long outputs are, too.
 */
const VERSIONS = sampleOf(RECORDED_VERSIONS, 4);
const NTH = 6;

test.each(VERSIONS)("%s: every answer is the same when every log was deleted", async (version) => {
  using recording = unpackRecording(version);
  const root = realpathSync(recording.claudeDir);
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-kept-data-")));
  try {
    using _ = await keepFolder(root);
    const asked = (ids: readonly SessionId[]) => sampleOf(ids, NTH, RECORDED_VERSIONS.indexOf(version));
    const before = await everyAnswer(root, dataDir, asked);
    rmSync(root, { recursive: true });
    const after = await everyAnswer(root, dataDir, asked);
    expect([...after.answers.keys()]).toEqual([...before.answers.keys()]);
    for (const [name, answer] of before.answers) expect(after.answers.get(name), name).toBe(answer);
    expect(before.readAnew).toBeGreaterThan(0);
    // The index still knows them.
    expect(after.readAnew).toBe(0);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
