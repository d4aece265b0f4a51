import { asArray, asObject, asString, type JsonObject } from "./json";

/**
 * Brings older and irregular shapes to the current one, step by step. A step tests the shape, never `version`:
 * files span versions. Each step takes the type that the previous one returns, and returns a line that does not
 * concern it unchanged.
 */
export function upgrade(json: JsonObject): JsonObject {
  return withBackups(withOutcome(withMessage(withTodaysType(json))));
}

declare const wrapped: unique symbol;

/** A line whose content, if any, is in `message`. */
export type MessageLine = NamedLine & { readonly [wrapped]?: true };

/** Moves `content` into `message` where a line has it beside `type`, as system lines do and some user lines once did. */
function withMessage(line: NamedLine): MessageLine {
  if (line.type !== "user" && line.type !== "assistant") return line;
  if (asObject(line.message) || line.content === undefined) return line;
  return { ...line, message: { role: line.type, content: line.content } satisfies JsonObject };
}

declare const named: unique symbol;

/** A line whose type is the current one, where a client before 1.0 had another name for it. */
export type NamedLine = JsonObject & { readonly [named]?: true };

/**
 * Maps the types of `conversations/<project>/*.jsonl` to current ones: a person's line and a tool's result
 * are user lines, a compaction is a boundary with its summary (`lib/testing/fixtures/older/conversations`).
 */
function withTodaysType(json: JsonObject): NamedLine {
  return RENAMES.get(json.type)?.(json) ?? json;
}

const RENAMES = new Map<unknown, (json: JsonObject) => NamedLine>([
  ["human", (json) => ({ ...json, type: "user" })],
  ["tool_result", toResultLine],
  ["compact_prelude", toBoundary],
  [undefined, toSessionLink],
  // The context that the model continues from. It was never displayed, like the summaries of 1.0.128 and later.
  [
    "compact_recap",
    (json) => ({ ...json, type: "user", isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  ],
]);

/** A later client's note that a session continues in another one has no type. */
function toSessionLink(json: JsonObject): NamedLine {
  const isLink = [json.sid, json.from, json.to].every((id) => asString(id) !== null);
  return isLink ? { ...json, type: "session-link" } : json;
}

/** A result is never a person's message, even where its block is missing. */
function toResultLine(json: JsonObject): NamedLine {
  const blocks = asArray(asObject(json.message)?.content ?? json.content);
  const hasResult = blocks.some((block) => asObject(block)?.type === "tool_result");
  return hasResult ? { ...json, type: "user" } : { ...json, type: "user", isMeta: true };
}

/** The first prelude starts a new context, so it is the boundary; those that follow are text that was preserved. */
function toBoundary(json: JsonObject): NamedLine {
  if (asString(json.parentUuid) !== null) return { ...json, type: "user", isMeta: true };
  const content = asObject(json.message)?.content ?? json.content;
  return { ...json, type: "system", subtype: "compact_boundary", content };
}

declare const judged: unique symbol;

/** A line that records a failure or an abort the way current clients do. */
export type OutcomeLine = MessageLine & { readonly [judged]?: true };

/**
 * Converts `isError` and `isAborted` of a whole line, as clients before 1.0 wrote them: today the result's block,
 * its structured result or the answer's own fields hold this (`lib/testing/fixtures/older/conversations`).
 */
function withOutcome(line: MessageLine): OutcomeLine {
  if (line.isError !== true && line.isAborted !== true) return line;
  if (line.type === "assistant") return ofAnswer(line);
  return line.type === "user" ? ofResults(line) : line;
}

function ofAnswer(line: MessageLine): OutcomeLine {
  const aborted = line.isAborted === true ? { isAbortedMidStream: true } : {};
  return line.isError === true ? { ...line, ...aborted, isApiErrorMessage: true } : { ...line, ...aborted };
}

function ofResults(line: MessageLine): OutcomeLine {
  const message = asObject(line.message);
  const blocks = asArray(message?.content);
  if (!blocks.some(isResult)) return line;
  const content =
    line.isError === true
      ? blocks.map((block) => (isResult(block) ? { ...block, is_error: true } : block))
      : blocks;
  const structured =
    line.isAborted === true ? { toolUseResult: { ...asObject(line.toolUseResult), interrupted: true } } : {};
  return { ...line, ...structured, message: { ...message, content } };
}

function isResult(block: unknown): block is JsonObject {
  return asObject(block)?.type === "tool_result";
}

declare const current: unique symbol;

/** A line in the current shape: the result of the last step of `upgrade`. */
export type CurrentLine = OutcomeLine & { readonly [current]?: true };

/**
 * Upgrades snapshots whose backups are the files' contents; current ones name a file of `file-history/`
 * (`lib/testing/fixtures/older/projects`, the session of snapshots). The content stays with its backup.
 */
function withBackups(line: OutcomeLine): CurrentLine {
  if (line.type !== "file-history-snapshot") return line;
  const snapshot = asObject(line.snapshot);
  const backups = Object.entries(asObject(snapshot?.trackedFileBackups) ?? {});
  if (!backups.some(([, backup]) => typeof backup === "string")) return line;
  const backupTime = asString(snapshot?.timestamp);
  const upgraded = backups.map(([path, backup]) => [
    path,
    typeof backup === "string"
      ? { backupFileName: null, version: null, backupTime, content: backup }
      : backup,
  ]);
  return { ...line, snapshot: { ...snapshot, trackedFileBackups: Object.fromEntries(upgraded) } };
}
