import type { ContentBlock } from "@/lib/log/records/content-block";
import { asString, type JsonObject } from "@/lib/log/records/json";
import type { AssistantRecord, SessionRecord } from "@/lib/log/records/session-record";
import { BlockKind, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";
import { noteMessage } from "./add-message";
import { addResult, callOfUse, noteChange } from "./add-result";
import { pushBlock, pushRecord } from "./push-record";
import { mayBeCut, textHash, textPrefix } from "./text-prefix";

const NONE = -1;

/** The answer that the client adds where a resumed session ended with a user line. */
const SPACER = "No response requested.";

/** Appends a line of an answer with its blocks and calls, and returns its index. `whole`: see `addRecord`. */
export function addAssistant(
  table: SessionTable,
  file: number,
  record: AssistantRecord,
  whole: () => SessionRecord,
): number {
  const kind = isSynthetic(record) ? RecordKind.synthetic : RecordKind.assistant;
  const index = pushRecord(table, file, record, kind, "assistant");
  table.records.message.put(index, noteMessage(table, file, record));
  const text = record.blocks.find((block) => block.kind === "text");
  if (text?.kind === "text" && text.text !== "") table.records.link.put(index, textHash(text.text));
  const full = record.elided ? whole : null;
  for (const [blockIndex, block] of record.blocks.entries()) addBlock(table, index, blockIndex, block, full);
  // An assistant message without content (scenario `empty`, 2.1.110 and later) is still a record to show.
  if (record.blocks.length === 0) pushBlock(table, index, BlockKind.record, Level.everything);
  return index;
}

/** 2.1.110 keeps the text of an interrupted answer under the model `<synthetic>`: it is the model's own. */
function isSynthetic(record: AssistantRecord): boolean {
  if (record.isApiError) return true;
  if (record.model !== "<synthetic>") return false;
  return record.blocks.every((block) => block.kind !== "text" || block.text === SPACER);
}

type ToolUse = Extract<ContentBlock, { kind: "tool-use" }>;

/** @param whole reads a line that was shortened again */
function addBlock(
  table: SessionTable,
  record: number,
  blockIndex: number,
  block: ContentBlock,
  whole: (() => SessionRecord) | null,
): void {
  switch (block.kind) {
    case "text":
      pushBlock(
        table,
        record,
        BlockKind.text,
        block.text === "" ? Level.everything : Level.conversation,
        blockIndex,
      );
      return;
    case "thinking":
      pushBlock(table, record, BlockKind.thinking, Level.tools, blockIndex);
      return;
    case "tool-use": {
      const call = callOfUse(table, block.id, table.records.file.at(record));
      const known = table.calls.use.at(call) !== NONE;
      const level = known ? Level.merged : Level.tools;
      const added = pushBlock(table, record, BlockKind.call, level, blockIndex, call);
      if (known) return; // the same call again: a copied line
      table.calls.use.put(call, added);
      table.calls.tool.put(call, table.tools.intern(block.name));
      const prompt = asString(block.input.prompt);
      if (prompt) table.startedAgents.note(call, { prompt: table.texts.intern(textPrefix(prompt)) });
      const type = asString(block.input.subagent_type);
      if (type) table.startedAgents.note(call, { type: table.agentTypes.intern(type) });
      const target = targetOf(block, blockIndex, whole);
      if (target !== null && table.calls.path.at(call) === NONE) {
        table.calls.target.put(call, table.paths.intern(target));
        noteChange(table, call); // its result may stand in a file that was read before
      }
      return;
    }
    case "tool-result":
      addResult(table, record, blockIndex, block, null);
      return;
    case "media":
      pushBlock(table, record, BlockKind.media, Level.conversation, blockIndex);
      return;
    default:
      pushBlock(table, record, BlockKind.unknown, Level.tools, blockIndex);
  }
}

/** The file that a call is to change, by its input; `null` for any other call. */
function targetOf(
  { name, input }: ToolUse,
  blockIndex: number,
  whole: (() => SessionRecord) | null,
): string | null {
  if (toolNamed(name)?.files !== "changes") return null;
  const path = inputPath(input);
  if (whole === null || !mayBeCut(path)) return path;
  const full = whole();
  const block = full.kind === "assistant" ? full.blocks[blockIndex] : undefined;
  return block?.kind === "tool-use" ? inputPath(block.input) : path;
}

/** The path that a call to a tool for files or notebooks names, as the model wrote it; `null` without one. */
export function inputPath(input: JsonObject): string | null {
  return asString(input.file_path) ?? asString(input.notebook_path);
}
