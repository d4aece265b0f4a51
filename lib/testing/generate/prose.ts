import type { Random } from "./random";
import type { Vocabulary } from "./vocabulary";

/** Cuts texts of wanted sizes out of a vocabulary. Sizes are in characters and approximate. */
export type Prose = {
  sentence(): string;
  sentences(size: number): string;
  /** A model's answer: paragraphs, lists, a heading, a fenced block, as long answers have them. */
  markdown(size: number): string;
  codeLines(lines: number): string[];
  output(size: number): string;
  signature(size: number): string;
  path(): string;
  word(): string;
};

/** Binds a vocabulary to the random numbers of one session. */
export function createProse(random: Random, vocabulary: Vocabulary): Prose {
  const { sentences, codeLines, outputLines, identifiers, words, base64 } = vocabulary;

  function from(lines: readonly string[], size: number, separator: string): string {
    let at = random.int(0, lines.length - 1);
    let length = 0;
    const parts: string[] = [];
    while (length < size) {
      const line = lines[at]!;
      parts.push(line);
      length += line.length + separator.length;
      at = at + 1 === lines.length ? 0 : at + 1;
    }
    return parts.join(separator);
  }

  const prose: Prose = {
    sentence: () => random.pick(sentences),
    sentences: (size) => from(sentences, size, " "),
    markdown(size) {
      if (size < 300) return prose.sentences(size);
      const parts = [prose.sentences(Math.min(400, size / 3))];
      let length = parts[0]!.length;
      while (length < size) {
        const part = block();
        parts.push(part);
        length += part.length;
      }
      return parts.join("\n\n");
    },
    codeLines(count) {
      const at = random.int(0, codeLines.length - 1);
      return Array.from({ length: count }, (_, line) => codeLines[(at + line) % codeLines.length]!);
    },
    output: (size) => from(outputLines, size, "").slice(0, Math.max(1, size)),
    signature(size) {
      const at = random.int(0, base64.length - size - 1);
      return base64.slice(at, at + size);
    },
    path: () =>
      `src/${random.pick(words)}/${random.pick(identifiers)}.${random.pick(["ts", "tsx", "ts", "py", "md"])}`,
    word: () => random.pick(words),
  };

  function block(): string {
    switch (random.int(0, 4)) {
      case 0:
        return `## ${random.pick(words)} ${random.pick(words)}\n\n${prose.sentences(200)}`;
      case 1:
        return Array.from(
          { length: random.int(2, 5) },
          () => `- **${random.pick(words)}**: ${random.pick(sentences)}`,
        ).join("\n");
      case 2:
        return `\`\`\`ts\n${prose.codeLines(random.int(4, 14)).join("\n")}\n\`\`\``;
      case 3:
        return `| what | where |\n| --- | --- |\n| ${random.pick(words)} | \`${random.pick(identifiers)}\` |\n| ${random.pick(words)} | \`${random.pick(identifiers)}\` |`;
      default:
        return prose.sentences(random.int(150, 500));
    }
  }
  return prose;
}
