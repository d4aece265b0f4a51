import { asArray, asObject, type JsonObject } from "./json";
import type { MessageLine } from "./upgrade-message";

declare const judged: unique symbol;

/** A line that says of a failure or an abort what today's clients say. */
export type OutcomeLine = MessageLine & { readonly [judged]?: true };

/**
 * `isError` and `isAborted` of a whole line, as clients before 1.0 wrote them: today the result's block,
 * its structured result, or the answer's own fields tell the same (`e2e/fixtures/older/conversations`).
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
