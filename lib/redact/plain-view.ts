const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;
/** Sequences that terminals remove from a text: colours, titles, cursor moves. Sticky, and no part can match twice. */
const SEQUENCE = /(?:\[[0-9;:<=>?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[@-Z^-~])/y;
/** An escape as JSON and most languages write it. Several backslashes: JSON inside of JSON. */
const WRITTEN = /\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbfe"'/]))/y;
const MEANT: Readonly<Record<string, number>> = {
  ...{ n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c, e: ESCAPE },
  ...{ '"': 0x22, "'": 0x27, "/": 0x2f },
};

/** A text as a reader sees it: its character `i` is written in the original from `at(i)` to `end(i)`. */
export type PlainView = { text: string; at(index: number): number; end(index: number): number };

/** The text without terminal sequences and with its written escapes resolved; `null` where it has neither. */
export function plainView(text: string): PlainView | null {
  if (!text.includes("\x1b") && !text.includes("\\")) return null;
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  const parts: string[] = [];
  let size = 0;
  let copied = 0;
  /** Copies unchanged text, up to `to`. */
  const copyUpTo = (to: number) => {
    parts.push(text.slice(copied, to));
    for (let at = copied; at < to; at++, size++) {
      starts[size] = at;
      ends[size] = at + 1;
    }
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== ESCAPE && code !== BACKSLASH) continue;
    const written = code === BACKSLASH ? match(WRITTEN, text, at) : null;
    // A lone backslash stays as it is.
    if (code === BACKSLASH && !written) {
      while (text.charCodeAt(at + 1) === BACKSLASH) at += 1;
      continue;
    }
    copyUpTo(at);
    let end = at + (written?.[0].length ?? 1);
    const [, unicode, hex, letter = ""] = written ?? [];
    const meant = written ? (MEANT[letter] ?? Number.parseInt(unicode ?? hex ?? "", 16)) : ESCAPE;
    if (meant === ESCAPE) end += match(SEQUENCE, text, end)?.[0].length ?? 0;
    else {
      parts.push(String.fromCharCode(meant));
      starts[size] = at;
      ends[size] = end;
      size += 1;
    }
    copied = end;
    at = end - 1;
  }
  if (copied === 0) return null;
  copyUpTo(text.length);
  return { text: parts.join(""), at: (index) => starts[index] ?? 0, end: (index) => ends[index] ?? 0 };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
