import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyAnswer } from "@/lib/testing/every-answer";
import { keepFolder } from "@/lib/testing/keep-folder";
import { RECORDED_VERSIONS, unpackRecording } from "@/lib/testing/recorded";
import { runs } from "@/lib/testing/runs";

/** Every other one in `npm test`: each asks for everything twice. */
const VERSIONS = RECORDED_VERSIONS.filter((_, nth) => nth % runs(2, 1) === 0);

test.each(VERSIONS)("%s: every answer is the same when every log was deleted", async (version) => {
  using recording = unpackRecording(version);
  const root = realpathSync(recording.claudeDir);
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-kept-data-")));
  try {
    using _ = await keepFolder(root);
    const before = await everyAnswer(root, dataDir);
    rmSync(root, { recursive: true });
    const after = await everyAnswer(root, dataDir);
    expect([...after.answers.keys()]).toEqual([...before.answers.keys()]);
    for (const [asked, answer] of before.answers) expect(after.answers.get(asked), asked).toBe(answer);
    expect(before.readAnew).toBeGreaterThan(0);
    // The index still knows them.
    expect(after.readAnew).toBe(0);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
