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

/** `git commit -q` says nothing: its hash is what the same command then prints beside the message, or alone. */
function quietCommits(command: string, output: string): NamedCommit[] {
  const subject = /\s-[a-zA-Z]*m\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/.exec(command);
  const [, quoted, plain] = subject ?? [];
  const [message = ""] = (quoted?.replaceAll(/\\(["\\$`])/g, "$1") ?? plain ?? "").split("\n");
  const found: NamedCommit[] = [];
  if (message !== "")
    for (const [, hash = "", line = ""] of output.matchAll(ONE_LINE))
      if (line === message) found.push({ hash, how: "made", ref: null, subject: message });
  if (ASKS_HASH.test(command.slice(command.search(MAKES))))
    for (const [, hash = ""] of output.matchAll(BARE))
      found.push({ hash, how: "made", ref: null, subject: message || null });
  return found;
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
