import { findWholeText } from "@/lib/markup/whole-text";
import { evaluate } from "@/lib/query/evaluate";
import { parseQuery, type Query } from "@/lib/query/parse-query";
import { requiredTerms, searchTerms } from "@/lib/query/required-terms";
import { textPattern } from "@/lib/query/text-marks";
import type { AgentId, ProjectId, RecordId } from "@/lib/wire/ids";
import { parseRowKey } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { CutText, Row, ToolRow } from "@/lib/wire/rows";
import type { QueryProblem, SearchField, SearchHit } from "@/lib/wire/search";
import type { ExportedFile } from "./exported-file";

/** A text of the file, as a hit names it. */
type Place = { recordId: RecordId; block: number; field: SearchField; text: string; tool?: string };

const BEFORE = 40;
const BEHIND = 80;

/** What a file cannot look for: it has no index of calls and files, and runs no expressions. */
export function problemsOf(text: string): QueryProblem[] {
  const { query, errors } = parseQuery(text);
  const problems: QueryProblem[] = [...errors];
  for (const term of searchTerms(query)) {
    if (term.kind !== "regex") continue;
    const from = text.indexOf(`/${term.source}/`);
    const to = from + term.source.length + 2;
    problems.push({ from, to, message: "An exported file looks for this as it is written" });
  }
  return problems;
}

/**
 * Looks through all texts that the file's rows and calls show, thread after thread. Gives the hits of a row at once, and
 * `null` for a row without any, so that whoever asks can do other things between them.
 */
export function* find(file: ExportedFile, text: string): Generator<SearchHit[] | null> {
  const { query } = parseQuery(text);
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

/** Where a text holds the query begins what was found first; `null` for a text that does not. */
function matcherOf(query: Query): (text: string) => [from: number, to: number] | null {
  const patterns = new Map(
    searchTerms(query).map((term) => [wordOf(term), textPattern(wordOf(term))] as const),
  );
  const patternOf = (word: string) => {
    const pattern = patterns.get(word) ?? textPattern(word);
    patterns.set(word, pattern);
    pattern.lastIndex = 0;
    return pattern;
  };
  return (text) => {
    let first: [number, number] | null = null;
    const holds = evaluate(query, (leaf) => {
      if (leaf.kind === "filter") return false;
      const match = patternOf(wordOf(leaf)).exec(text);
      if (match && (!first || match.index < first[0])) first = [match.index, match.index + match[0].length];
      return match !== null;
    });
    return holds ? (first ?? [0, 0]) : null;
  };
}

function wordOf(leaf: Exclude<Query, { kind: "filter" | "not" | "and" | "or" }>): string {
  return leaf.kind === "regex" ? `/${leaf.source}/` : leaf.text;
}

/** Whether JSON may hold what is looked for: most calls need not be read. Words that JSON may spell otherwise are not looked for. */
function prefilterOf(query: Query): (json: string) => boolean {
  const hasRegex = searchTerms(query).some(({ kind }) => kind === "regex");
  const words = hasRegex ? null : requiredTerms(query);
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
    { recordId, block, field, text: wholeOf(file, recordId, text) },
  ];
  switch (row.kind) {
    case "turn":
      return own("prompt", row.prompt);
    case "text":
      return own("text", row.text);
    case "thinking":
      return own("thinking", row.text);
    case "agent-return":
      return own("returned", row.text);
    case "compaction":
      return row.summary ? own("output", row.summary) : [];
    case "event":
    case "context":
    case "unknown":
    case "unreadable":
      return own("output", row.text);
    case "tool":
      return mayHold(file.callText(recordId, block)) || linesOf(row).some((id) => mayHold(file.lineText(id)))
        ? placesOfCall(file, row, file.call(recordId, block))
        : [];
    default:
      return [];
  }
}

/** The lines of a call's results: they are in the file where more was written than a row shows at once. */
function linesOf({ shows }: ToolRow): RecordId[] {
  return (shows ?? []).map((key) => parseRowKey(key).recordId);
}

function placesOfCall(file: ExportedFile, row: ToolRow, call: CallDetail | null): Place[] {
  if (!call) return [];
  const { recordId, block, name: tool } = row;
  const inputs = stringsIn(call.input).map(
    (text): Place => ({ recordId, block, field: "input", text, tool }),
  );
  const outputs = call.results.flatMap((result) => {
    const key = row.shows?.find((one) => parseRowKey(one).recordId === result.recordId);
    const at = key === undefined ? { recordId: result.recordId, block: 0 } : parseRowKey(key);
    return result.blocks.flatMap((one): Place[] => {
      const text =
        one.kind === "text"
          ? wholeOf(file, result.recordId, one.text)
          : one.kind === "other"
            ? stringsIn(one.json).join("\n")
            : "";
      return text === "" ? [] : [{ ...at, field: "output", text }];
    });
  });
  // Several texts of a field are one hit.
  return [...joined(inputs), ...joined(outputs)];
}

function joined(places: readonly Place[]): Place[] {
  const [first] = places;
  return first ? [{ ...first, text: places.map(({ text }) => text).join("\n") }] : [];
}

/** The strings in a value from the log. Iterative, since records can be nested deeply. */
function stringsIn(json: unknown): string[] {
  const strings: string[] = [];
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") strings.push(value);
    else if (typeof value === "object" && value !== null) left.push(...Object.values(value).reverse());
  }
  return strings;
}

function wholeOf(file: ExportedFile, recordId: RecordId, text: CutText): string {
  if (!text.cut) return text.text;
  const line = file.line(recordId);
  return (line && findWholeText(JSON.parse(line), text)) ?? text.text;
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
