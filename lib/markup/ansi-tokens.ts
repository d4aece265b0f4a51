import { spellControls } from "@/lib/format/text";

/** The colours that terminal output can ask for, each named by the token that has a value for both themes. */
export type AnsiColor = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "dim" | "fg";

/** How a piece of terminal output is drawn; no colour is the terminal’s own. */
export type AnsiStyle = {
  fg: AnsiColor | null;
  bg: AnsiColor | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  inverse: boolean;
};

/** Text in one style, or the spelling of a control sequence that a page cannot carry out. */
export type AnsiToken =
  | { kind: "text"; text: string; style: AnsiStyle; href: string | null }
  | { kind: "control"; label: string };

const PLAIN_STYLE: AnsiStyle = {
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
};

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** After an escape: selects a character set, such as `(B`, which `tput sgr0` begins with. */
const DESIGNATION = /[\u0020-\u002f]+[\u0030-\u007e]/y;
const CSI = /[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]/y;
/** What may end a string, or shows that its own end was cut off. */
const IN_STRING = /[\u0007\n\r\u0018\u001a\u001b\u0080-\u009f]/g;
/** The letter with which each string begins behind an escape, by its control of 8 bits. */
const STRING_LETTERS: Readonly<Record<number, string>> = {
  144: "P",
  152: "X",
  157: "]",
  158: "^",
  159: "_",
};

/**
 * Splits terminal output into styled text, links and visible controls, in one pass over the text. Never fails: whatever
 * is not a sequence is shown as text. The concatenated tokens contain every printable character.
 */
export function tokenizeAnsi(text: string): AnsiToken[] {
  const tokens: AnsiToken[] = [];
  let style = PLAIN_STYLE;
  let href: string | null = null;
  let from = 0;

  const push = (end: number) => {
    if (end > from) tokens.push({ kind: "text", text: text.slice(from, end), style, href });
  };
  // Of a string that was cut off no part is looked through again: that stays linear with however many beginnings.
  let cutBefore = 0;

  CONTROL.lastIndex = 0;
  for (let match = CONTROL.exec(text); match; match = CONTROL.exec(text)) {
    const at = match.index;
    push(at);
    const code = text.charCodeAt(at);
    const next = text[at + 1];
    from = at + 1;
    if (code === 0x9b || (code === 0x1b && next === "[")) {
      CSI.lastIndex = at + (code === 0x9b ? 1 : 2);
      const body = CSI.exec(text)?.[0];
      if (body === undefined) {
        tokens.push({ kind: "control", label: "␛" });
      } else {
        from = CSI.lastIndex;
        if (/^[\d;:]*m$/.test(body)) style = applySgr(style, body.slice(0, -1));
        else tokens.push({ kind: "control", label: `␛[${body}` });
      }
    } else if (code === 0x1b && next !== undefined && next >= " " && next <= "/") {
      DESIGNATION.lastIndex = at + 1;
      const body = DESIGNATION.exec(text)?.[0] ?? "";
      from += body.length;
      tokens.push({ kind: "control", label: `␛${body}` });
    } else if (stringLetter(code, next) !== null) {
      const letter = stringLetter(code, next) ?? "";
      const start = at + (code === 0x1b ? 2 : 1);
      const end = start < cutBefore ? { at: start, length: 0 } : endOfString(text, start, letter === "]");
      if (end.length === 0) {
        tokens.push({ kind: "control", label: "␛" });
        cutBefore = Math.max(cutBefore, end.at);
      } else {
        const body = text.slice(start, end.at);
        from = end.at + end.length;
        const link = letter === "]" && /^8;[^;]*;(.*)$/s.exec(body);
        if (link) href = link[1] || null;
        else tokens.push({ kind: "control", label: `␛${letter}${spellControls(body)}` });
      }
    } else if (code === 0x0d && next === "\n") {
      // A carriage return right before a newline is part of the line ending.
    } else {
      tokens.push({ kind: "control", label: spellControls(text[at] ?? "") });
    }
    CONTROL.lastIndex = from;
  }
  push(text.length);
  return tokens;
}

/** Only the text, for one-line views that can't show colour. */
export function stripAnsi(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return text;
  return tokenizeAnsi(text)
    .map((token) => (token.kind === "text" ? token.text : ""))
    .join("");
}

/** The letter of the string that a control begins: OSC, DCS, SOS, PM or APC, in 7 or 8 bits; `null` for any other. */
function stringLetter(code: number, next: string | undefined): string | null {
  if (code === 0x1b) return next !== undefined && "]PX^_".includes(next) ? next : null;
  return STRING_LETTERS[code] ?? null;
}

