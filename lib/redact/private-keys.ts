const MARK = /-----(BEGIN|END) (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
/** What may stand between two pieces of a key: line ends, also written ones; line numbers; quotes of code; diffs. */
const BETWEEN = "(?:\\s|\\\\+[nrt]|[\"',+>|]|\\d{1,6}[→|:\\t]|→)*";
const PIECE = new RegExp(`${BETWEEN}([A-Za-z0-9+/]+={0,2})`, "y");
const HEADER = new RegExp(`${BETWEEN}[A-Z][A-Za-z-]{2,20}: [^\\r\\n\\\\]{0,200}`, "y");
const MIN_PIECE = 16;
/** A key's last line is shorter than the others; nothing else that is short belongs to it. */
const MIN_BEFORE_LAST = 40;
/** More than the largest key in use has. */
const MAX_BEFORE_END = 16_384;

type PrivateKey = { rule: "private-key"; start: number; end: number };

/** Private keys in PEM, also where the text was cut before their end or behind their beginning. */
export function findPrivateKeys(text: string): PrivateKey[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const found: PrivateKey[] = [];
  let done = 0;
  for (const mark of text.matchAll(MARK)) {
    const { index } = mark;
    if (index < done) continue;
    const [from, to] =
      mark[1] === "BEGIN"
        ? [index + mark[0].length, endOfBody(text, index + mark[0].length)]
        : [startOfBody(text, Math.max(done, index - MAX_BEFORE_END), index), index];
    done = index + mark[0].length;
    if (to <= from) continue;
    done = Math.max(done, to);
    const end = from + text.slice(from, to).trimEnd().length;
    found.push({ rule: "private-key", start: to - text.slice(from, to).trimStart().length, end });
  }
  return found;
}

/** Where the pieces of a key that begin here end; `from` where there are none. */
function endOfBody(text: string, from: number): number {
  let at = from;
  let last = 0;
  for (let header = matchEnd(HEADER, text, at); header !== -1; header = matchEnd(HEADER, text, at))
    at = header;
  for (;;) {
    PIECE.lastIndex = at;
    const length = PIECE.exec(text)?.[1]?.length ?? 0;
    const isPiece = length >= MIN_PIECE || (length > 0 && last >= MIN_BEFORE_LAST);
    if (!isPiece) return last > 0 ? at : from;
    at = PIECE.lastIndex;
    last = length;
  }
}

/** Where the pieces begin that end before `to`; `to` where there are none. */
function startOfBody(text: string, least: number, to: number): number {
  let from = to;
  let start = to;
  while (from > least && /[A-Za-z0-9+/=\s\\"',>|:→]/.test(text[from - 1] as string)) from -= 1;
  const pieces = /[A-Za-z0-9+/=]{16,}/g;
  const first = pieces.exec(text.slice(from, to));
  if (first) start = from + first.index;
  return start;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
