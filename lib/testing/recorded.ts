import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** Client versions whose whole recordings are in `lib/testing/fixtures/recorded`. */
export const RECORDED_VERSIONS = [
  "1.0.60",
  "1.0.128",
  "2.0.42",
  "2.0.50",
  "2.0.76",
  "2.1.29",
  "2.1.42",
  "2.1.110",
  "2.1.330",
] as const;
export type RecordedVersion = (typeof RECORDED_VERSIONS)[number];

type Packed = Record<string, string | { base64: string }>;

/** A recording laid out on disk: `claude/` stands for `~/.claude`; `manifest.json` and `requests.json` beside it. */
export type Recording = { dir: string; claudeDir: string; [Symbol.dispose](): void };

/**
 * The folder of a fixture: a client version whose sessions are kept as it wrote them, `older` for logs made after
 * descriptions of formats that no recorded client writes, `from-the-future` for what none writes yet; all of them
 * where none is named.
 */
export function fixtureFolder(name = ""): string {
  return join(import.meta.dirname, "fixtures", name);
}

/** Unpacks the recording of a version into a temporary folder, which goes with the returned value. */
export function unpackRecording(version: RecordedVersion): Recording {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-recorded-"));
  unpackInto(dir, version);
  return {
    dir,
    claudeDir: join(dir, "claude"),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Names the folder of recordings that the tests of one run share. */
const SHARED_FOLDER = "BACKSCROLL_RECORDINGS";

/** Begins a run of the unit tests: a folder in which its workers find each recording unpacked once. Returns its end. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-recordings-"));
  process.env[SHARED_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The same unpacked once for all tests of a run, which must not write to it. Where nobody shares, one's own. */
export function sharedRecording(version: RecordedVersion): Recording {
  const folder = process.env[SHARED_FOLDER];
  if (!folder) return unpackRecording(version);
  const dir = join(folder, version);
  if (!existsSync(dir)) {
    // Another worker may do the same: the first to be done is the one that all read.
    const unpacked = mkdtempSync(`${dir}-`);
    unpackInto(unpacked, version);
    try {
      renameSync(unpacked, dir);
    } catch (error) {
      if (!existsSync(dir)) throw error;
      rmSync(unpacked, { recursive: true, force: true });
    }
  }
  return { dir, claudeDir: join(dir, "claude"), [Symbol.dispose]: () => undefined };
}

function unpackInto(dir: string, version: RecordedVersion): void {
  const packed = brotliDecompressSync(readFileSync(join(fixtureFolder("recorded"), `${version}.json.br`)));
  for (const [name, content] of Object.entries(JSON.parse(packed.toString("utf8")) as Packed)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : Buffer.from(content.base64, "base64"));
  }
}