/**
 * Where a string ends that begins at `start`, and the length of what ends it: ST, of a link or title (OSC) also BEL. 0
 * where its own end was cut off: `at` another sequence follows, or in a link or title a new line, and the end behind that
 * is another's. Escapes are doubled in what is wrapped for tmux, which may hold any of these.
 */
function endOfString(text: string, start: number, isOsc: boolean): { at: number; length: number } {
  const isWrapped = text.startsWith("tmux;", start);
  IN_STRING.lastIndex = start;
  for (let match = IN_STRING.exec(text); match; match = IN_STRING.exec(text)) {
    const at = match.index;
    const code = text.charCodeAt(at);
    const next = text[at + 1];
    if (code === 0x9c || (isOsc && code === 0x07)) return { at, length: 1 };
    if (code === 0x1b && next === "\\") return { at, length: 2 };
    if (code === 0x1b && isWrapped && next === "\u001b") IN_STRING.lastIndex = at + 2;
    else if (isOsc || (code !== 0x07 && code !== 0x0a && code !== 0x0d)) return { at, length: 0 };
  }
  return { at: text.length, length: 0 };
}

/**
 * Applies the codes of an SGR sequence, separated by semicolons. Parameters of a code follow it after colons or, as
 * older programs write colours, as codes of their own: `38:2::255:0:0` and `38;2;255;0;0`.
 */
function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  let next = style;
  const codes = parameters.split(";", 64).map((code) => code.split(":", 8).map((part) => Number(part || 0)));
  for (let i = 0; i < codes.length; i++) {
    const [code = 0, ...own] = codes[i] ?? [];
    if (code === 38 || code === 48 || code === 58) {
      const rest = codes.slice(i + 1, i + 5).map(([one]) => one ?? 0);
      const [color, used] = own.length > 0 ? [colonColor(own), 0] : extendedColor(rest);
      i += used;
      // 58 colours the underline, for which there is no token.
      if (code !== 58) next = code === 38 ? { ...next, fg: color } : { ...next, bg: color };
    } else if (code === 4 && own.length > 0) {
      // Its kind: `4:0` none, `4:3` a wave.
      next = { ...next, underline: own[0] !== 0 };
    } else next = applyCode(next, code);
  }
  return next;
}

/** With colons a colour space may precede red, green and blue. */
function colonColor([mode, ...rest]: number[]): AnsiColor | null {
  const isSpaced = mode === 2 && rest.length > 3;
  return extendedColor([mode ?? 0, ...(isSpaced ? rest.slice(1) : rest)])[0];
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return PLAIN_STYLE;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 3) return { ...style, italic: true };
  if (code === 4 || code === 21) return { ...style, underline: true };
  if (code === 7) return { ...style, inverse: true };
  if (code === 9) return { ...style, strike: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 23) return { ...style, italic: false };
  if (code === 24) return { ...style, underline: false };
  if (code === 27) return { ...style, inverse: false };
  if (code === 29) return { ...style, strike: false };
  if (code === 39) return { ...style, fg: null };
  if (code === 49) return { ...style, bg: null };
  if (code >= 30 && code <= 37) return { ...style, fg: BASIC[code - 30] ?? null };
  if (code >= 40 && code <= 47) return { ...style, bg: BASIC[code - 40] ?? null };
  if (code >= 90 && code <= 97) return { ...style, fg: BRIGHT[code - 90] ?? null };
  if (code >= 100 && code <= 107) return { ...style, bg: BRIGHT[code - 100] ?? null };
  return style;
}

const BASIC: AnsiColor[] = ["dim", "red", "green", "yellow", "blue", "magenta", "cyan", "fg"];
const BRIGHT: AnsiColor[] = BASIC;

/** Maps 256-colour and RGB values to the nearest named colour: only those are legible in both themes. */
function extendedColor([mode, ...rest]: number[]): [color: AnsiColor | null, used: number] {
  if (mode === 2) return [nearestColor(rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0), 4];
  if (mode !== 5) return [null, 1];
  const index = rest[0] ?? 0;
  if (index < 16) return [BASIC[index % 8] ?? null, 2];
  if (index >= 232) return [index < 248 ? "dim" : "fg", 2];
  const cube = index - 16;
  const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  return [nearestColor(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), 2];
}

function nearestColor(red: number, green: number, blue: number): AnsiColor {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most > 200 ? "fg" : "dim";
  const high = (value: number) => value > (most + least) / 2;
  const key = `${high(red) ? "r" : ""}${high(green) ? "g" : ""}${high(blue) ? "b" : ""}`;
  return HUES[key] ?? "fg";
}

const HUES: Record<string, AnsiColor> = {
  r: "red",
  g: "green",
  b: "blue",
  rg: "yellow",
  rb: "magenta",
  gb: "cyan",
};
