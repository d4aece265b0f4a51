/** A line that matched, or a line beside one. `line` is `null` where the log has no number. */
export type MatchLine = { line: number | null; text: string; context: boolean };
/** `path` is `null` for matches that name no file: a search in one file. */
export type MatchGroup = { path: string | null; lines: MatchLine[] };

/** The name of the searched file, as far as the call says that it is one; `numbered` unless it asked for no numbers. */
export type Searched = { file: string | null; numbered: boolean };

const NUMBERED = /^(?!\d+:)((?:[A-Za-z]:)?[^:\n]+?):(\d+):(.*)$/s;
const BESIDE = /^(.+?)-(\d+)-(.*)$/s;
const OWN_NUMBER = /^([1-9]\d*)([:-])(.*)$/s;
const AFTER_PATH = /^([:-])(\d+)\1(.*)$/s;
const UNNUMBERED = /^((?:[A-Za-z]:)?[^:\s]*[./\\][^:\s]*):(.*)$/s;

/**
 * The output of a search for lines, by file in the order the log has: `path:12:text`, `path-13-text` beside a
 * match, `path:text` without numbers, `12:text` for one file. Lines that are none of these keep their text.
 */
export function matchGroups(
  content: string,
  { file, numbered }: Searched = { file: null, numbered: true },
): MatchGroup[] {
  const lines = content.replace(/\n$/, "").split("\n");
  const isNumbered = numbered && hasOwnNumbers(lines);
  if (isNumbered || isOneFile(lines, file)) return ofOneFile(lines, isNumbered);
  const groups: MatchGroup[] = [];
  /** The last numbered line of the group so far: a file's lines are in order. */
  let last = 0;
  for (const [index, raw] of lines.entries()) {
    if (raw === "--") continue;
    const known = groups.at(-1)?.path ?? null;
    const { path, ...line } = numbered
      ? (placedAfter(raw, known, last) ?? placedBefore(raw, lines[index + 1]) ?? placed(raw))
      : unnumbered(raw, known);
    const isOfAnother = groups.length === 0 || path !== known;
    if (isOfAnother) groups.push({ path, lines: [] });
    groups.at(-1)?.lines.push(line);
    last = line.line ?? (isOfAnother ? 0 : last);
  }
  return groups;
}

/** The lines of one file's output begin with increasing numbers. A path can begin with a number as well. */
function hasOwnNumbers(lines: readonly string[]): boolean {
  let last = 0;
  let matches = 0;
  for (const [index, raw] of lines.entries()) {
    const own = OWN_NUMBER.exec(raw);
    if (!own && index === 0) return false;
    if (!own) continue;
    if (Number(own[1]) <= last) return false;
    last = Number(own[1]);
    if (own[2] === ":") matches += 1;
  }
  return matches > 0;
}

/**
 * Whether the call names a file and the lines don't. A folder's name can contain a dot too: its files are named in
 * their lines.
 */
function isOneFile([first = ""]: readonly string[], file: string | null): boolean {
  if (file === null) return false;
  const at = first.indexOf(file);
  return at === -1 || !/[-:/\\]/.test(first[at + file.length] ?? "");
}

function ofOneFile(lines: readonly string[], isNumbered: boolean): MatchGroup[] {
  const found = lines.flatMap((raw): MatchLine[] => {
    if (raw === "--") return [];
    const own = isNumbered ? OWN_NUMBER.exec(raw) : null;
    return [{ line: own && Number(own[1]), text: own?.[3] ?? raw, context: own?.[2] === "-" }];
  });
  return found.length > 0 ? [{ path: null, lines: found }] : [];
}

type PlacedLine = MatchLine & { path: string | null };

/** A line of the same file as the line above. */
function placedAfter(raw: string, path: string | null, last: number): PlacedLine | null {
  if (path === null || !raw.startsWith(path)) return null;
  const [, sign, number, text] = AFTER_PATH.exec(raw.slice(path.length)) ?? [];
  if (text === undefined || Number(number) <= last) return null;
  return { path, line: Number(number), text, context: sign === "-" };
}

const MAX_PATH_CHARACTERS = 4_096;

/** A line before a file's first match: the line below has the same path, and the next number. */
function placedBefore(raw: string, next: string | undefined): PlacedLine | null {
  if (next === undefined) return null;
  for (const { index, 0: mark, 1: number } of raw.slice(0, MAX_PATH_CHARACTERS).matchAll(/-(\d+)(?=-)/g)) {
    const path = raw.slice(0, index);
    if (path === "" || !next.startsWith(path)) continue;
    if (Number(AFTER_PATH.exec(next.slice(index))?.[2]) !== Number(number) + 1) continue;
    return { path, line: Number(number), text: raw.slice(index + mark.length + 1), context: true };
  }
  return null;
}

/** A line by itself. */
function placed(raw: string): PlacedLine {
  const numbered = NUMBERED.exec(raw);
  if (numbered?.[1])
    return { path: numbered[1], line: Number(numbered[2]), text: numbered[3] ?? "", context: false };
  const beside = BESIDE.exec(raw);
  if (beside?.[1] && /[./\\]/.test(beside[1]))
    return { path: beside[1], line: Number(beside[2]), text: beside[3] ?? "", context: true };
  return unnumbered(raw, null);
}

/** A line of a search without numbers. @param known the path of the line above */
function unnumbered(raw: string, known: string | null): PlacedLine {
  if (known !== null && raw.startsWith(`${known}-`))
    return { path: known, line: null, text: raw.slice(known.length + 1), context: true };
  const [, path = null, text = raw] = UNNUMBERED.exec(raw) ?? [];
  return { path, line: null, text, context: false };
}
