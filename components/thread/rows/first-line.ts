import { stripAnsi } from "@/components/content/ansi/ansi-tokens";

/** The first words of a text for a row of one line, as they are written: leading blank lines and colours left out. */
export function firstLine(text: string, characters = 300): string {
  return (/\S.*/.exec(stripAnsi(text.slice(0, 4_000)))?.[0] ?? "").slice(0, characters);
}

/** The first line of a text that is Markdown, without its marks. Names keep their underscores. */
export function firstProseLine(text: string, characters = 300): string {
  return firstLine(text, 2 * characters)
    .replace(/^(?:#{1,6}|[-*>])\s+/, "")
    .replace(/[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}/g, "")
    .replace(/(?<![\w_])_{1,2}(?=[^\s_])([^_]*)(?<=[^\s_])_{1,2}(?![\w_])/g, "$1")
    .slice(0, characters);
}
