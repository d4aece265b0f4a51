import { stripAnsi } from "../ansi/ansi-tokens";

/** The first words of a text for a row of one line: leading blank lines and Markdown's marks left out. */
export function firstLine(text: string, characters = 300): string {
  const line = /\S.*/.exec(stripAnsi(text.slice(0, 4_000)))?.[0] ?? "";
  return line
    .replace(/^(?:#{1,6}|[-*>])\s+/, "")
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .slice(0, characters);
}
