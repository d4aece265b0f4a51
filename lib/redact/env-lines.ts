import type { FoundSecret } from "./rule";

const ENV_PATH =
  /(?:^|[\\/\s"'`=<:({,])\.env(?:\.[\w*?-]+|\*)*(?=$|[\s"'`;|&)},>])|(?<![\w.-])(?!(?:process|Deno|Bun)\.)[\w-]+\.env(?=$|[\s"'`;|&)>])/;
/** Templates of such files, which hold no secrets. */
const TEMPLATE = /\.env\.(?:example|sample|template|dist|defaults?)\b/g;
/** Values that are no secrets, and that help to understand the text. */
const HARMLESS =
  /^(?:true|false|yes|no|on|off|null|none|auto|\d{1,5}|development|production|staging|test|local|debug|info|warn(?:ing)?|error|localhost|[a-z]{1,5})?$/i;
/** What grep, diff, line numbering and print statements put before a line; then the name of the value. */
const NAME =
  /^\s*(?:[^\s=:"']{0,200}\.env[^\s=:"']{0,60}[:-])?(?:\d+[→\t|:-]\s*)?(?:[<>+-]\s*)?(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*/;
/** In a command: the value reaches to the quote, or else is one word. */
const PRINTED =
  /\b(?:echo|printf)\s+(?:-[neE]+\s+)?(["']?)(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*=(?=[^\s"'])/g;

/** Whether a path, or a command, names a settings file like `.env`. */
export function namesEnvFile(text: string): boolean {
  return text.length < 4096 && ENV_PATH.test(text.replace(TEMPLATE, ""));
}

/** The values in a text that was read from such a file, with or without line numbers. */
export function envValues(text: string): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 ? text.length : newline;
    const name = NAME.exec(text.slice(from, Math.min(to, from + 300)))?.[0];
    if (name !== undefined) {
      const [start, end] = valueIn(text, from + name.length, to);
      const value = text.slice(start, end);
      if (!HARMLESS.test(value)) found.push({ rule: "env-value", start, end, value });
    } else if (text.slice(from, to).includes("=")) {
      // One by one: a line may hold more of them than a call takes arguments.
      for (const one of printedValues(text, from, to)) found.push(one);
    }
    from = to + 1;
  }
  return found;
}

function printedValues(text: string, from: number, to: number): FoundSecret[] {
  return [...text.slice(from, to).matchAll(PRINTED)].flatMap(({ 0: lead, 1: quote, index }) => {
    const start = from + index + lead.length;
    const length = text.slice(start, to).search(quote === '"' ? /"/ : quote === "'" ? /'/ : /[\s;&|]/);
    const end = length === -1 ? to : start + length;
    const value = text.slice(start, end);
    return HARMLESS.test(value) ? [] : [{ rule: "env-value", start, end, value }];
  });
}

/** The value without its quotes and the comment after it. */
function valueIn(text: string, from: number, to: number): [start: number, end: number] {
  const quote = text[from];
  if (quote === '"' || quote === "'") {
    const length = text.slice(from + 1, to).search(quote === '"' ? /(?<!\\)(?:\\\\)*"/ : /'/);
    return [from + 1, length === -1 ? to : from + 1 + length];
  }
  const comment = text.slice(from, to).search(/\s#/);
  const end = comment === -1 ? to : from + comment;
  return [from, from + text.slice(from, end).trimEnd().length];
}
