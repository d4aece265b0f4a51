import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "./statistics";

/** The reference that times are compared with. */
export type Baseline = { ms: number; bytes: number; lines: number };

/** "P": reads every log under a folder and passes each line to `JSON.parse`, on this thread; the median of `rounds`. */
export function parseEverything(dir: string, rounds: number): Baseline {
  const logs = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".jsonl"),
  );
  let bytes = 0;
  let lines = 0;
  const samples = Array.from({ length: rounds }, () => {
    bytes = 0;
    lines = 0;
    const startedAt = performance.now();
    for (const log of logs) {
      const content = readFileSync(join(dir, log));
      bytes += content.length;
      for (let start = 0; start < content.length; ) {
        const end = content.indexOf(10, start);
        JSON.parse(content.toString("utf8", start, end));
        lines++;
        start = end + 1;
      }
    }
    return performance.now() - startedAt;
  });
  return { ms: median(samples), bytes, lines };
}
