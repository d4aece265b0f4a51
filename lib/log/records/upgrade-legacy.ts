import { asArray, asObject, asString, type JsonObject } from "./json";

declare const named: unique symbol;

/** A line whose type, where a client before 1.0 had another name for it, is today's. */
export type NamedLine = JsonObject & { readonly [named]?: true };

/**
 * The types of `conversations/<project>/*.jsonl`, brought to today's: a person's line and a tool's result
 * are user lines, a compaction is a boundary with its summary (`e2e/fixtures/older/conversations`).
 */
export function withTodaysType(json: JsonObject): NamedLine {
  return RENAMES.get(json.type)?.(json) ?? json;
}

const RENAMES = new Map<unknown, (json: JsonObject) => NamedLine>([
  ["human", (json) => ({ ...json, type: "user" })],
  ["tool_result", toResultLine],
  ["compact_prelude", toBoundary],
  [undefined, toSessionLink],
  // What the model goes on with. It was never on the screen, like the summaries of 1.0.128 and later.
  [
    "compact_recap",
    (json) => ({ ...json, type: "user", isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  ],
]);

/** A later client's note that a session goes on in another one names no type. */
function toSessionLink(json: JsonObject): NamedLine {
  const isLink = [json.sid, json.from, json.to].every((id) => asString(id) !== null);
  return isLink ? { ...json, type: "session-link" } : json;
}

/** A result is never a person's message, also where its block is missing. */
function toResultLine(json: JsonObject): NamedLine {
  const blocks = asArray(asObject(json.message)?.content ?? json.content);
  const hasResult = blocks.some((block) => asObject(block)?.type === "tool_result");
  return hasResult ? { ...json, type: "user" } : { ...json, type: "user", isMeta: true };
}

/** The first prelude starts the context anew, so it is the boundary; those that follow it are text that was kept. */
function toBoundary(json: JsonObject): NamedLine {
  if (asString(json.parentUuid) !== null) return { ...json, type: "user", isMeta: true };
  const content = asObject(json.message)?.content ?? json.content;
  return { ...json, type: "system", subtype: "compact_boundary", content };
}
