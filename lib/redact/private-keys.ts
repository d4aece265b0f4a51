const MARK = /-----(BEGIN|END) (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d)-----/g;
/**
 * What may be between two pieces of a key: line ends, also written ones; line numbers; quotes of code; the signs of a
 * diff, but not the dashes of a mark. No two of these begin alike, so there is only one way to match them.
 */
const BETWEEN = "(?:\\s|\\\\+[nrt]|[\"',+>|]|-{1,2}(?!-)|\\d{1,6}(?:[→|:\\t]|-(?!-))|→)*";
const GAP = new RegExp(BETWEEN, "y");
const PIECE = new RegExp(`${BETWEEN}([A-Za-z0-9+/]+={0,2})`, "y");
const PIECE_HERE = /([A-Za-z0-9+/]+={0,2})/y;
const HEADER = new RegExp(`${BETWEEN}[A-Z][A-Za-z-]{2,20}: [^\\r\\n\\\\]{0,200}`, "y");
const MIN_PIECE = 16;
/** A key's last line is shorter than the others; no other short line belongs to it. */
const MIN_BEFORE_LAST = 40;
/** More than the largest key in use has. */
const MAX_BEFORE_END = 16_384;
const MAX_LEAD = 200;
/** What grep writes before a line: the file's name, perhaps its number, with dashes where the line is only context. */
const FILE_LEAD = /^(.*?)[:-](?:\d{1,7}[:-])?$/;
const BEHIND_FILE = /[:-](?:\d{1,7}[:-])?/y;

type PrivateKey = { rule: "private-key"; start: number; end: number };
/** What precedes a key's mark in its line, and so each other line of it: a file's name, or a number of characters. */
type Lead = { file: string; width: number };

/** Private keys in PEM, also where the text was cut before their end or behind their beginning. */
export function findPrivateKeys(text: string): PrivateKey[] {
  if (!text.includes("PRIVATE KEY") && !text.includes("OpenVPN Static key")) return [];
  const found: PrivateKey[] = [];
  let done = 0;
  for (const mark of text.matchAll(MARK)) {
    const { index } = mark;
    if (index < done) continue;
    const lead = leadBefore(text, index);
    const [from, to] =
      mark[1] === "BEGIN"
        ? [index + mark[0].length, endOfBody(text, index + mark[0].length, lead)]
        : [startOfBody(text, Math.max(done, index - MAX_BEFORE_END), index, lead), index];
    done = index + mark[0].length;
    if (to <= from) continue;
    done = Math.max(done, to);
    const end = from + text.slice(from, to).trimEnd().length;
    found.push({ rule: "private-key", start: to - text.slice(from, to).trimStart().length, end });
  }
  return found;
}

/**
 * The lines of a private key that identify it wherever one of them occurs. None for a text that is too short to be a
 * key.
 */
export function keyLines(key: string): string[] {
  const lines: string[] = [];
  for (const { 0: run, index } of key.matchAll(/[A-Za-z0-9+/]+={0,2}/g)) {
    // A run of letters followed by a dot, a colon or a dash is part of a file's name.
    if (
      run.length < MIN_PIECE ||
      !/^(?:$|[\s"',\\])/.test(key.slice(index + run.length, index + run.length + 1))
    )
      continue;
    // An added line of a diff begins with a sign that Base64 has too.
    lines.push(run.replace(/^\+/, ""));
  }
  return lines.some((line) => line.length >= MIN_BEFORE_LAST) ? lines : [];
}

function leadBefore(text: string, mark: number): Lead {
  const before = text.slice(Math.max(0, mark - MAX_LEAD), mark);
  const newline = before.lastIndexOf("\n");
  if (newline === -1 && mark > MAX_LEAD) return { file: "", width: 0 };
  const lead = before.slice(newline + 1);
  return { file: FILE_LEAD.exec(lead)?.[1] ?? "", width: lead.length };
}

/** Where a line continues after the file's name that it begins with; -1 where it does not begin with it. */
function behindFile(text: string, line: number, { file }: Lead): number {
  return file !== "" && text.startsWith(file, line) ? matchEnd(BEHIND_FILE, text, line + file.length) : -1;
}

/** The end of the pieces of a key that begin here; `from` if there are none. */
function endOfBody(text: string, from: number, lead: Lead): number {
  let at = from;
  let last = 0;
  for (let header = headerEnd(text, at, lead); header !== -1; header = headerEnd(text, at, lead)) at = header;
  for (;;) {
    const piece = nextPiece(text, at, lead, last);
    if (piece === null) return last > 0 ? at : from;
    at = piece.end;
    last = piece.length;
  }
}

function headerEnd(text: string, at: number, lead: Lead): number {
  const behind = behindFile(text, nextLine(text, at), lead);
  return matchEnd(HEADER, text, behind === -1 ? at : behind);
}

type Piece = { end: number; length: number };

/** The next piece of a key, whose last one had this many characters. Null where the key ends. */
function nextPiece(text: string, at: number, lead: Lead, last: number): Piece | null {
  const line = nextLine(text, at);
  const behind = behindFile(text, line, lead);
  if (behind !== -1) return firstPiece([pieceAt(PIECE, text, behind)], last);
  const plain = pieceAt(PIECE, text, at);
  const body = line + lead.width;
  const isIndented = line > at && lead.width > 0 && !text.slice(line, body).includes("\n");
  return firstPiece(isIndented ? [plain, pieceAt(PIECE_HERE, text, body)] : [plain], last);
}

/** The first that is long, or else, behind a long one, the last that is there. */
function firstPiece(pieces: readonly Piece[], last: number): Piece | null {
  const long = pieces.find(({ length }) => length >= MIN_PIECE);
  if (long || last < MIN_BEFORE_LAST) return long ?? null;
  return pieces.findLast(({ length }) => length > 0) ?? null;
}

function pieceAt(pattern: RegExp, text: string, at: number): Piece {
  pattern.lastIndex = at;
  const length = pattern.exec(text)?.[1]?.length ?? 0;
  return { end: pattern.lastIndex, length };
}

/** Where the next line begins after a gap; `at` where the same line continues. */
function nextLine(text: string, at: number): number {
  return at + text.slice(at, matchEnd(GAP, text, at)).lastIndexOf("\n") + 1;
}

/** The start of the pieces that end before `to`; `to` if there are none. */
function startOfBody(text: string, least: number, to: number, lead: Lead): number {
  let start = to;
  let from = to;
  for (;;) {
    const end = from;
    while (from > least && isOfBody(text, from)) from -= 1;
    const line = lineStart(text, from, least);
    const behind = from > least ? behindFile(text, line, lead) : -1;
    const isInLead = behind >= from && line < from;
    const body = isInLead ? Math.min(behind, end) : from;
    const first = /[A-Za-z0-9+/=]{16,}/.exec(text.slice(body, end));
    if (first) start = body + first.index;
    if (!isInLead) return start;
    from = line;
  }
}

/** Whether the character before a place may belong to a key. Three dashes are another mark's. */
function isOfBody(text: string, at: number): boolean {
  const char = text[at - 1] as string;
  return char === "-"
    ? text.slice(Math.max(0, at - 3), at) !== "---"
    : /[A-Za-z0-9+/=\s\\"',>|:→]/.test(char);
}

function lineStart(text: string, at: number, least: number): number {
  const from = Math.max(least, at - MAX_LEAD);
  return from + text.slice(from, at).lastIndexOf("\n") + 1;
}

/** The end of a sticky pattern's match; -1 if there is none. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
