import { fieldsOf, isObject } from "@/lib/format/json-values";
import { clip } from "@/lib/format/text";
import { splitToolName } from "@/lib/tools/tools";
import type { RecordId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/model-requests/messages";

/** Whose text a message is: a person's, the model's, a tool's, or the client's own (reminders, memory). */
export type ContextKind = "you" | "answer" | "result" | "client";

/** A message of a request, summarized in one line. `number` is its position in the request, from 1. */
export type ContextEntry = {
  number: number;
  kind: ContextKind;
  subject: string;
  chars: number;
  isNew: boolean;
  recordIds: RecordId[];
  message: ApiMessage;
};

const MAX_SUBJECT_CHARACTERS = 200;

/** Summarizes the messages of a request, one line each. A tool result is named by its call. */
export function contextEntries({ messages, notes }: MessagesResponse): ContextEntry[] {
  const callNames = new Map<string, string>();
  return messages.map((message, index) => {
    const blocks = contextBlocks(message.content);
    for (const block of blocks) if (block.kind === "call") callNames.set(block.id, formatCall(block));
    const note = notes[index];
    return {
      number: index + 1,
      ...describe(message.role, blocks, callNames),
      chars: note?.chars ?? 0,
      isNew: note?.isNew ?? false,
      recordIds: note?.recordIds ?? [],
      message,
    };
  });
}

function describe(
  role: ApiMessage["role"],
  blocks: readonly ContextBlock[],
  callNames: ReadonlyMap<string, string>,
): Pick<ContextEntry, "kind" | "subject"> {
  if (role === "assistant") return { kind: "answer", subject: formatAnswer(blocks) };
  const results = blocks.filter((block) => block.kind === "result");
  if (results.length > 0) return { kind: "result", subject: formatResults(results, callNames) };
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  // The client puts its own text before what the person wrote, so the last other text is the person's.
  const typed =
    role === "system" ? undefined : texts.findLast((text) => !isClientText(text) && text.trim() !== "");
  if (typed !== undefined) return { kind: "you", subject: firstLine(typed) };
  const media = blocks.filter((block) => block.kind === "media");
  if (media.length > 0) return { kind: "you", subject: media.map(({ type }) => type).join(", ") };
  return { kind: "client", subject: firstLine(texts.join("\n").replace(/<\/?system-reminder>/g, "")) };
}

/** What the client adds to a prompt or writes in a person's name: in tags of its own, or by how it begins (all versions). */
const CLIENT_TEXT = new RegExp(
  [
    "<(?:system-reminder|ide_|local-command|command-|bash-std|(?:task|agent|bash)-notification)",
    "\\[SYSTEM NOTIFICATION - NOT USER INPUT\\]",
    "This session is being continued from a previous conversation",
    "Caveat: The messages below were generated",
    "Stop hook feedback:",
    "Base directory for this skill:",
  ]
    .map((start) => `^\\s*${start}`)
    .join("|"),
);

function isClientText(text: string): boolean {
  return CLIENT_TEXT.test(text);
}

function formatAnswer(blocks: readonly ContextBlock[]): string {
  const text = blocks.find((block) => block.kind === "text" && block.text.trim() !== "");
  if (text?.kind === "text") return firstLine(text.text);
  const calls = blocks.filter((block) => block.kind === "call");
  if (calls.length === 1 && calls[0]) return formatCall(calls[0]);
  if (calls.length > 1) return countNames(calls.map(({ name }) => name));
  return blocks.some(({ kind }) => kind === "thinking") ? "thinking" : "nothing";
}

function formatResults(
  results: readonly Extract<ContextBlock, { kind: "result" }>[],
  callNames: ReadonlyMap<string, string>,
): string {
  const names = results.map(({ callId }) => callNames.get(callId) ?? "a call before this request");
  const [only] = results;
  if (results.length > 1 || !only) return countNames(names.map((name) => name.split(" ")[0] ?? name));
  const text = only.blocks.find((block) => block.kind === "text");
  return clip(
    `${names[0]}: ${text?.kind === "text" ? firstLine(text.text) : "no text"}`,
    MAX_SUBJECT_CHARACTERS,
  );
}

/** `Bash npm test`: a call's name and the first string in its input. */
function formatCall({ name, input }: Extract<ContextBlock, { kind: "call" }>): string {
  const first = Object.values(fieldsOf(input)).find((value): value is string => typeof value === "string");
  return first === undefined ? name : firstLine(`${name} ${first}`);
}

/** `Read ×3, Grep`, in order of first appearance. */
function countNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(", ");
}

function firstLine(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return clip(line.trim(), MAX_SUBJECT_CHARACTERS);
}

/** A block of a message as the pane shows it. `other` holds blocks that this page does not know. */
export type ContextBlock =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "call"; id: string; name: string; input: unknown }
  | { kind: "result"; callId: string; isError: boolean; blocks: ContextBlock[] }
  | { kind: "media"; type: string; mediaType: string | null }
  | { kind: "other"; type: string; json: unknown };

type Json = Record<string, unknown>;

