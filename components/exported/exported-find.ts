import { valuesIn } from "@/lib/format/json-values";
import { findWholeText } from "@/lib/markup/whole-text";
import { evaluate } from "@/lib/query/evaluate";
import { type ParsedQuery, parseQuery, type Query } from "@/lib/query/parse-query";
import { requiredTerms } from "@/lib/query/required-terms";
import { textPattern } from "@/lib/query/text-marks";
import type { AgentId, ProjectId, RecordId } from "@/lib/wire/ids";
import { parseRowKey } from "@/lib/wire/ids";
import type { CallDetail, OutputBlock } from "@/lib/wire/record";
import type { CutText, Row, ToolRow } from "@/lib/wire/rows";
import type { QueryProblem, SearchField, SearchHit } from "@/lib/wire/search";
import type { ExportedFile } from "./exported-file";

/** A text of the file, as a hit names it. */
type Place = { recordId: RecordId; block: number; field: SearchField; text: string; tool?: string };

const BEFORE = 40;
const BEHIND = 80;

/** The note about what a file cannot do: it has no index of calls and files to filter by, and runs no expressions. */
const NOT_HERE = "An exported file looks for this as it is written";

/** A query as a file supports it: of words and phrases alone. */
function parseWords(text: string): ParsedQuery {
  return parseQuery(text, { checkRegex: () => NOT_HERE, refuseFilter: () => NOT_HERE });
}

/** What a file cannot do of a query, and so looks for as it is written. */
export function problemsOf(text: string): QueryProblem[] {
  return parseWords(text).errors;
}

/**
 * Searches all texts that the file's rows and calls show, thread after thread. Yields the hits of a row at once, and
 * `null` for a row without any, so that callers can do other work in between.
 */
export function* find(file: ExportedFile, text: string): Generator<SearchHit[] | null> {
  const { query } = parseWords(text);
  if (query === null) return;
  const matches = matcherOf(query);
  const mayHold = prefilterOf(query);
  for (const [agentId, thread] of file.threads()) {
    for (const row of thread.rows) {
      const hits = placesOf(file, row, mayHold).flatMap((place) => {
        const at = matches(place.text);
        return at === null ? [] : [hitOf(place, at, agentId, row.atMs, file)];
      });
      yield hits.length > 0 ? hits : null;
    }
  }
}

/** The first match of the query in a text; `null` for a text that does not match. */
function matcherOf(query: Query): (text: string) => [from: number, to: number] | null {
  const patterns = new Map<string, RegExp>();
  const patternOf = (word: string) => {
    const pattern = patterns.get(word) ?? textPattern(word);
    patterns.set(word, pattern);
    pattern.lastIndex = 0;
    return pattern;
  };
  return (text) => {
    let first: [number, number] | null = null;
    const holds = evaluate(query, (leaf) => {
      // There are no other leaves in a query of words.
      if (leaf.kind !== "word" && leaf.kind !== "phrase") return false;
      const match = patternOf(leaf.text).exec(text);
      if (match && (!first || match.index < first[0])) first = [match.index, match.index + match[0].length];
      return match !== null;
    });
    return holds ? (first ?? [0, 0]) : null;
  };
}

/**
 * Whether JSON may contain the searched words: most calls need not be read. Words that JSON may write in another way
 * are not checked.
 */
