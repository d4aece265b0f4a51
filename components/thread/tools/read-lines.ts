import { resultText } from "@/components/content/log-values";
import { fieldsOf, numberField, textField } from "@/lib/format/json-values";
import { type CallDetail, isWholeField } from "@/lib/wire/record";

/** Lines of a file. `isWhole`: none of what was read is missing. */
export type ReadLines = { text: string; firstLine: number; isWhole: boolean };

/**
 * What a Read returned. The client's own copy of it is cut at `MAX_FIELD` on its way here; the lines as the model got
 * them only much later, so those are shown then. `null` where the result has no lines.
 */
export function readLines(call: CallDetail): ReadLines | null {
  const file = fieldsOf(call.results[0]?.structured).file;
  const content = textField(file, "content");
  if (content === null) return numbered(call);
  const isWhole = isWholeField(content);
  const stored = { text: content, firstLine: numberField(file, "startLine") ?? 1, isWhole };
  if (isWhole) return stored;
  const sent = numbered(call);
  return sent && sent.text.length > content.length ? sent : stored;
}

/**
 * The lines of a result that has them with their numbers, `    12→text`, as the model got them. Agents'
 * results have no structured twin from 2.1.29 on, and this is all there is. `null` where it is no such text.
 */
function numbered(call: CallDetail): ReadLines | null {
  const { text, cut } = resultText(call);
  const first = /^\s*(\d+)(?:→|\t)/.exec(text);
  if (!first) return null;
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !/^\s*\d+(?:→|\t)/.test(line));
  const own = end === -1 ? lines : lines.slice(0, end);
  return {
    text: own.map((line) => line.replace(/^\s*\d+(?:→|\t)/, "")).join("\n"),
    firstLine: Number(first[1]),
    isWhole: end !== -1 || !cut,
  };
}