/** The blocks of a message's content; a string counts as one text block. */
export function contextBlocks(content: ApiMessage["content"]): ContextBlock[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content))
    return content == null ? [] : [{ kind: "other", type: "content", json: content }];
  return content.map(toBlock);
}

function toBlock(json: unknown): ContextBlock {
  if (typeof json === "string") return { kind: "text", text: json };
  if (typeof json !== "object" || json === null) return { kind: "other", type: typeof json, json };
  const block = json as Json;
  const type = textOf(block.type) ?? "block";
  switch (type) {
    case "text":
      return { kind: "text", text: textOf(block.text) ?? "" };
    case "thinking":
      return { kind: "thinking", text: textOf(block.thinking) ?? "" };
    case "tool_use":
    case "server_tool_use":
      return {
        kind: "call",
        id: textOf(block.id) ?? "",
        name: textOf(block.name) ?? "?",
        input: block.input,
      };
    case "tool_result":
      return {
        kind: "result",
        callId: textOf(block.tool_use_id) ?? "",
        isError: block.is_error === true,
        // Results can't be nested; one that is anyway is shown as JSON.
        blocks: contextBlocks(block.content).map((one) =>
          one.kind === "result" ? { kind: "other", type, json } : one,
        ),
      };
    case "image":
    case "document":
      return { kind: "media", type, mediaType: textOf((block.source as Json | undefined)?.media_type) };
    default:
      return { kind: "other", type, json };
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export type ContextView = "all" | "changes" | "size";

/** An item of the list: a message, or a run of old messages folded into one line. */
export type ContextItem =
  | { kind: "entry"; entry: ContextEntry }
  | { kind: "fold"; entries: ContextEntry[]; chars: number };

/** How many old messages before the first new one stay unfolded, since the new ones refer to them. */
const MAX_UNFOLDED_OLD = 12;
/** Shorter runs are shown instead of folded. */
const MIN_FOLDED = 5;

/** Orders and folds a request's messages: all as sent, only new ones, or largest first. */
export function viewEntries(entries: readonly ContextEntry[], view: ContextView): ContextItem[] {
  if (view === "size") return entries.toSorted((left, right) => right.chars - left.chars).map(toItem);
  const firstNew = entries.findIndex(({ isNew }) => isNew);
  const old = firstNew < 0 ? entries.length : firstNew;
  const folded = view === "changes" ? old : Math.max(0, old - MAX_UNFOLDED_OLD);
  if (folded === 0 || (view === "all" && folded < MIN_FOLDED)) return entries.map(toItem);
  const head = entries.slice(0, folded);
  const chars = head.reduce((sum, one) => sum + one.chars, 0);
  return [{ kind: "fold", entries: head, chars }, ...entries.slice(folded).map(toItem)];
}

function toItem(entry: ContextEntry): ContextItem {
  return { kind: "entry", entry };
}

/** The messages added since the previous request, and their size. */
export function countNew(entries: readonly ContextEntry[]): { messages: number; chars: number } {
  const fresh = entries.filter(({ isNew }) => isNew);
  return { messages: fresh.length, chars: fresh.reduce((sum, one) => sum + one.chars, 0) };
}

/** A tool as declared in a request. */
export type DeclaredTool = {
  name: string;
  /** The MCP server in `mcp__server__tool`. */
  server: string | null;
  description: string;
  schema: unknown;
  deferred: boolean;
  chars: number;
};

/** The tools of a recorded request; entries that are not objects are left out. */
export function declaredTools(tools: unknown): DeclaredTool[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isObject(tool)) return [];
    const { name, description, input_schema, defer_loading, type } = tool;
    const called = typeof name === "string" ? name : typeof type === "string" ? type : "tool";
    return [
      {
        name: called,
        server: splitToolName(called)[0],
        description: typeof description === "string" ? description : "",
        schema: input_schema ?? tool,
        deferred: defer_loading === true,
        chars: JSON.stringify(tool).length,
      },
    ];
  });
}

/** `18 built in, 26 from 3 MCP servers, 9 deferred`. */
export function formatTools(tools: readonly DeclaredTool[]): string {
  const servers = new Set(tools.flatMap(({ server }) => (server === null ? [] : [server])));
  const foreign = tools.filter(({ server }) => server !== null).length;
  const deferred = tools.filter((tool) => tool.deferred).length;
  return [
    `${tools.length - foreign} built in`,
    foreign > 0 && `${foreign} from ${servers.size} MCP server${servers.size === 1 ? "" : "s"}`,
    deferred > 0 && `${deferred} deferred`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** The parts of a system prompt: one for a string, several for a list of text blocks. */
export function systemParts(system: unknown): { text: string; cached: boolean }[] {
  if (typeof system === "string") return [{ text: system, cached: false }];
  if (!Array.isArray(system)) return [];
  return system.map((part: unknown) => {
    const { text, cache_control } = fieldsOf(part);
    return {
      text: typeof text === "string" ? text : JSON.stringify(part, null, 2),
      cached: cache_control != null,
    };
  });
}
