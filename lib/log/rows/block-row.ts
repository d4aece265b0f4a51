import { firstWords } from "@/lib/format/text";
import { injectedText } from "@/lib/log/adding/user-text";
import { usageOfMessage } from "@/lib/log/graph/session-cost";
import type { ContentBlock } from "@/lib/log/records/content-block";
import type { CutSize } from "@/lib/log/records/elide";
import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord } from "@/lib/log/records/session-record";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { messageTokens } from "@/lib/log/table/message-tokens";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { Citation, ContextRow, Row, RowBase } from "@/lib/wire/rows";
import { blobRefs } from "./blob-refs";
import { compactionRow } from "./compaction-row";
import { recordRow } from "./record-row";
import {
  contextLabel,
  cutText,
  longestOf,
  type RowContext,
  recordIdOf,
  rowBase,
  shortJson,
} from "./row-context";
import { textOfResult, toolRow } from "./tool-row";

const MAX_TEXT = 8_000;
const MAX_THINKING = 2_000;

/** The row of one block of a record; of the record as a whole where the block is not in it. Its record must be readable. */
export function blockRow(context: RowContext, block: number, turn: number): Row {
  const { table } = context;
  const record = table.blocks.record.at(block);
  const blockIndex = table.blocks.index.at(block);
  if (table.records.kind.at(record) === RecordKind.compactBoundary)
    return compactionRow(context, record, turn);
  if (table.blocks.kind.at(block) === BlockKind.call) return toolRow(context, block, turn);
  const logged = context.read(record);
  const content =
    logged?.kind === "assistant" || logged?.kind === "user" ? logged.blocks[blockIndex] : undefined;
  if (!content) return recordRow(context, record, turn);
  const base = rowBase(context, record, blockIndex, turn);
  switch (content.kind) {
    case "text":
      return logged?.kind === "assistant"
        ? answerTextRow(context, record, base, logged, content)
        : besideRow(context, record, base, content.text, longestOf(logged));
    case "thinking":
      return {
        kind: "thinking",
        ...base,
        durationMs: thoughtMs(context, record),
        text: cutText(content.text, MAX_THINKING, longestOf(logged)),
        redacted: content.redacted,
      };
    case "media": {
      const [blob] = blobRefs(logged ?? null, recordIdOf(context, record), blockIndex);
      return blob ? { kind: "blob", ...base, blob } : recordRow(context, record, turn);
    }
    case "tool-result":
      return {
        kind: "context",
        ...base,
        label: "A result whose call is not in the log",
        text: cutText(textOfResult(content), MAX_TEXT, longestOf(logged)),
        blobs: [],
      };
    default:
      // A prompt has a row of its own, which takes the index of the first block.
      return {
        kind: "unknown",
        ...base,
        key: logged?.kind === "user" ? `${base.key}.block` : base.key,
        type: content.type || "no type",
        text: cutText(shortJson(content.json, MAX_TEXT * 2), MAX_TEXT),
      };
  }
}

/** The text of an answer: the model's, or the client's in its name. */
function answerTextRow(
  { table, graph, prices }: RowContext,
  record: number,
  base: RowBase,
  { isApiError, messageId, longest }: AssistantRecord,
  content: Extract<ContentBlock, { kind: "text" }>,
): Row {
  const text = cutText(content.text, MAX_TEXT, longest);
  if (table.records.kind.at(record) === RecordKind.synthetic)
    return isApiError
      ? { kind: "event", ...base, event: "api-error", level: "error", label: "API error", text }
      : { kind: "event", ...base, event: "synthetic", level: "info", label: "Said by the client", text };
  const message = table.records.message.at(record);
  if (graph.retriedMessages.has(message)) {
    const label = "Cut off, and said again below";
    return { kind: "event", ...base, event: "broken-attempt", level: "warning", label, text };
  }
  return {
    kind: "text",
    ...base,
    text,
    citations: citationsOf(content.json),
    model: table.models.at(message === -1 ? -1 : table.messages.model.at(message)),
    messageId,
    tokens: message === -1 ? null : messageTokens(table, message),
    usage: saysMore(table, record, base.block) ? null : usageOfMessage(table, message, prices),
  };
}

/** Lines of a message stand together, but for results of its calls between them. */
const MAX_LINES_BETWEEN = 32;

/** True if the message has said something before this block, which then shows what its request used. */
function saysMore({ records, blocks }: SessionTable, record: number, index: number): boolean {
  const message = records.message.at(record);
  const end = records.firstBlock.at(record) + index;
  const first = Math.max(0, record - MAX_LINES_BETWEEN);
  for (let block = end - 1; block >= 0; block--) {
    const above = blocks.record.at(block);
    if (above < first) return false;
    if (blocks.kind.at(block) === BlockKind.text && records.message.at(above) === message) return true;
  }
  return false;
}

/** Text on a user line that is neither its prompt nor its results. */
function besideRow(
  context: RowContext,
  record: number,
  base: RowBase,
  text: string,
  longest: CutSize | null,
): ContextRow {
  if (context.table.records.kind.at(record) !== RecordKind.prompt)
    return {
      kind: "context",
      ...base,
      label: "Beside the result",
      text: cutText(text, MAX_TEXT, longest),
      blobs: [],
    };
  const injected = injectedText(text) || text;
  // The prompt's own row takes the index of the first block.
  const key = `${base.key}.block`;
  return {
    kind: "context",
    ...base,
    key,
    label: contextLabel(injected),
    text: cutText(injected, MAX_TEXT, longest),
    blobs: [],
  };
}

/** How long the model was thinking, where the client records it (2.1.330). */
function thoughtMs(context: RowContext, record: number): number | null {
  const logged = context.read(record);
  const ms = logged && logged.kind !== "unreadable" ? logged.json.thinkingDurationMs : null;
  return typeof ms === "number" ? ms : null;
}

const MAX_CITATIONS = 30;
const MAX_TITLE = 200;

/** The sources cited by a text block, each once; `undefined` without any. */
export function citationsOf(block: JsonObject): Citation[] | undefined {
  const found = new Map<string, Citation>();
  for (const value of asArray(block.citations)) {
    const citation = asObject(value);
    const url = asString(citation?.url) ?? asString(citation?.source);
    const title = asString(citation?.title) ?? asString(citation?.document_title);
    const key = url ?? title;
    if (key === null || found.size >= MAX_CITATIONS) continue;
    found.set(key, { url, title: firstWords(title ?? key, MAX_TITLE) });
  }
  return found.size === 0 ? undefined : [...found.values()];
}
