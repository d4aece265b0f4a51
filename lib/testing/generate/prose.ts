import { createRandom, type Random } from "./random";

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

/** Text to cut pieces from. Making it word by word for every line would cost more than writing it. */
export type Vocabulary = {
  words: readonly string[];
  identifiers: readonly string[];
  sentences: readonly string[];
  /** Lines as builds, tests and shells print them, each ending in a newline. */
  outputLines: readonly string[];
  codeLines: readonly string[];
  /** Base64 text: signatures and encrypted blocks. */
  base64: string;
};

const COMMON = `the a to of and in that it is for on with as this be are was not by or from at but when an if
we can will should has have one all which so its each then only first into same also after before more no new now
test fix add file line error call request response retry queue worker server client cache index parser token stream
buffer offset record session branch merge commit build deploy config option flag default value type field key list
map table row column query schema migration lock thread timeout limit budget report export import module function
method class handler route path folder link header body status code message event hook state view page button form
input output result check case edge empty missing wrong right slow fast large small old stale running waiting done
price order invoice ledger account customer basket stock payment refund currency rounding total discount shipping
because however instead already still again together without between through under while until since unless
looks reads writes returns throws keeps drops counts passes fails expects covers holds needs means shows says uses`
  .split(/\s+/)
  .filter(Boolean);

const SYLLABLES =
  "ba be bo ca ce co da de do fa fe fi ga go ha he la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi vo".split(
    " ",
  );

/** Builds the same vocabulary for the same seed; about 2 MB, in some 30 ms. */
export function createVocabulary(seed: number): Vocabulary {
  const random = createRandom(seed ^ 0x5eed);
  const coined = Array.from({ length: 2400 }, () =>
    Array.from({ length: random.int(2, 4) }, () => random.pick(SYLLABLES)).join(""),
  );
  const words = [...COMMON, ...COMMON, ...COMMON, ...COMMON, ...coined];
  const identifiers = Array.from({ length: 900 }, () => identifier(random, words));
  const sentences = Array.from({ length: 3000 }, () => sentence(random, words, identifiers));
  const outputLines = Array.from({ length: 4000 }, () => outputLine(random, words, identifiers));
  const codeLines = Array.from({ length: 4000 }, () => codeLine(random, words, identifiers));
  return { words, identifiers, sentences, outputLines, codeLines, base64: random.base62(64 * 1024) };
}

function identifier(random: Random, words: readonly string[]): string {
  const next = random.pick(words);
  return random.pick(words) + next[0]!.toUpperCase() + next.slice(1);
}

function sentence(random: Random, words: readonly string[], identifiers: readonly string[]): string {
  const parts = Array.from({ length: random.int(6, 18) }, () =>
    random.chance(0.06) ? `\`${random.pick(identifiers)}\`` : random.pick(words),
  );
  const text = parts.join(" ");
  const ending = random.pick([".", ".", ".", ".", ":", "?", "!", ", as it was.", " – and no more."]);
  return text[0]!.toUpperCase() + text.slice(1) + ending;
}

function outputLine(random: Random, words: readonly string[], identifiers: readonly string[]): string {
  const name = random.pick(identifiers);
  const path = `src/${random.pick(words)}/${name}.ts`;
  switch (random.int(0, 6)) {
    case 0:
      return `  ✓ ${path} > ${random.pick(words)} ${random.pick(words)} ${random.int(1, 400)} ms\n`;
    case 1:
      return `2026-02-${random.int(10, 28)}T${random.int(10, 23)}:${random.int(10, 59)}:11.${random.int(100, 999)}Z INFO  [${random.pick(words)}] ${name} took ${random.int(1, 900)}ms id=${random.hex(12)}\n`;
    case 2:
      return `-rw-r--r-- 1 dev dev ${random.int(100, 90000)} Feb ${random.int(10, 28)} 12:${random.int(10, 59)} ${path}\n`;
    case 3:
      return `\u001b[32m${path}\u001b[39m:${random.int(1, 900)}:${random.int(1, 80)} ${random.pick(words)} ${random.pick(words)} ${name}()\n`;
    case 4:
      return `${random.hex(7)} ${random.pick(words)} ${random.pick(words)} ${random.pick(words)} ${random.pick(words)}\n`;
    case 5:
      return `    at ${name} (/home/dev/${path}:${random.int(1, 900)}:${random.int(1, 80)})\n`;
    default:
      return `${random.pick(words)} ${random.pick(words)} ${random.pick(words)} ${name} ${random.pick(words)}\n`;
  }
}

function codeLine(random: Random, words: readonly string[], identifiers: readonly string[]): string {
  const name = random.pick(identifiers);
  const other = random.pick(identifiers);
  const indent = "  ".repeat(random.int(0, 3));
  switch (random.int(0, 9)) {
    case 0:
      return "";
    case 1:
      return `${indent}const ${name} = ${other}(${random.pick(words)}, ${random.int(0, 99)});`;
    case 2:
      return `${indent}if (${name} === null || ${other}.length > ${random.int(1, 500)}) {`;
    case 3:
      return `${indent}}`;
    case 4:
      return `${indent}// ${random.pick(words)} ${random.pick(words)} ${random.pick(words)} ${random.pick(words)}`;
    case 5:
      return `${indent}return ${name}.map((${random.pick(words)}) => ${other}["${random.pick(words)}"]);`;
    case 6:
      return `${indent}expect(${name}("${random.pick(words)}\\t${random.pick(words)}")).toEqual(${random.int(0, 999)});`;
    case 7:
      return `import { ${name}, ${other} } from "./${random.pick(words)}";`;
    case 8:
      return `${indent}await ${name}.${random.pick(words)}({ ${random.pick(words)}: ${other}, ${random.pick(words)}: true });`;
    default:
      return `${indent}${name}.${random.pick(words)} = ${other} ?? ${random.int(0, 9999)};`;
  }
}
