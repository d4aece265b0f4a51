import { stringSize } from "@/lib/log/records/elide";
import { asObject, asString } from "@/lib/log/records/json";
import type { AttachmentRecord, SessionRecord } from "@/lib/log/records/session-record";
import { BlockKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";

/** What an image or a page counts as, in characters: about 1,500 tokens. */
const MEDIA_CHARS = 6000;

/** Attachments that the client keeps for itself, or that stand in the system prompt and the tools. */
const NOT_SENT: ReadonlySet<string> = new Set([
  "prompt_snapshot",
  "deferred_tools_record",
  "command_permissions",
  "hook_system_message",
  "hook_non_blocking_error",
]);

/**
 * How much of a request each block of a record is, in characters; what is not sent has none. A record read with `sizes`
 * will do.
 * @param sizes by number of the block in the table
 */
export function measureBlocks(
  table: SessionTable,
  record: number,
  logged: SessionRecord,
  sizes: { [block: number]: number },
): void {
  const [whole, parts] = sizesOf(logged);
  for (const block of blocksOf(table, record)) {
    const index = table.blocks.index.at(block);
    const isWhole = table.blocks.kind.at(block) === BlockKind.record;
    sizes[block] = isWhole ? whole : (parts[index] ?? 0);
  }
}

/** The size of a record as a whole, and of its blocks where these are told apart. */
function sizesOf(logged: SessionRecord): [whole: number, parts: readonly number[]] {
  switch (logged.kind) {
    case "assistant":
      return logged.isApiError ? [0, []] : [0, logged.blocks.map(({ kind, json }) => blockSize(kind, json))];
    case "user": {
      const parts = logged.blocks.map(({ kind, json }) => blockSize(kind, json));
      // Beside results each block stands for itself; any other user line is one.
      const hasResults = logged.blocks.some(({ kind }) => kind === "tool-result");
      return hasResults ? [0, parts] : [parts.reduce((sum, part) => sum + part, 0), []];
    }
    case "system":
      return logged.subtype === "local_command" && logged.json.isDisplayOnly !== true
        ? [textSize(logged.json.content), []]
        : [0, []];
    case "attachment":
      return [attachmentSize(logged), []];
    default:
      return [0, []];
  }
}

function blockSize(kind: string, json: { readonly [key: string]: unknown }): number {
  if (kind === "media") return MEDIA_CHARS;
  if (kind === "tool-use") return textSize(json.name) + textSize(json.input);
  if (kind === "tool-result") return textSize(json.content);
  if (kind !== "thinking") return textSize(json.text);
  // Where its text is left out, its signature holds it, in base64.
  return textSize(json.thinking) || textSize(json.data) || Math.round((textSize(json.signature) * 3) / 4);
}

/** 2.1.330 logs the text that was sent; before that, an attachment's own fields are what it was made from. */
function attachmentSize({ json, attachment, attachmentType }: AttachmentRecord): number {
  if (Array.isArray(json.rendered))
    return json.rendered.reduce<number>((sum, one) => sum + textSize(asObject(one)?.content), 0);
  return NOT_SENT.has(attachmentType) ? 0 : textSize(attachment);
}

/** The size of all strings in a value, each image as what it counts for. */
function textSize(value: unknown): number {
  let size = 0;
  const left: unknown[] = [value ?? ""];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") size += stringSize(next);
    else if (Array.isArray(next)) for (const one of next) left.push(one ?? "");
    else if (typeof next === "object" && next !== null) {
      const object = asObject(next) ?? {};
      if (asString(object.type) === "base64" || asString(object.base64) !== null) size += MEDIA_CHARS;
      else for (const key of Object.keys(object)) left.push(object[key] ?? "");
    }
  }
  return size;
}
