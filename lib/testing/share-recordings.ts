import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SHARED_FOLDER } from "./recorded";

/** Begins a run of the unit tests: a folder in which its workers find each recording unpacked once. Returns its end. */
export default function shareRecordings(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-recordings-"));
  process.env[SHARED_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
