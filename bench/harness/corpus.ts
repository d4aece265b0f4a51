import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateSession, type SessionOptions } from "@/lib/testing/generate/generate-session";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import type { SessionTruth, TreeTruth } from "@/lib/testing/generate/truth";
import type { Bench } from "./section";

/** Increment it when the generator's output changes, so that cached corpora are regenerated. */
const GENERATOR_VERSION = 1;
const SEED = 20260202;

/** A generated folder in the layout of `~/.claude`, with a manifest of its contents. */
export type Corpus<Truth> = { dir: string; truth: Truth };

/** A tree of sessions of about this size in bytes. */
export function treeCorpus(bench: Bench, bytes: number): Corpus<TreeTruth> {
  return keep(bench, `tree-${bytes}`, (dir) => generateTree({ dir, seed: SEED, bytes }));
}

/** A corpus of one session; `options` are passed to the generator. */
export function sessionCorpus(
  bench: Bench,
  options: Omit<SessionOptions, "seed" | "dir">,
): Corpus<SessionTruth> {
  const { bytes, records, version, textScale } = options;
  const parts = ["session", bytes ?? "any", records ?? "all", version ?? "mid", textScale ?? 1];
  // Each size has its own seed, since the seed determines the session's id.
  const seed = SEED + Math.round((bytes ?? 0) / 1e6) + (records ?? 0);
  return keep(bench, parts.join("-"), (dir) => generateSession({ ...options, seed, dir }));
}

function keep<Truth>(bench: Bench, name: string, generate: (dir: string) => Truth): Corpus<Truth> {
  const dir = join(bench.cache, `v${GENERATOR_VERSION}-${name}`);
  const manifest = join(dir, "manifest.json");
  // The manifest is written last, so a folder without one is incomplete.
  if (existsSync(manifest)) return { dir, truth: JSON.parse(readFileSync(manifest, "utf8")) as Truth };
  bench.say(`generating ${name}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const truth = generate(dir);
  writeFileSync(manifest, JSON.stringify(truth));
  return { dir, truth };
}
