import { asNumber, asString, type JsonObject } from "@/lib/log/records/json";

/**
 * A commit that a command's output names. `made` here, `pushed`, or shown with a `trailer` that names the session.
 * `ref`: the branch it was made on or pushed to.
 */
export type NamedCommit = {
  hash: string;
  how: "made" | "pushed" | "trailer";
  ref: string | null;
  subject: string | null;
};

/** A pull or merge request. `repository`: `owner/name`, where it is known. */
export type NamedRequest = { number: number; url: string | null; repository: string | null };

/** The commits and pull requests that a command made, as its output names them. */
export type GitOutcome = { commits: NamedCommit[]; requests: NamedRequest[] };

/** A word of a shell's command, whose quotes may hold spaces. */
const WORD = String.raw`(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+`;
/** Options of git itself whose value is the next word. */
const VALUED = "-[cC]|--(?:git-dir|work-tree|namespace|super-prefix|config-env|attr-source)";
// Each option can be read in one way, so that a command of a thousand of them takes no longer than its length.
const GIT = String.raw`\bgit(?:\s+(?:(?:${VALUED})\s+${WORD}|(?!(?:${VALUED})\s)-[\w-]+(?:=${WORD})?))*\s+`;
const MAKES = new RegExp(`${GIT}(?:commit|merge|cherry-pick|revert|am)\\b`);
const PUSHES = new RegExp(`${GIT}push\\b`);
const SHOWS = new RegExp(`${GIT}(?:log|show)\\b`);
const ASKS_HASH = new RegExp(`${GIT}rev-parse\\b`);
const ASKS_HEAD = String.raw`${GIT}rev-parse(?:\s+-{1,2}(?:verify|short(?:=\d+)?|q|quiet)){0,4}\s+(?:HEAD|@)`;
/** The hash of what is checked out, alone on a line. What is assigned or passed on (`$(…)`) is not printed. */
const PRINTS_HEAD = new RegExp(`^[\\s({]*(?:(?:do|then|else)\\s+)?${ASKS_HEAD}(?:\\s+2>\\S*)?[\\s)}]*$`);
/** The same as a command of its own, in no group. */
const PRINTS_HEAD_ALONE = new RegExp(`^\\s*${ASKS_HEAD}\\s*$`);
/** Commands behind which others may not be run, or are only defined. */
const BRANCHES_OFF =
  /^\s*(?:[({!]|(?:if|then|elif|else|for|while|until|do|case|select|function|set|trap|exit|return|exec|break|continue)\b|[\w-]+\s*\(\))/;
/** Commands that list hashes, or that print others alone on a line. */
const LISTS_HASHES = new RegExp(
  `${GIT}(?:log|show|rev-list|reflog|for-each-ref|merge-base|cherry|ls-remote|ls-tree|describe|hash-object|(?:commit|write)-tree)\\b`,
);
const SEPARATOR_OR_QUOTED = /[;&|\r\n]+|\\[^]|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^']*'/g;
const MESSAGE = /\s-[a-zA-Z]*m\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/;
const NOTHING_MADE = /^(?:nothing to commit|nothing added to commit|no changes added to commit)\b/m;
const OPENS = /\b(?:gh\s+pr|glab\s+mr)\s+create\b/;
const ANY = /\bgit\b|\b(?:gh\s+pr|glab\s+mr)\s+create\b/;

/** Whether a command may make, push or show commits, or open a pull request: then its output is worth reading. */
export function isGitCommand(command: string): boolean {
  return ANY.test(command);
}

const MADE = /^\[([^\]\n]+?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.*)$/gm;
const PUSHED = /^ *[+ ] ?([0-9a-f]{7,40})\.{2,3}([0-9a-f]{7,40}) +(\S+) +-> +(\S+)/gm;
const ONE_LINE = /^([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$/gm;
const BARE = /^([0-9a-f]{7,40})$/gm;
const SHOWN = /^commit ([0-9a-f]{40})\b/;
/** `gh pr create` on a branch that has one names that one. */
const THERE_ALREADY = /\balready exists:\s+\S+/g;
const REQUEST = /https?:\/\/[^\s/]+\/([^\s]+?)\/(?:-\/)?(?:pull|merge_requests)\/(\d+)\b/g;

/**
 * What a command did in git, judged only by its own output: never by time, and never by another command's output.
 * @param sessionId whose trailers name one of its commits
 */
export function gitOutcome(command: string, output: string, sessionId: string): GitOutcome {
  const commits: NamedCommit[] = [];
  if (MAKES.test(command)) {
    for (const [, ref = "", hash = "", subject = ""] of output.matchAll(MADE))
      commits.push({ hash, how: "made", ref: ref === "detached HEAD" ? null : ref, subject });
    commits.push(...quietCommits(command, output));
  }
  if (PUSHES.test(command))
    for (const [, , hash = "", , ref = ""] of output.matchAll(PUSHED))
      commits.push({ hash, how: "pushed", ref, subject: null });
  if (SHOWS.test(command) && sessionId !== "") commits.push(...trailedCommits(output, sessionId));
  const requests = OPENS.test(command)
    ? [...output.replaceAll(THERE_ALREADY, "").matchAll(REQUEST)].map(([url, repository = "", number]) => ({
        number: Number(number),
        url,
        repository,
      }))
    : [];
  return { commits: unique(commits), requests };
}

/**
 * `git commit -q` prints nothing: its hash is what the same command then prints beside the message, or as the answer to
 * `git rev-parse HEAD`. Each commit of the command is one of the printed hashes at most.
 */
function quietCommits(command: string, output: string): NamedCommit[] {
  if (NOTHING_MADE.test(output)) return [];
  const found: NamedCommit[] = [];
  const made = (hash: string, subject: string) =>
    found.push({ hash, how: "made", ref: null, subject: subject || null });
  const listed = [...output.matchAll(ONE_LINE)];
  const bare = [...output.matchAll(BARE)].map(([, hash = ""]) => hash);
  /** The number of hashes alone on a line that are printed before a command; `null` where it is not known. */
  let printed: number | null = 0;
  /** The message of the last commit; `null` before the first one. */
  let subject: string | null = null;
  let isAsked = false;
  for (const simple of simpleCommands(command)) {
    const isAnswered = PRINTS_HEAD.test(simple);
    const asks = isAnswered || ASKS_HASH.test(simple);
    if (subject !== null && asks) isAsked = true;
    if (MAKES.test(simple)) {
      subject = firstMessage(simple);
      // A log lists the newest first, so the first line with its message is the commit: older ones may have it too.
      const at = subject === "" ? -1 : listed.findIndex(([, , line]) => line === subject);
      if (at !== -1) made(listed.splice(at, 1)[0]?.[1] ?? "", subject);
    } else if (isAnswered && printed !== null) {
      const hash = bare[printed];
      if (hash !== undefined && subject !== null) made(hash, subject);
      printed += 1;
    } else if (asks || LISTS_HASHES.test(simple)) printed = null;
  }
  // Whatever lists printed, what is asked for last is printed last.
  const last = printed === null && subject !== null ? lastAnswer(command, output) : null;
  if (last !== null) made(last, subject ?? "");
  // Asked for in some other way (`h=$(git rev-parse HEAD); echo $h`): no other commit can be meant.
  const [only, ...others] = new Set(bare);
  const isSure = only !== undefined && others.length === 0 && !LISTS_HASHES.test(command);
  if (isSure && isAsked && printed === null) made(only, subject ?? "");
  return found;
}

/**
 * What `git rev-parse HEAD` printed as the last command of a line, which is run however those before it end; `null`
 * where that is not known. A hash that was listed before the commit is not that of a commit.
 */
function lastAnswer(command: string, output: string): string | null {
  const commands = simpleCommands(command.trimEnd());
  const last = commands.at(-1) ?? "";
  // `;` or a line break: behind `&&` and `||` it is not always run, and behind `|` and `&` beside others.
  const isAlwaysRun = !/[&|]$/.test(command.trimEnd().slice(0, -last.length).trimEnd());
  if (!PRINTS_HEAD_ALONE.test(last) || !isAlwaysRun) return null;
  if (commands.some((one) => BRANCHES_OFF.test(one))) return null;
  const hash = /(?:^|\n)([0-9a-f]{7,40})\s*$/.exec(output)?.[1] ?? null;
  const lastMade = commands.findLastIndex((one) => MAKES.test(one));
  const listedSince = commands.slice(lastMade).some((one) => LISTS_HASHES.test(one));
  const isListed = hash !== null && !listedSince && output.trimEnd().slice(0, -hash.length).includes(hash);
  return isListed ? null : hash;
}

/** The commands of a line, as `;`, `&&`, `|` and line breaks separate them outside of quotes. */
function simpleCommands(command: string): string[] {
  const commands: string[] = [];
  let from = 0;
  for (const { 0: token, index } of command.matchAll(SEPARATOR_OR_QUOTED)) {
    if (!/^[;&|\r\n]/.test(token)) continue;
    commands.push(command.slice(from, index));
    from = index + token.length;
  }
  return [...commands, command.slice(from)];
}

/** The first line of a commit's first message; "" where its command names none. */
function firstMessage(command: string): string {
  const [, quoted, plain] = MESSAGE.exec(command) ?? [];
  const text = quoted?.replaceAll(/\\(["\\$`])/g, "$1") ?? plain ?? "";
  return text.split("\n", 1)[0] ?? "";
}

/** Commits that `git log` or `git show` print with a trailer of this session. */
function trailedCommits(output: string, sessionId: string): NamedCommit[] {
  return output.split(/^(?=commit [0-9a-f]{40}\b)/m).flatMap((shown): NamedCommit[] => {
    const hash = SHOWN.exec(shown)?.[1];
    const trailer = /^ *Claude-Session: *(\S+) *$/m.exec(shown)?.[1];
    if (hash === undefined || trailer !== sessionId) return [];
    const subject = /\n\n {4}(.+)/.exec(shown)?.[1] ?? null;
    return [{ hash, how: "trailer", ref: null, subject }];
  });
}

/** One entry for each hash, whatever names it; what later mentions add is kept. */
function unique(commits: readonly NamedCommit[]): NamedCommit[] {
  const found: NamedCommit[] = [];
  for (const commit of commits) {
    const known = found.find((one) => one.how === commit.how && isSameHash(one.hash, commit.hash));
    if (!known) {
      found.push({ ...commit });
      continue;
    }
    if (commit.hash.length > known.hash.length) known.hash = commit.hash;
    known.ref ??= commit.ref;
    known.subject ??= commit.subject;
  }
  return found;
}

/** Programs print hashes at different lengths: the shorter one is the beginning of the longer one. */
export function isSameHash(one: string, other: string): boolean {
  return one.length < other.length ? other.startsWith(one) : one.startsWith(other);
}

/** The pull request of a `pr-link` line, `null` where it names none. */
export function linkedRequest(json: JsonObject): NamedRequest | null {
  const number = asNumber(json.prNumber);
  return number === null
    ? null
    : { number, url: asString(json.prUrl), repository: asString(json.prRepository) };
}
