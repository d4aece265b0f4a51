import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KnownFacts } from "../catalog/facts-cache";

const NAME = "facts.json";
/** Raise it with every change of `LogFacts` or of how they are read. */
const VERSION = 3;

/** What the last run knew of the ends of logs, so that a start need not read them; empty where there is nothing of use. */
export async function readFacts(dataDir: string | null): Promise<[path: string, known: KnownFacts][]> {
  if (dataDir === null) return [];
  try {
    const { version, facts } = JSON.parse(await readFile(join(dataDir, NAME), "utf8")) as {
      version: number;
      facts: [string, KnownFacts][];
    };
    return version === VERSION ? facts : [];
  } catch {
    // Missing, cut off or unreadable: the logs tell the same.
    return [];
  }
}

/** Keeps them for the next start. Replaced whole, so that a reader never sees half of it; a full disk keeps the old ones. */
export async function writeFacts(
  dataDir: string | null,
  facts: [path: string, known: KnownFacts][],
): Promise<void> {
  if (dataDir === null) return;
  const path = join(dataDir, NAME);
  try {
    await writeFile(`${path}.new`, JSON.stringify({ version: VERSION, facts }), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // The index says on screen what is wrong with the folder.
  }
}
