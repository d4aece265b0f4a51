import type { ContentBlock } from "@/lib/log/records/content-block";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import { blobRefs } from "@/lib/log/rows/blob-refs";
import { cutText } from "@/lib/log/rows/cut-text";
import { timeOf } from "@/lib/log/rows/row-context";
import { countLines } from "@/lib/log/table/patch-count";
import type { RecordId } from "@/lib/wire/ids";
import type { CallDetail, OutputBlock } from "@/lib/wire/record";
import type { BlobRef } from "@/lib/wire/row-base";
import { callBlock, notACall } from "./call-block";
import { fileDiffs } from "./file-diffs";
import { laterOutput } from "./later-output";
import type { OpenSession } from "./open-session";
import { originalFile } from "./original-file";
import { partialOutput } from "./partial-output";
import { persistedOutputs } from "./persisted-output";
import { readRecords } from "./read-records";
import { resultDocument } from "./result-document";

const NONE = -1;
const FIELD_LIMIT = 64 << 10;
const OUTPUT_LIMIT = 512 << 10;

/** What an opened call shows: its input, every result the log has for it, and what it changed. */
export async function callDetail(
  session: OpenSession,
  recordId: RecordId,
  place: number,
): Promise<CallDetail> {
  const { table } = session;
  const record = session.find(recordId);
  const block = callBlock(session, record, place);
  const call = table.blocks.get("call", block);
  const results: { record: number; place: number }[] = [];
  for (
    let result = table.calls.get("result", call);
    result !== NONE;
    result = table.blocks.get("next", result)
  ) {
    results.push({ record: table.blocks.get("record", result), place: table.blocks.get("index", result) });
  }
  const read = await readRecords(session, [record, ...results.map((one) => one.record)]);
  const logged = read(record);
  const use = logged?.kind === "assistant" ? logged.blocks[table.blocks.get("index", block)] : undefined;
  if (use?.kind !== "tool-use") throw notACall();
  const answered = results.map(({ record: result, place: at }) => {
    const line = read(result);
    const found = line?.kind === "user" || line?.kind === "assistant" ? line.blocks[at] : undefined;
    const id = session.recordId(result);
    return {
      line,
      wire: {
        recordId: id,
        isError: found?.kind === "tool-result" && found.isError,
        atMs: timeOf(table, result),
        blocks: found?.kind === "tool-result" ? outputBlocks(found, blobRefs(line, id, at)) : [],
        structured: limited((line?.kind === "user" ? line.toolUseResult : null) ?? null),
        content: limited(
          (line?.kind === "user" ? asObject(line.json.mcpMeta)?.structuredContent : null) ?? null,
        ),
      },
    };
  });
  for (const { line, wire } of answered) {
    const kept = await persistedOutputs(session, line, wire.recordId);
    const documents = resultDocument(line, wire.recordId);
    wire.blocks.push(...[...kept, ...documents].map((blob): OutputBlock => ({ kind: "blob", blob })));
  }
  const [first] = answered;
  const partial = first ? null : await partialOutput(session, record, use.id);
  const structured = first?.line?.kind === "user" ? asObject(first.line.toolUseResult) : null;
  const original = originalFile(structured);
  return {
    recordId,
    block: place,
    toolUseId: use.id,
    name: use.name,
    input: limited(use.input),
    results: answered.map((one) => one.wire),
    diffs: fileDiffs(use.name, use.input, structured, first?.wire.isError ?? true),
    originalLines: original === null ? null : countLines(original),
    partial: partial === null ? null : cutText(partial, OUTPUT_LIMIT),
    later: await laterOutput(session, record, structured),
    cwd: asString(logged?.kind === "assistant" ? logged.json.cwd : null),
  };
}

/** @param blobs those of the result, in reading order */
function outputBlocks(
  result: Extract<ContentBlock, { kind: "tool-result" }>,
  blobs: readonly BlobRef[],
): OutputBlock[] {
  const left = [...blobs];
  return result.content.map((block): OutputBlock => {
    if (block.kind === "text") return { kind: "text", text: cutText(block.text, OUTPUT_LIMIT) };
    if (block.kind !== "media") return { kind: "other", type: block.type, json: limited(block.json) };
    const blob = left.shift();
    return blob ? { kind: "blob", blob } : { kind: "other", type: block.type, json: null };
  });
}

/** The value with long strings cut. Recursion is bounded by depth: logs can nest as deep as they like. */
function limited(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cutText(value, FIELD_LIMIT).text;
  if (typeof value !== "object" || value === null) return value;
  if (depth > 64) return "…";
  if (Array.isArray(value)) return asArray(value).map((one) => limited(one, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, limited(one, depth + 1)]));
}
