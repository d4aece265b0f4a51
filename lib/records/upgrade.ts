import { asObject, type JsonObject } from "./json";

/**
 * Older and odder shapes, brought to today's stepwise. A step looks at the shape, never at `version`:
 * files span versions. Each takes what the step before it returns.
 */
export function upgrade(json: JsonObject): JsonObject {
  return withMessage(json);
}

/** Lines that carry `content` beside `type` instead of inside `message`, as system lines do and some user lines once did. */
function withMessage(json: JsonObject): JsonObject {
  if (json.type !== "user" && json.type !== "assistant") return json;
  if (asObject(json.message) || json.content === undefined) return json;
  return { ...json, message: { role: json.type, content: json.content } };
}
