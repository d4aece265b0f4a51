import type { ApiMessage } from "@/lib/wire/messages";

/** A block of a message as the pane shows it. `other` keeps what this page does not know. */
export type ContextBlock =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string }
  | { kind: "call"; id: string; name: string; input: unknown }
  | { kind: "result"; callId: string; isError: boolean; blocks: ContextBlock[] }
  | { kind: "media"; type: string; mediaType: string | null }
  | { kind: "other"; type: string; json: unknown };

type Json = Record<string, unknown>;

/** The blocks of a message's content; a string is one text. */
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
        // A result inside a result is none: such a thing is shown as it is.
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
