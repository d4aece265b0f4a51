import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { OpenSession } from "@/lib/server/session/open-session";
import { READINGS } from "@/lib/testing/readings";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { runs, sampleOf } from "@/lib/testing/runs";

/** Lines that no record stands for, records that no branch or agent shows, and how many lines there are. */
function account(session: OpenSession): { missing: string[]; lines: number } {
  const { table, graph, files } = session;
  const { records } = table;
  const missing: string[] = [];
  const known = new Set<string>();
  for (let record = 0; record < records.size; record++)
    known.add(`${records.file.at(record)}:${records.line.at(record)}`);
  let lines = 0;
  for (const [file, { path }] of [files.main, ...files.agents].entries()) {
    const texts = readFileSync(path, "utf8").split("\n");
    for (const [index, text] of texts.entries()) {
      if (text === "") continue;
      lines += 1;
      if (!known.has(`${file}:${index + 1}`)) missing.push(`${path} line ${index + 1} is no record`);
    }
  }
  const shown = new Set<number>();
  for (const branch of graph.branches.flat())
    for (const record of session.path(branch).records) shown.add(record);
  for (let record = 0; record < records.size; record++)
    if (!shown.has(record)) missing.push(`${files.main.path} record ${record} is on no branch`);
  if (records.size !== lines)
    missing.push(`${files.main.path} has ${records.size} records of ${lines} lines`);
  return { missing, lines };
}

/** Each reading is tried in `npm test` with every other session, those of the next with the others. */
const NTH = 2;

describe.each(RECORDED_VERSIONS)("%s", (version) => {
  test.each(Object.entries(READINGS).map(([name, read], nth) => [name, read, nth] as const))(
    "every line is a record that some branch shows, %s",
    async (_, read, nth) => {
      const { folder } = await openRecording(version);
      let lines = 0;
      for (const { id } of sampleOf(folder.catalog.summaries(), NTH, nth)) {
        const found = account(await read(folder.catalog.sessionFiles(id)));
        expect(found.missing).toEqual([]);
        lines += found.lines;
      }
      expect(lines).toBeGreaterThan(400 / runs(NTH, 1));
    },
  );
});
