import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { fixtureFolder } from "./fixture-folder";

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

/** Unpacks the recording of a version into a temporary folder, which goes with the returned value. */
export function unpackRecording(version: RecordedVersion): Recording {
  const packed = brotliDecompressSync(readFileSync(join(fixtureFolder("recorded"), `${version}.json.br`)));
  const dir = mkdtempSync(join(tmpdir(), "backscroll-recorded-"));
  for (const [name, content] of Object.entries(JSON.parse(packed.toString("utf8")) as Packed)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : Buffer.from(content.base64, "base64"));
  }
  return {
    dir,
    claudeDir: join(dir, "claude"),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