function prefilterOf(query: Query): (json: string) => boolean {
  const words = requiredTerms(query);
  if (!words?.every((word) => /^[ !#-;=-[\]-~]+$/.test(word))) return () => true;
  const patterns = words.map(textPattern);
  return (json) =>
    patterns.some((pattern) => {
      pattern.lastIndex = 0;
      return pattern.test(json);
    });
}

function placesOf(file: ExportedFile, row: Row, mayHold: (json: string) => boolean): Place[] {
  const { recordId, block } = row;
  const own = (field: SearchField, text: CutText): Place[] => [
    { recordId, block, field, text: wholeOf(file, linesOf(row), text) },
  ];
  switch (row.kind) {
    case "turn":
      return own("prompt", row.prompt);
    case "text":
      return own("text", row.text);
    case "thinking":
      return own("thinking", row.text);
    case "agent-return":
      return joined([...own("returned", row.text), ...noted(row, "returned", row.notice)]);
    case "compaction":
      return row.summary ? own("output", row.summary) : [];
    case "event":
      return joined([...noted(row, "output", row.label), ...own("output", row.text)]);
    case "context":
    case "unknown":
    case "unreadable":
      return own("output", row.text);
    case "tool":
      return callMayHold(file, row, mayHold) ? placesOfCall(file, row, file.call(recordId, block)) : [];
    case "bookkeeping":
    case "blob":
    case "run":
    case "fork":
      return [];
  }
}

/** What a row says in addition to its text. */
function noted({ recordId, block }: Row, field: SearchField, text = ""): Place[] {
  return [{ recordId, block, field, text }];
}

/** The line that a row represents, and those that it shows besides: of a result, a summary, or a queued prompt. */
function linesOf({ recordId, shows }: Row): RecordId[] {
  return [recordId, ...(shows ?? []).map((key) => parseRowKey(key).recordId)];
}

/** A line is in the file if it has more text than a row shows at once. A call's output may be a file of its own. */
function callMayHold(file: ExportedFile, row: ToolRow, mayHold: (json: string) => boolean): boolean {
  const call = file.callText(row.recordId, row.block);
  return (
    mayHold(call) || call.includes('"kind":"output"') || linesOf(row).some((id) => mayHold(file.lineText(id)))
  );
}

function placesOfCall(file: ExportedFile, row: ToolRow, call: CallDetail | null): Place[] {
  if (!call) return [];
  const { recordId, block, name: tool } = row;
  const inputs = stringsIn(call.input).map(
    (text): Place => ({ recordId, block, field: "input", text, tool }),
  );
  const outputs = call.results.flatMap((result, nth) => {
    const key = row.shows?.find((one) => parseRowKey(one).recordId === result.recordId);
    const at = key === undefined ? { recordId: result.recordId, block: 0 } : parseRowKey(key);
    const texts = result.blocks.map((one) => textOf(file, result.recordId, one));
    // For a changed file, the lines around the change are shown as well.
    const changed = nth === 0 ? call.diffs.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines)) : [];
    return [...texts, ...changed.map(withoutSign)]
      .filter(Boolean)
      .map((text): Place => ({ ...at, field: "output", text }));
  });
  // Several texts of a field are one hit.
  return [...joined(inputs), ...joined([...outputs, ...noted(row, "output", call.partial?.text)])];
}

/** The text of a block of a result; "" for an image. */
function textOf(file: ExportedFile, recordId: RecordId, block: OutputBlock): string {
  if (block.kind === "text") return wholeOf(file, [recordId], block.text);
  if (block.kind === "other") return stringsIn(block.json).join("\n");
  return block.blob.kind === "output" ? (file.outputText(block.blob) ?? "") : "";
}

/** A line of a patch as it is in its file. */
function withoutSign(line: string): string {
  return line.slice(1);
}

function joined(places: readonly Place[]): Place[] {
  const said = places.filter(({ text }) => text !== "");
  const [first] = said;
  return first ? [{ ...first, text: said.map(({ text }) => text).join("\n") }] : [];
}

function stringsIn(json: unknown): string[] {
  return [...valuesIn(json)].filter((value) => typeof value === "string");
}

/** The whole text, from the first of these lines that contains it; as much as the row has if none does. */
function wholeOf(file: ExportedFile, lines: readonly RecordId[], text: CutText): string {
  if (!text.cut) return text.text;
  for (const recordId of lines) {
    const line = file.line(recordId);
    const whole = line && findWholeText(JSON.parse(line), text);
    if (whole) return whole;
  }
  return text.text;
}

function hitOf(
  { recordId, block, field, text, tool }: Place,
  [from, to]: [number, number],
  agentId: AgentId | null,
  atMs: number | null,
  { session }: ExportedFile,
): SearchHit {
  const start = Math.max(0, from - BEFORE);
  return {
    projectId: "" as ProjectId,
    sessionId: session.id,
    agentId,
    recordId,
    block,
    field,
    tool: tool ?? null,
    snippet: text.slice(start, to + BEHIND).replace(/\s/g, " "),
    ranges: [[from - start, to - start]],
    atMs,
  };
}
