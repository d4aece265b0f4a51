import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSession, type SessionOptions } from "@/lib/testing/generate/generate-session";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import type { SessionTruth, TreeTruth } from "@/lib/testing/generate/truth";
import type { Bench } from "./section";

/** Raise it when the generator changes what it writes: kept corpora are then made anew. */
const GENERATOR_VERSION = 1;
const SEED = 20260202;

/** A generated folder that stands for `~/.claude`, and the truth about it. */
export type Corpus<Truth> = { dir: string; truth: Truth };

/** A tree of sessions of about this size in bytes. */
export function treeCorpus(bench: Bench, bytes: number): Corpus<TreeTruth> {
  return keep(bench, `tree-${bytes}`, (dir) => generateTree({ dir, seed: SEED, bytes }));
}

/** One session; `options` as the generator takes them. */
export function sessionCorpus(
  bench: Bench,
  options: Omit<SessionOptions, "seed" | "dir">,
): Corpus<SessionTruth> {
  const { bytes, records, version, textScale } = options;
  const parts = ["session", bytes ?? "any", records ?? "all", version ?? "mid", textScale ?? 1];
  // Each size has a seed of its own, since the seed decides the session's id.
  const seed = SEED + Math.round((bytes ?? 0) / 1e6) + (records ?? 0);
  return keep(bench, parts.join("-"), (dir) => generateSession({ ...options, seed, dir }));
}

function keep<Truth>(bench: Bench, name: string, generate: (dir: string) => Truth): Corpus<Truth> {
  const dir = join(bench.cache, `v${GENERATOR_VERSION}-${name}`);
  const manifest = join(dir, "manifest.json");
  // Written last, so a folder without it was left half made.
  if (existsSync(manifest)) return { dir, truth: JSON.parse(readFileSync(manifest, "utf8")) as Truth };
  bench.say(`generating ${name}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const truth = generate(dir);
  writeFileSync(manifest, JSON.stringify(truth));
  return { dir, truth };
}
