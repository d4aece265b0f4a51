import { type PromptPart, splitPastes } from "@/lib/format/split-pastes";

/** More than fits the header's line on a wide screen, in characters. */
const HEADER_CHARACTERS = 110;

/**
 * A prompt's line for the turn header, and what is left to show below it. A long first line is shown again,
 * whole, below: a sentence cut in two places is hard to read. What was pasted is named by what was typed with it.
 */
export function splitPrompt(prompt: string): { line: string; rest: PromptPart[] } {
  const parts = splitPastes(prompt);
  const first = parts.find(({ pasted }) => !pasted) ?? parts[0];
  if (!first) return { line: "", rest: [] };
  const text = first.text.trim();
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  // A paste is folded below, and whole there.
  if (first.pasted) return { line: line.slice(0, 300), rest: parts };
  const isLong = line.length > HEADER_CHARACTERS;
  const left = isLong ? text : end === -1 ? "" : text.slice(end + 1).trim();
  const rest = parts
    .map((part) => (part === first ? { pasted: false, text: left } : part))
    .filter((part) => part.text !== "");
  return { line: isLong ? line.slice(0, 300) : line, rest };
}
