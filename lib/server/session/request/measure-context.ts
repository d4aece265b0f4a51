import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { ApiMessage, ContextShares } from "@/lib/wire/messages";

/** How deep sizes are added up. */
const MOST_DEPTH = 64;

/** UTF-16 units of all strings in a value; base64 data of images and documents counts as nothing. */
export function textSize(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + textSize(one, depth + 1), 0);
  const object = asObject(value) ?? {};
  const isMedia = object.type === "base64";
  let sum = 0;
  for (const key of Object.keys(object))
    if (!(isMedia && key === "data")) sum += textSize(object[key], depth + 1);
  return sum;
}

const MEMORY = /CLAUDE\.md|# claudeMd|memory file/i;

/** What a request is made of. A result counts as a file if the call it answers read one. */
export function measureContext(
  messages: readonly ApiMessage[],
  system: unknown,
  tools: unknown,
): ContextShares {
  const shares: ContextShares = {
    system: textSize(system),
    tools: textSize(tools),
    memory: 0,
    reminders: 0,
    files: 0,
    toolOutput: 0,
    conversation: 0,
  };
  const toolOf = new Map<string, string>();
  for (const { role, content } of messages) {
    for (const block of blocksOf(content)) {
      const size = textSize(block);
      if (block.type === "tool_use") toolOf.set(asString(block.id) ?? "", asString(block.name) ?? "");
      shares[shareOf(role, block, toolOf)] += size;
    }
  }
  return shares;
}

function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asArray(content)
    .map(asObject)
    .filter((block) => block !== null);
}

function shareOf(
  role: ApiMessage["role"],
  block: JsonObject,
  toolOf: ReadonlyMap<string, string>,
): keyof ContextShares {
  if (block.type === "tool_result") {
    const tool = toolOf.get(asString(block.tool_use_id) ?? "");
    return tool === "Read" || tool === "NotebookRead" ? "files" : "toolOutput";
  }
  const text = asString(block.text) ?? "";
  const isReminder = role === "system" || text.startsWith("<system-reminder>");
  if (isReminder) return MEMORY.test(text) ? "memory" : "reminders";
  return "conversation";
}
