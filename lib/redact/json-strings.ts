/** A string in a line of JSON: where its body is written, between the quotes. */
export type JsonString = {
  start: number;
  end: number;
  isKey: boolean;
  /** The name of its field, or of the field that contains it. */
  key: string;
  /** The `type` of its object, as far as that was read. */
  type: string;
  /** The same for its object's `name` or `key`. */
  name: string;
  /** The list of the line that it is an item of, from 1; 0 for none. */
  list: number;
  /** Its address, like `message.content[1].input.command`. Only good until the next string. */
  field(): string;
};

type Level = { isArray: boolean; key: string; index: number; type: string; name: string; list: number };

/** Deeper levels have no address of their own. */
const MAX_LEVELS = 256;
const OUTSIDE = /[^"[\]{},:\s]+/y;
const SCALAR = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = 0x20;
const BACKSLASH = 0x5c;

/**
 * Calls `take` with every string of a line, keys included, in order: with the same object each time.
 * @returns false where the line is no JSON, so that text may be outside of its strings
 */
export function eachString(line: string, take: (string: Readonly<JsonString>) => void): boolean {
  const levels: Level[] = [];
  const string = {
    start: 0,
    end: 0,
    isKey: false,
    key: "",
    type: "",
    name: "",
    list: 0,
    field: () => addressOf(levels),
  };
  let lists = 0;
  let isWhole = true;
  let awaitsKey = false;
  for (let at = 0; at < line.length; at++) {
    const char = line.charCodeAt(at);
    const level = levels.at(-1);
    if (char === QUOTE) {
      const close = closingQuote(line, at + 1);
      if (close === -1) isWhole = false;
      string.start = at + 1;
      string.end = at = close === -1 ? line.length : close;
      string.isKey = awaitsKey && level?.isArray === false;
      if (level && string.isKey) level.key = line.slice(string.start, string.end);
      string.key = level && !level.isArray ? level.key : keyOf(levels);
      if (level?.isArray === false && !string.isKey) {
        if (level.key === "type") level.type = line.slice(string.start, string.end);
        if (level.key === "name" || level.key === "key") level.name = line.slice(string.start, string.end);
      }
      string.type = level?.type ?? "";
      string.name = level?.name ?? "";
      string.list = level?.list ?? 0;
      take(string);
      awaitsKey = false;
    } else if (char === COMMA) {
      if (level) level.index += 1;
      awaitsKey = level?.isArray === false;
    } else if (char === OPEN_OBJECT || char === OPEN_LIST) {
      const isArray = char === OPEN_LIST;
      if (isArray) lists += 1;
      levels.push({ isArray, key: "", index: 0, type: "", name: "", list: isArray ? lists : 0 });
      awaitsKey = char === OPEN_OBJECT;
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      if (levels.pop()?.isArray !== (char === CLOSE_LIST)) isWhole = false;
      awaitsKey = false;
    } else if (char !== COLON && char > BLANK) {
      OUTSIDE.lastIndex = at;
      const scalar = OUTSIDE.exec(line)?.[0] ?? "";
      if (!SCALAR.test(scalar)) isWhole = false;
      at += Math.max(0, scalar.length - 1);
    }
  }
  return isWhole && levels.length === 0;
}

/** The text of a string's body. An invalid body is returned as it is. */
export function decodeString(body: string): string {
  if (!body.includes("\\")) return body;
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= from && line.charCodeAt(at - 1 - backslashes) === BACKSLASH)
      backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

function keyOf(levels: readonly Level[]): string {
  for (let at = levels.length - 1; at >= 0; at--) {
    const level = levels[at];
    if (level && !level.isArray) return level.key;
  }
  return "";
}

function addressOf(levels: readonly Level[]): string {
  return levels
    .slice(0, MAX_LEVELS)
    .map(({ isArray, key, index }) => (isArray ? `[${index}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}
