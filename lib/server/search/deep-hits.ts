import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { type RecordText, recordTexts } from "@/lib/server/index/record-texts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { type CandidateLine, scanCandidates } from "./scan-candidates";
import type { SearchSource } from "./search-source";
import type { TextJudge } from "./text-judge";

export type DeepScope = {
  source: SearchSource;
  /** Finds the lines to look at; null for all. */
  pattern: RegExp | null;
  /** Only the texts that the index would hold. */
  conversationOnly: boolean;
};

export type DeepStep = { hits: SearchHit[]; bytesRead: number; fileDone: boolean };

/**
 * Finds in a session's logs what the index does not hold: tool output and the rest of each line, and
 * everything that was written behind the part that has been indexed. A log that is gone or unreadable holds nothing.
 */
export function* deepHits(
  scope: DeepScope,
  judge: TextJudge,
  calls: () => CallLookup | null,
): Generator<DeepStep> {
  const { source, pattern } = scope;
  for (const file of source.files) {
    let read = 0;
    const seen = new Set<string>();
    try {
      for (const { lines, bytesRead } of scanCandidates(source.root, file.path, pattern)) {
        read += bytesRead;
        const hits = lines.flatMap((line) => lineHits(scope, file, line, seen, judge, calls));
        yield { hits, bytesRead, fileDone: false };
      }
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
    yield { hits: [], bytesRead: Math.max(0, file.bytes - read), fileDone: true };
  }
}

function lineHits(
  { source, conversationOnly }: DeepScope,
  file: SearchSource["files"][number],
  { bytes, offset }: CandidateLine,
  seen: Set<string>,
  judge: TextJudge,
  calls: () => CallLookup | null,
): SearchHit[] {
  const isIndexed = offset < (source.indexed.get(file.key) ?? 0);
  const hits: SearchHit[] = [];
  const found = new Set<string>();
  for (const record of parseLine({ bytes, offset, length: bytes.length, line: 0 })) {
    for (const { block, field, tool, text, indexed } of textsOf(record, bytes, offset)) {
      if (indexed ? isIndexed : conversationOnly) continue;
      const key = `${record.at.offset} ${block} ${field}`;
      if (found.has(key)) continue; // a result is logged twice: as the model saw it and in parts
      const atMs = record.kind === "unreadable" ? null : record.atMs;
      const place = {
        file: file.key,
        agentId: file.agentId,
        sidechain: record.kind !== "unreadable" && record.isSidechain,
        offset: record.at.offset,
        block,
        field,
        atMs,
        tool,
      };
      const hit = judge.judge(source, { ...place, text }, calls);
      // What every line says again (folder, branch, version) is found once a log.
      if (!hit || (field === "meta" && seen.has(text))) continue;
      if (field === "meta") seen.add(text);
      found.add(key);
      hits.push(hit);
    }
  }
  return hits;
}

function textsOf(record: SessionRecord, bytes: Uint8Array, offset: number): RecordText[] {
  if (record.kind !== "unreadable") return recordTexts(record);
  const from = record.at.offset - offset;
  const text = new TextDecoder().decode(bytes.subarray(from, from + record.at.length));
  return [{ block: 0, field: "raw", text, indexed: false, tool: null }];
}
