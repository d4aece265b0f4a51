import { asArray, asObject, asString, type JsonObject } from "./json";

/**
 * Older and odder shapes, brought to today's stepwise. A step looks at the shape, never at `version`:
 * files span versions. Each takes the type that the step before it returns, and gives a line that it has
 * nothing to do with back as it is.
 */
export function upgrade(json: JsonObject): JsonObject {
  return withBackups(withOutcome(withMessage(withTodaysType(json))));
}

declare const wrapped: unique symbol;

/** A line whose content, where it has any, stands in `message`. */
export type MessageLine = NamedLine & { readonly [wrapped]?: true };

/** Lines that carry `content` beside `type` instead of inside `message`, as system lines do and some user lines once did. */
export function withMessage(line: NamedLine): MessageLine {
  if (line.type !== "user" && line.type !== "assistant") return line;
  if (asObject(line.message) || line.content === undefined) return line;
  return { ...line, message: { role: line.type, content: line.content } satisfies JsonObject };
}

declare const named: unique symbol;

/** A line whose type, where a client before 1.0 had another name for it, is today's. */
export type NamedLine = JsonObject & { readonly [named]?: true };

/**
 * The types of `conversations/<project>/*.jsonl`, brought to today's: a person's line and a tool's result
 * are user lines, a compaction is a boundary with its summary (`lib/testing/fixtures/older/conversations`).
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

declare const judged: unique symbol;

/** A line that says of a failure or an abort what today's clients say. */
export type OutcomeLine = MessageLine & { readonly [judged]?: true };

/**
 * `isError` and `isAborted` of a whole line, as clients before 1.0 wrote them: today the result's block,
 * its structured result, or the answer's own fields tell the same (`lib/testing/fixtures/older/conversations`).
 */
export function withOutcome(line: MessageLine): OutcomeLine {
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

/** A line as clients write it today: the last step of `upgrade`. */
export type CurrentLine = OutcomeLine & { readonly [current]?: true };

/**
 * Snapshots whose backups are the files' contents, where today they name a file of `file-history/`
 * (`lib/testing/fixtures/older/projects`, the session of snapshots). The content stays with its backup.
 */
export function withBackups(line: OutcomeLine): CurrentLine {
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
