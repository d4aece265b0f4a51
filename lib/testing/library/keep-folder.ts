import { mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Archive } from "@/lib/server/archive/archive";
import { ArchivedFiles } from "@/lib/server/archive/archived-files";
import { type FileToKeep, keepGroup } from "@/lib/server/archive/keep-group";
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
  const group = readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry): FileToKeep[] => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) return [];
    utimesSync(path, LONG_AGO_S, LONG_AGO_S);
    const kind = path.endsWith(".jsonl") ? "log" : "file";
    return [{ source: { path, root, within: root, kind }, known: null, moved: null }];
  });
  const listing = new KeptListing();
  for (const [n, outcome] of (await keepGroup(new Archive(new FolderStore(place)), group)).entries()) {
    const { path } = (group[n] as FileToKeep).source;
    if (!("kept" in outcome)) throw new Error(`${path} could not be kept: ${outcome.unread}`);
    listing.take({ isAll: false, files: [[path, statsOf(outcome.kept)]] });
  }
  setKeptFiles(new ArchivedFiles(place, listing));
  const dispose = () => {
    setKeptFiles(null);
    rmSync(place, { recursive: true });
  };
  return { place, listing, [Symbol.dispose]: dispose };
}
