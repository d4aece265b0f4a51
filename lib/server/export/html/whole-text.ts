import { valuesIn } from "@/lib/format/json-values";
import { injectedText, typedText } from "@/lib/log/adding/user-text";
import { asArray, asObject, asString, nestsDeeper } from "@/lib/log/records/json";
import { toRecord } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { attachmentContext, attachmentEvent, systemEvent, userEvent } from "@/lib/log/rows/events";
import { promptOf } from "@/lib/log/rows/turn-row";
import { RecordKind } from "@/lib/log/table/kinds";
import { findWholeText } from "@/lib/markup/whole-text";
import type { CutText } from "@/lib/wire/rows";

/** Deeper values would overflow the stack. */
const MAX_LEVELS = 500;

/**
 * The whole of a text of which a row has the beginning, from its record, without what the row leaves out around it
 * (tags beside what was typed, the frame of a command's output); `null` if the record does not contain it.
 */
export function wholeTextOf(json: unknown, cut: CutText): string | null {
  let whole: string | null = null;
  for (const text of textsOf(json, cut)) {
    if (!text.startsWith(cut.text) || text.length < cut.length) continue;
    if (text.length === cut.length) return text;
    // A row is made of strings that may be cut: how long one was it knows of the longest of a line alone.
    whole ??= text;
  }
  return whole ?? findWholeText(json, cut);
}

/** Candidates for the text: first what rows are made of, then everything else in the record. */
function* textsOf(json: unknown, cut: CutText): Generator<string> {
  const object = asObject(json);
  if (object) yield* shownTexts(toRecord(object, { offset: 0, length: 0, line: 0 }));
  yield findWholeText(json, cut) ?? "";
  yield* joinedTexts(json);
  // What no client is known to write is shown as JSON: of a whole record, or of a block of it.
  if (!cut.text.startsWith("{") || nestsDeeper(json, MAX_LEVELS)) return;
  for (const value of [json, ...asArray(asObject(object?.message)?.content)]) yield JSON.stringify(value);
}

/** What the row of a record may show, as `lib/log/rows` reads it. */
function* shownTexts(record: SessionRecord): Generator<string> {
  const prompt = promptOf(record);
  yield typedText(prompt);
  yield injectedText(prompt);
  for (const kind of [RecordKind.commandOutput, RecordKind.notification])
    yield userEvent(kind, prompt)?.text ?? "";
  yield prompt;
  if (record.kind === "system") yield systemEvent(record.subtype, record.json)?.text ?? "";
  if (record.kind !== "attachment") return;
  yield attachmentEvent(record)?.text ?? "";
  yield attachmentContext(record, Number.MAX_SAFE_INTEGER).text;
}

/** The texts of neighbouring blocks that are shown as one. */
function* joinedTexts(json: unknown): Generator<string> {
  for (const value of valuesIn(json)) {
    const texts = asArray(value)
      .map((block) => asString(asObject(block)?.text) ?? "")
      .filter(Boolean);
    if (texts.length > 1) yield texts.join("\n");
  }
}
