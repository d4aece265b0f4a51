import { mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { Archive } from "@/lib/server/archive/archive";
import { ArchivedFiles } from "@/lib/server/archive/archived-files";
import { KeptListing } from "@/lib/server/archive/kept-listing";
import { statsOf } from "@/lib/server/archive/manifest";
import { FolderStore } from "@/lib/server/archive/store/folder-store";
import { useKeptFiles } from "@/lib/server/disk/kept-files";
import { everyAnswer } from "@/lib/testing/every-answer";
import { RECORDED_VERSIONS, unpackRecording } from "@/lib/testing/recorded";

const LONG_AGO_S = 1_700_000_000;

afterEach(() => useKeptFiles(null));

/** Keeps every file below a folder. Nobody has written to them for long, so last lines without a newline are kept, too. */
async function keepAll(root: string, place: string): Promise<void> {
  const archive = new Archive(new FolderStore(place));
  const listing = new KeptListing();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    utimesSync(path, LONG_AGO_S, LONG_AGO_S);
    const kept = await archive.keep({
      path,
      root,
      within: root,
      kind: path.endsWith(".jsonl") ? "log" : "file",
    });
    listing.take({ isAll: false, files: [[path, statsOf(kept)]] });
  }
  useKeptFiles(new ArchivedFiles(place, listing));
}

test.each(RECORDED_VERSIONS)("%s: every answer is the same when every log was deleted", async (version) => {
  using recording = unpackRecording(version);
  const root = realpathSync(recording.claudeDir);
  const place = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-kept-")));
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-kept-data-")));
  try {
    await keepAll(root, place);
    const before = await everyAnswer(root, dataDir);
    rmSync(root, { recursive: true });
    const after = await everyAnswer(root, dataDir);
    expect([...after.answers.keys()]).toEqual([...before.answers.keys()]);
    for (const [asked, answer] of before.answers) expect(after.answers.get(asked), asked).toBe(answer);
    expect(before.readAnew).toBeGreaterThan(0);
    // The index still knows them.
    expect(after.readAnew).toBe(0);
  } finally {
    for (const folder of [place, dataDir]) rmSync(folder, { recursive: true });
  }
});
