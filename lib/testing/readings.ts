import { readFileSync } from "node:fs";
import { addRecord } from "@/lib/log/adding/add-record";
import { notePreviousValues, type PreviousValues } from "@/lib/log/adding/previous-values";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { IncrementalGraph } from "@/lib/log/graph/incremental-graph";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import { SessionTable } from "@/lib/log/table/session-table";
import { decodeSkeleton, encodeSkeleton } from "@/lib/server/index/skeleton-codec";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { placeFiles } from "@/lib/server/scan/place-files";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scan } from "@/lib/server/scan/scanned-session";
import { OpenSession } from "@/lib/server/session/open-session";

/** A line of one of a session's files, with the latest time that its file told until then. */
export type WrittenLine = { file: number; line: RawLine; atMs: number };

/** The lines of a session's files, by turns as their times say. */
export function writtenLines({ main, agents }: SessionFiles): WrittenLine[] {
  const lines: WrittenLine[] = [];
  for (const [file, { path }] of [main, ...agents].entries()) {
    let atMs = 0;
    new LineSplitter().push(new Uint8Array(readFileSync(path)), (line) => {
      const time = /"timestamp":"([^"]+)"/.exec(new TextDecoder().decode(line.bytes))?.[1];
      atMs = Math.max(atMs, Date.parse(time ?? "") || 0);
      lines.push({ file, line, atMs });
    });
  }
  return lines.sort((a, b) => a.atMs - b.atMs || a.file - b.file);
}

/** Adds a line as the live reader does, and tells what it changed. */
export function addWritten(table: SessionTable, { file, line }: WrittenLine): PreviousValues {
  const before: PreviousValues = { calls: new Map(), tokens: new Map() };
  for (const record of parseLine(line, { keepBytes: KEPT_BYTES })) {
    notePreviousValues(table, file, record, before);
    addRecord(table, file, record, () => parseRecord(line));
  }
  return before;
}

/** How a session can come to be open, by name. All must give the same. */
export const READINGS: Record<string, (files: SessionFiles) => Promise<OpenSession>> = {
  "read at once": async (files) => {
    const request = await scanRequest(files);
    return new OpenSession(files, request.logs, await scan(request, () => undefined), 1);
  },
  "followed line by line": async (files) => {
    const { logs } = await scanRequest(files);
    let table = new SessionTable();
    let graph = buildGraph(table, logs);
    let growing = new IncrementalGraph(table, logs, graph);
    for (const line of writtenLines(files)) {
      addWritten(table, line);
      const growth = growing.grow(logs);
      if (growth) {
        graph = growth.graph;
        continue;
      }
      table = placeFiles(table, null);
      graph = buildGraph(table, logs);
      growing = new IncrementalGraph(table, logs, graph);
    }
    return new OpenSession(files, logs, { table, graph }, 1);
  },
  "loaded from the index": async (files) => {
    const request = await scanRequest(files);
    const scanned = await scan(request, () => undefined);
    const stored = [...encodeSkeleton(new SessionTable(scanned.table), scanned.files)].map((part) =>
      part.slice(),
    );
    const skeleton = decodeSkeleton(stored);
    if (!skeleton) throw new Error("What was stored cannot be read");
    const table = new SessionTable(skeleton.table);
    return new OpenSession(files, request.logs, { table, graph: buildGraph(table, request.logs) }, 1);
  },
};
