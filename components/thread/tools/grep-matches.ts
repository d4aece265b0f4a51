/** A line that matched, or stands beside one. `line` is `null` where the log has no number. */
export type MatchLine = { line: number | null; text: string; context: boolean };
/** `path` is `null` for matches that name no file: a search in one file. */
export type MatchGroup = { path: string | null; lines: MatchLine[] };

const NUMBERED = /^((?:[A-Za-z]:)?[^:\n]+?):(\d+):(.*)$/s;
const BESIDE = /^(.+?)-(\d+)-(.*)$/s;
const OWN_NUMBER = /^(\d+)([:-])(.*)$/s;
const UNNUMBERED = /^((?:[A-Za-z]:)?[^:\s]*[./\\][^:\s]*):(.*)$/s;

/**
 * The output of a search for lines, by file in the order the log has: `path:12:text`, `path-13-text` beside a
 * match, `path:text` without numbers, `12:text` for one file. Lines that are none of these keep their text.
 */
export function matchGroups(content: string): MatchGroup[] {
  const groups: MatchGroup[] = [];
  let current: MatchGroup | null = null;
  const put = (path: string | null, line: MatchLine) => {
    if (!current || current.path !== path) {
      current = { path, lines: [] };
      groups.push(current);
    }
    current.lines.push(line);
  };
  for (const raw of content.replace(/\n$/, "").split("\n")) {
    if (raw === "--") continue;
    const path: string | null = current === null ? null : (current as MatchGroup).path;
    const numbered = NUMBERED.exec(raw);
    if (numbered?.[1]) {
      put(numbered[1], { line: Number(numbered[2]), text: numbered[3] ?? "", context: false });
      continue;
    }
    const own = OWN_NUMBER.exec(raw);
    if (own) {
      put(null, { line: Number(own[1]), text: own[3] ?? "", context: own[2] === "-" });
      continue;
    }
    const beside = BESIDE.exec(raw);
    if (beside?.[1] && (beside[1] === path || path === null || /[./\\]/.test(beside[1]))) {
      put(beside[1], { line: Number(beside[2]), text: beside[3] ?? "", context: true });
      continue;
    }
    const bare = UNNUMBERED.exec(raw);
    put(bare?.[1] ?? null, { line: null, text: bare ? (bare[2] ?? "") : raw, context: false });
  }
  return groups;
}
