/** More than fits the header's line on a wide screen, in characters. */
const HEADER_CHARACTERS = 110;

/**
 * A prompt's line for the turn header, and what is left to show below it. A long first line is shown
 * again, whole, below: a sentence cut in two places is hard to read.
 */
export function splitPrompt(prompt: string): { line: string; rest: string } {
  const text = prompt.trim();
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end).trimEnd();
  if (line.length > HEADER_CHARACTERS) return { line: line.slice(0, 300), rest: text };
  return { line, rest: end === -1 ? "" : text.slice(end + 1).trim() };
}
