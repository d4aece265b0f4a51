import { expect, test } from "vitest";
import { gitOutcome, isGitCommand, isSameHash, linkedRequest } from "./git-outcome";

const SESSION = "0a000000-0000-4000-8000-00000000aaa1";
const HASH = "0123456789abcdef0123456789abcdef01234567";
const commits = (command: string, output: string) =>
  gitOutcome(command, output, SESSION).commits.map(
    ({ hash, how, ref, subject }) => `${how} ${hash} ${ref ?? "–"} ${subject ?? "–"}`,
  );

test.each([
  [
    "a commit",
    'git commit -m "Fix it"',
    "[main 1a2b3c4] Fix it\n 1 file changed",
    ["made 1a2b3c4 main Fix it"],
  ],
  ["the first one", "git commit -am x", "[main (root-commit) 1a2b3c4] x", ["made 1a2b3c4 main x"]],
  ["a detached one", "git commit -am x", "[detached HEAD 1a2b3c4] x", ["made 1a2b3c4 – x"]],
  ["one elsewhere", "git -C ../a -c a.b=c commit -m x", "[a/b 1a2b3c4] x", ["made 1a2b3c4 a/b x"]],
  [
    "two at once",
    "git commit -m a && git commit -m b",
    "[main 1111111] a\n[main 2222222] b",
    ["made 1111111 main a", "made 2222222 main b"],
  ],
  [
    "a quiet one that is then listed",
    'git commit -q -m "Say \\"hi\\"\n\nWhy." && git log --oneline -2',
    '1a2b3c4 (HEAD -> main) Say "hi"\n9f8e7d6 Something older',
    ['made 1a2b3c4 – Say "hi"'],
  ],
  [
    "a quiet one whose hash is asked for",
    "git commit -qm 'Fix' && git rev-parse HEAD",
    HASH,
    [`made ${HASH} – Fix`],
  ],
  [
    "a quiet one whose hash is asked for and then listed with older ones",
    "git commit -qm 'Fix' && git rev-parse HEAD && git log --format=%H -3",
    `${HASH}\n${HASH}\n${"a".repeat(40)}\n${"b".repeat(40)}`,
    [`made ${HASH} – Fix`],
  ],
  [
    "hashes that a log lists behind a commit",
    "git commit -qm 'Fix' && git log --format=%H -2",
    `${HASH}\n${"a".repeat(40)}`,
    [],
  ],
  [
    "a quiet one without a message, asked for last behind hashes that a log lists",
    "git log --format=%h -2; git commit -q; git rev-parse --short HEAD",
    "aaaaaaa\nbbbbbbb\n1a2b3c4",
    ["made 1a2b3c4 – –"],
  ],
  [
    "the hash before a quiet one and after it",
    'git rev-parse HEAD\ngit commit -qm "Fix; mend && push"\ngit rev-parse HEAD 2>&1',
    `${"a".repeat(40)}\n${HASH}`,
    [`made ${HASH} – Fix; mend && push`],
  ],
  [
    "several quiet ones whose hashes are asked for",
    "git commit -qm One && git rev-parse --short HEAD && git commit -qm 'Two' && (git rev-parse --short @)",
    "1111111\n2222222",
    ["made 1111111 – –", "made 2222222 – Two"],
  ],
  [
    "a quiet one whose hash is kept and printed",
    "git commit -qm 'Fix'; h=$(git rev-parse HEAD); echo $h",
    HASH,
    [`made ${HASH} – Fix`],
  ],
  [
    "a quiet one behind a list, whose hash is asked for last",
    "git log --format=%H -2; git commit -qm 'Fix'; git rev-parse HEAD",
    `${"a".repeat(40)}\n${"b".repeat(40)}\n${HASH}`,
    [`made ${HASH} – Fix`],
  ],
  [
    "two quiet ones, of which a list tells nothing, and the last is asked for",
    "git commit -qm 'One'\ngit rev-list HEAD\ngit commit -qm 'Two'\ngit rev-parse --short HEAD\n",
    `${"a".repeat(40)}\n${HASH}\n2222222\n`,
    ["made 2222222 – Two"],
  ],
  [
    "none where what is asked for last was there before",
    "git log --format=%H -2; git commit -qm 'Fix'; git rev-parse HEAD",
    `${HASH}\n${"b".repeat(40)}\n${HASH}`,
    [],
  ],
  [
    "none where what is asked for last may not have been asked for",
    "git log --format=%H -2; git commit -qm 'Fix' && git rev-parse HEAD",
    `${"a".repeat(40)}\n${HASH}`,
    [],
  ],
  [
    "none behind what may end the command, or in a group",
    "set -e; git log --format=%H -2; git commit -qm 'Fix'; git rev-parse HEAD",
    `${"a".repeat(40)}\n${HASH}`,
    [],
  ],
  [
    "none where what is asked for last is passed on",
    "git log --format=%H -2; git commit -qm 'Fix'; git rev-parse HEAD | head -1",
    `${"a".repeat(40)}\n${HASH}`,
    [],
  ],
  [
    "none where something else is printed last",
    "git log --format=%H -2; git commit -qm 'Fix'; git rev-parse HEAD",
    `${"a".repeat(40)}\n${HASH}\nfatal: no HEAD`,
    [],
  ],
  [
    "a quiet one, where others of its branch have the same message",
    "git commit -q -m 'wip' && git log --oneline -3",
    "1111111 wip\n2222222 wip\n3333333 wip",
    ["made 1111111 – wip"],
  ],
  [
    "two quiet ones that are then listed",
    "git commit -qm 'a b' && git commit -qm 'c d' && git log --oneline -3",
    "2222222 c d\n1111111 a b\n3333333 a b",
    ["made 1111111 – a b", "made 2222222 – c d"],
  ],
  [
    "nothing to commit before a log",
    "git commit -m 'wip'; git log --oneline -2",
    "On branch main\nnothing to commit, working tree clean\n1111111 wip\n2222222 wip",
    [],
  ],
  [
    "a push",
    "git push origin main",
    "To github.com:a/b\n   1a2b3c4..5d6e7f8  main -> main\n + aaaaaaa...bbbbbbb feat -> feat (forced update)",
    ["pushed 5d6e7f8 main –", "pushed bbbbbbb feat –"],
  ],
  [
    "a trailer of this session",
    "git log -2",
    `commit ${HASH}\nAuthor: A\n\n    Fix it\n\n    Claude-Session: ${SESSION}\n\ncommit ${"f".repeat(40)}\n\n    Other\n\n    Claude-Session: other\n`,
    [`trailer ${HASH} – Fix it`],
  ],
  ["what a log lists alone", "git log --oneline", "1a2b3c4 Fix it", []],
  ["what looks like one in another command’s output", "cat notes.txt", "[main 1a2b3c4] Fix it", []],
  ["nothing to commit", "git commit -m x", "nothing to commit, working tree clean", []],
])("%s", (_, command, output, told) => {
  expect(commits(command, output)).toEqual(told);
});

