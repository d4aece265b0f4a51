import { asArray, asObject, asString, type JsonObject } from "./json";

/** One block of a message's content. `json` is the block as logged; `type` is its type as logged. */
export type ContentBlock =
  | { kind: "text"; type: string; text: string; json: JsonObject }
  | { kind: "thinking"; type: string; text: string; redacted: boolean; json: JsonObject }
  | { kind: "tool-use"; type: string; id: string | null; name: string; input: JsonObject; json: JsonObject }
  | {
      kind: "tool-result";
      type: string;
      toolUseId: string | null;
      isError: boolean;
      content: readonly ContentBlock[];
      json: JsonObject;
    }
  | { kind: "media"; type: string; json: JsonObject }
  | { kind: "unknown"; type: string; json: JsonObject };

const NO_INPUT: JsonObject = {};

/**
 * A message's content as blocks. A string is one text block: on a fork 1.0.128–2.1.29 turn the strings of
 * copied prompts into arrays, so both forms mean the same. Server tools write a lone object: the error of a
 * failed search, or the output of a command.
 */
export function parseContent(content: unknown, depth = 0): ContentBlock[] {
  if (typeof content === "string")
    return [{ kind: "text", type: "text", text: content, json: { type: "text", text: content } }];
  const lone = asObject(content);
  return (lone ? [lone] : asArray(content)).map((block) => parseBlock(block, depth));
}

/** Results hold blocks, but no further results: anything nested deeper is shown as raw JSON. */
const MAX_NESTED = 2;

function parseBlock(value: unknown, depth: number): ContentBlock {
  const json = asObject(value);
  if (!json) return { kind: "unknown", type: typeof value, json: { value } };
  const type = asString(json.type) ?? "";
  if (type === "text" && typeof json.text === "string") return { kind: "text", type, text: json.text, json };
  if (type === "thinking")
    return { kind: "thinking", type, text: asString(json.thinking) ?? "", redacted: false, json };
  if (type === "redacted_thinking") return { kind: "thinking", type, text: "", redacted: true, json };
  if (type === "image" || type === "document") return { kind: "media", type, json };
  if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") {
    const name = asString(json.name) ?? type;
    return {
      kind: "tool-use",
      type,
      id: asString(json.id),
      name,
      input: asObject(json.input) ?? NO_INPUT,
      json,
    };
  }
  // Server tools answer in blocks of their own: web_search_tool_result, code_execution_tool_result, …
  if (type === "tool_result" || type.endsWith("_tool_result")) {
    const isError =
      json.is_error === true || asString(asObject(json.content)?.type)?.endsWith("_error") === true;
    const content = depth < MAX_NESTED ? parseContent(json.content, depth + 1) : [];
    return { kind: "tool-result", type, toolUseId: asString(json.tool_use_id), isError, content, json };
  }
  return { kind: "unknown", type, json };
}
