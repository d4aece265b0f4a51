import { parseJson } from "@/lib/format/json-values";
import { MAX_WRITTEN_LEVELS, nestsDeeper } from "@/lib/log/records/json";
import { withoutImages } from "@/lib/log/records/without-images";
import type { LeftOut } from "@/lib/wire/shares";
import { emptyImageFields, mayBeRestOfImage, mayHoldImageBytes, withoutImageBytes } from "./left-out-images";

/** What stands where a text holds what is left out and is no JSON, so that no more of it can be told. */
const PLACEHOLDER = "[left out]";

/** Texts inside a record hold records that hold texts: deeper ones are replaced as a whole. */
const MAX_LEVELS = 3;

/** Fields of a block of thinking that hold it, also as the API has encrypted it. */
const THOUGHT_FIELDS = ["thinking", "data", "signature"] as const;
const THOUGHT = /"type\\*"\s*:\s*\\*"(?:redacted_)?thinking\\*"/;
/** A line of an agent: 1.0.128 writes them in the main log, and 2.1.29 and 2.1.42 in what a call for its output returns. */
const AGENT_LINE = /"isSidechain\\*"\s*:\s*true/;
/** Follows a thought: of a line whose beginning is lost, the rest may be one. */
const SIGNATURE = '"signature"';
/** What an agent does, which 2.1.29 and 2.1.42 repeat in the main log: other lines have such a one as their parent. */
const AGENT_PROGRESS = /"agent_progress"/;

type Fields = Record<string, unknown>;

/**
 * A line of a main log without the thinking, the agents' lines and the images that its readers do not get; null for one that
 * is an agent's. Blocks of thinking stay, empty, and words in the places of images, so that all other blocks keep theirs. A
 * damaged line that holds any is replaced as a whole.
 */
export function withoutLeftOut(line: string, leftOut: readonly LeftOut[]): string | null {
  const isDue =
    holdsLeftOut(line, leftOut) ||
    (leftOut.includes("agents") && AGENT_PROGRESS.test(line)) ||
    (leftOut.includes("images") && (mayHoldImageBytes(line) || mayBeRestOfImage(line))) ||
    (leftOut.includes("thinking") && line.includes(SIGNATURE) && parseJson(line) === undefined);
  return isDue ? cleaned(line, leftOut, MAX_LEVELS) : line;
}

/** The same for the text of another file: JSON, or lines of which each may be. */
export function textWithoutLeftOut(text: string, leftOut: readonly LeftOut[]): string {
  return cleanedText(text, leftOut, MAX_LEVELS);
}

function holdsLeftOut(text: string, leftOut: readonly LeftOut[]): boolean {
  return (
    (leftOut.includes("thinking") && THOUGHT.test(text)) ||
    (leftOut.includes("agents") && AGENT_LINE.test(text))
  );
}

/** Null for an agent's line. */
function cleaned(line: string, leftOut: readonly LeftOut[], levels: number): string | null {
  const read = parseJson(line);
  if (typeof read !== "object" || read === null || levels === 0 || nestsDeeper(read, MAX_WRITTEN_LEVELS))
    return PLACEHOLDER;
  const { isSidechain } = read as Fields;
  if (isSidechain === true && leftOut.includes("agents")) return null;
  const before = JSON.stringify(read);
  const value = leftOut.includes("images") ? withoutImages(read) : read;
  const pending: unknown[] = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const fields = one as Fields;
    if (fields.isSidechain === true && leftOut.includes("agents"))
      for (const name of Object.keys(fields)) delete fields[name];
    if (leftOut.includes("thinking")) emptyThought(fields);
    if (leftOut.includes("agents")) emptyProgress(fields);
    if (leftOut.includes("images")) emptyImageFields(fields);
    for (const [name, held] of Object.entries(fields)) {
      if (typeof held === "string") fields[name] = cleanedText(held, leftOut, levels - 1);
      else if (typeof held === "object" && held !== null) pending.push(held);
    }
  }
  const after = JSON.stringify(value);
  // A line that only might have held any stays as it was written.
  return after === before ? line : after;
}

/** A text with JSON in it, as a whole or line by line, without what is left out. */
function cleanedText(whole: string, leftOut: readonly LeftOut[], levels: number): string {
  const text = leftOut.includes("images") ? textWithoutImages(whole, levels) : whole;
  if (!holdsLeftOut(text, leftOut)) return text;
  if (parseJson(text) !== undefined) return cleaned(text, leftOut, levels) ?? PLACEHOLDER;
  return text
    .split("\n")
    .flatMap((line) => (holdsLeftOut(line, leftOut) ? (cleaned(line, leftOut, levels) ?? []) : [line]))
    .join("\n");
}

/** Of a text that only mentions an image every word stays, so JSON in it is looked into, as a whole or line by line. */
function textWithoutImages(text: string, levels: number): string {
  if (!mayHoldImageBytes(text)) return text;
  if (isObject(text)) return objectWithoutImages(text, levels);
  const lines = text.split("\n").map((line) => (isObject(line) ? objectWithoutImages(line, levels) : line));
  return withoutImageBytes(lines.join("\n"));
}

function objectWithoutImages(text: string, levels: number): string {
  if (!mayHoldImageBytes(text)) return text;
  if (levels > 0) return withoutImageBytes(cleaned(text, ["images"], levels) ?? PLACEHOLDER);
  return mayBeRestOfImage(text) ? PLACEHOLDER : withoutImageBytes(text);
}

function isObject(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const value = parseJson(text);
  return typeof value === "object" && value !== null;
}

function emptyThought(fields: Fields): void {
  if (fields.type !== "thinking" && fields.type !== "redacted_thinking") return;
  for (const name of THOUGHT_FIELDS) if (name in fields) fields[name] = "";
}

function emptyProgress(fields: Fields): void {
  const data = fields.data as Fields | null | undefined;
  if (fields.type === "progress" && data?.type === "agent_progress") fields.data = { type: data.type };
}

/** The one folder of files to which a line of a log points: outputs that were too long for it. */
const OUTPUT = /[\\/]tool-results[\\/]+([^\\/\s<>"]*[^\\/\s<>".,;:)\]])/g;

/** The names of the kept outputs that a line of a log points at. */
export function outputsNamedIn(line: string): string[] {
  return line.includes("tool-results") ? [...line.matchAll(OUTPUT)].map(([, name = ""]) => name) : [];
}

/**
 * Whether a file of a session is an agent's: its log and what lies beside it, what a workflow's agents did, its list of
 * todos, and an output at which no line of the main log points.
 * @param place its path in the client's folder, with `/`
 * @param outputs names of the outputs at which lines of the main log point
 */
export function isAgents(place: string, outputs: ReadonlySet<string>): boolean {
  if (/^projects\/[^/]+\/(?:[^/]+\/(?:subagents|workflows)\/|agent-[^/]*$)/.test(place)) return true;
  const [, owner, agent] = /^todos\/(.+)-agent-(.+)\.json$/.exec(place) ?? [];
  if (owner !== agent) return true;
  const output = /\/tool-results\/([^/]+)/.exec(place)?.[1];
  return output !== undefined && !outputs.has(output);
}