test.each([
  'git -c user.name="Dev One" -c user.email=d@x.y commit -m x',
  "git -c 'user.name=Dev One' commit -m x",
  'git -C "/home/dev/my shop" commit -m x',
  "git -C /home/dev/my\\ shop commit -m x",
  "git --git-dir /x/.git --work-tree /x commit -m x",
  "git --git-dir='/my shop/.git' --no-pager commit -m x",
])("options of git itself stand before what it is to do: %s", (command) => {
  expect(commits(command, "[main 1a2b3c4] x")).toEqual(["made 1a2b3c4 main x"]);
});

test("pull requests are what the command that opens them prints, and what the client links", () => {
  const url = "https://github.com/dev/shop/pull/12";
  const { requests } = gitOutcome("git push && gh pr create --fill", `remote: …\n${url}\n`, SESSION);
  expect(requests).toEqual([{ number: 12, url, repository: "dev/shop" }]);
  const merge = "https://gitlab.example/a/b/c/-/merge_requests/7";
  expect(gitOutcome("glab mr create", merge, SESSION).requests).toEqual([
    { number: 7, url: merge, repository: "a/b/c" },
  ]);
  expect(gitOutcome("gh pr view 12", url, SESSION).requests).toEqual([]);
  const refused = `a pull request for branch "fix" into branch "main" already exists:\n${url}`;
  expect(gitOutcome("gh pr create --fill", refused, SESSION).requests).toEqual([]);
  expect(linkedRequest({ prNumber: 3, prUrl: url })).toEqual({ number: 3, url, repository: null });
  expect(linkedRequest({})).toBeNull();
});

test("hashes are the same as far as both go", () => {
  expect(isSameHash("1a2b3c4", "1a2b3c4d5e")).toBe(true);
  expect(isSameHash("1a2b3c4d", "1a2b3c4e5f")).toBe(false);
  expect([isGitCommand("cd a && git status"), isGitCommand("digit 3")]).toEqual([true, false]);
});

test("a command of thousands of options is read in no time", () => {
  for (const option of ["--a", "-c", "-c -c=a", "-c a='b c'", '-C "a'])
    expect(commits(`git${` ${option}`.repeat(5_000)} status`, "[main 1a2b3c4] x")).toEqual([]);
  for (const part of [
    '"',
    "'\"",
    '\\"',
    "; git commit -q",
    "git rev-parse ",
    "git rev-parse --short ",
    "((",
    "do ",
  ])
    expect(commits(`git commit -qm x${part.repeat(80_000 / part.length)} HEAD!`, HASH)).toEqual([]);
});
