import { mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Archive } from "@/lib/server/archive/archive";
import { ArchivedFiles } from "@/lib/server/archive/archived-files";
import { KeptListing } from "@/lib/server/archive/kept-listing";
import { statsOf } from "@/lib/server/archive/manifest";
import { FolderStore } from "@/lib/server/archive/store/folder-store";
import { setKeptFiles } from "@/lib/server/disk/kept-files";

const LONG_AGO_S = 1_700_000_000;

/** What is kept of a folder; this thread reads from it until it goes with the returned value. */
export type KeptFolder = { place: string; listing: KeptListing; [Symbol.dispose](): void };

/** Keeps every file below a folder. Nobody has written to them for long, so last lines without a newline are kept, too. */
export async function keepFolder(root: string): Promise<KeptFolder> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-kept-")));
  const archive = new Archive(new FolderStore(place));
  const listing = new KeptListing();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    utimesSync(path, LONG_AGO_S, LONG_AGO_S);
    const kind = path.endsWith(".jsonl") ? "log" : "file";
    const kept = await archive.keep({ path, root, within: root, kind });
    listing.take({ isAll: false, files: [[path, statsOf(kept)]] });
  }
  setKeptFiles(new ArchivedFiles(place, listing));
  const dispose = () => {
    setKeptFiles(null);
    rmSync(place, { recursive: true });
  };
  return { place, listing, [Symbol.dispose]: dispose };
}
