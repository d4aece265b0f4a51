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

/** What a block of this type is; a text without its text is unknown all the same. */
export function blockKind(type: string): ContentBlock["kind"] {
  switch (type) {
    case "text":
      return "text";
    case "thinking":
    case "redacted_thinking":
      return "thinking";
    case "image":
    case "document":
      return "media";
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return "tool-use";
    default:
      // Server tools answer in blocks of their own: web_search_tool_result, code_execution_tool_result, …
      return type === "tool_result" || type.endsWith("_tool_result") ? "tool-result" : "unknown";
  }
}

function parseBlock(value: unknown, depth: number): ContentBlock {
  const json = asObject(value);
  if (!json) return { kind: "unknown", type: typeof value, json: { value } };
  const type = asString(json.type) ?? "";
  const kind = blockKind(type);
  switch (kind) {
    case "text":
      return typeof json.text === "string"
        ? { kind, type, text: json.text, json }
        : { kind: "unknown", type, json };
    case "thinking": {
      const redacted = type === "redacted_thinking";
      return { kind, type, text: redacted ? "" : (asString(json.thinking) ?? ""), redacted, json };
    }
    case "tool-use": {
      const name = asString(json.name) ?? type;
      return { kind, type, id: asString(json.id), name, input: asObject(json.input) ?? NO_INPUT, json };
    }
    case "tool-result": {
      const isError =
        json.is_error === true || asString(asObject(json.content)?.type)?.endsWith("_error") === true;
      const content = depth < MAX_NESTED ? parseContent(json.content, depth + 1) : [];
      return { kind, type, toolUseId: asString(json.tool_use_id), isError, content, json };
    }
    default:
      return { kind, type, json };
  }
}
