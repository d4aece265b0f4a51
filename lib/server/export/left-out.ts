import { asArray, asObject, type JsonObject, MAX_WRITTEN_LEVELS, nestsDeeper } from "@/lib/log/records/json";

const THINKING = new Set<unknown>(["thinking", "redacted_thinking"]);
/** Calls and results, of the client’s tools and of the server’s: `server_tool_use`, `web_search_tool_result`. */
const TOOL = /(^|_)tool_(use|result)$/;
const RESULT = /(^|_)tool_result$/;

/**
 * What is left out of an export if it is false. `tools`: calls with their results and their agents. `agents`: the agents'
 * own threads; what called them, and what they answered, stays. `images`: images and documents.
 */
export type Contents = { thinking: boolean; tools: boolean; agents: boolean; images: boolean };

export const ALL_CONTENTS: Contents = { thinking: true, tools: true, agents: true, images: true };

/** Whether a block of a message is left out, if thinking or tools are. */
export function isLeftOut(
  block: unknown,
  { thinking, tools }: Pick<Contents, "thinking" | "tools">,
): boolean {
  const type = asObject(block)?.type;
  if (THINKING.has(type)) return !thinking;
  return !tools && TOOL.test(String(type));
}

/** Fields in which the client repeats a result beside the message. */
const OF_RESULT: ReadonlySet<string> = new Set(["toolUseResult", "mcpMeta", "sourceToolAssistantUUID"]);

/**
 * A record without some blocks of its message, chosen by block and index. What the record says elsewhere about a result
 * is left out with it. The same object if it has none of them.
 */
export function withoutBlocks(
  record: JsonObject,
  isLeft: (block: unknown, place: number) => boolean,
): JsonObject {
  const message = asObject(record.message);
  const blocks = asArray(message?.content);
  const left = new Set(blocks.filter(isLeft));
  if (left.size === 0) return record;
  const content = blocks.filter((block) => !left.has(block) && !nestsDeeper(block, MAX_WRITTEN_LEVELS));
  const hasLostResult = [...left].some((block) => RESULT.test(String(asObject(block)?.type)));
  const beside = Object.entries(record).filter(
    ([name, value]) => !(hasLostResult && OF_RESULT.has(name)) && !nestsDeeper(value, MAX_WRITTEN_LEVELS),
  );
  return Object.fromEntries([...beside, ["message", { ...message, content }]]);
}
