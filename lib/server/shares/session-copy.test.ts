import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { type CopySource, hashOfSecret, SessionCopy } from "./session-copy";

const PLACE = `projects/-home-marlowe-shop/${uuid(1)}.jsonl`;
const TOKEN = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
const RULES = { own: [], learned: null, learnedUpTo: {}, kept: [] };

type Made = { root: string; log: string; folder: string; sources: CopySource[]; copied(): string };

function make(lines: readonly Record<string, unknown>[], more: Record<string, string[]> = {}): Made {
  const root = makeTree({ [PLACE]: lines, ...more });
  const log = join(root, PLACE);
  const folder = join(makeTree({}), "copy");
  const sources = [
    { root, path: log, place: PLACE, key: "m" },
    ...Object.keys(more).map((place) => ({ root, path: join(root, place), place, key: null })),
  ];
  const into = join(folder, "projects/-home-user-1-shop", `${uuid(1)}.jsonl`);
  return { root, log, folder, sources, copied: () => readFileSync(into, "utf8") };
}

/** Where each line with this text begins, in base 36 as ids have it. */
function offsets(text: string, holding: string): string {
  const before = text.slice(0, text.lastIndexOf("\n", text.indexOf(holding)) + 1);
  return Buffer.byteLength(before).toString(36);
}

const LINES = [
  prompt(`Take ${TOKEN}`, { cwd: "/home/marlowe/shop" }),
  answer("Taken, with /home/marlowe/shop/ümlaut.txt"),
  prompt("and now?"),
];

test("a copy is its log without its secrets, and goes on as it does", () => {
  const { log, folder, sources, copied } = make(LINES);
  const copy = new SessionCopy(folder, RULES);
  expect(copy.update(sources)).toBe(true);
  expect(copied()).toContain("Take [github-token 1]");
  expect(copied()).toContain("/home/[user 1]/shop/ümlaut.txt");
  expect(copied().split("\n").length).toBe(4);
  expect(copy.update(sources)).toBe(false);
  const inode = statSync(join(folder, "projects/-home-user-1-shop", `${uuid(1)}.jsonl`)).ino;
  const next = toText([prompt(`again ${TOKEN}, for anna@heronmail.org`)]);
  // A line that is still being written waits.
  appendFileSync(log, next.slice(0, 30));
  copy.update(sources);
  expect(copied().split("\n").length).toBe(4);
  appendFileSync(log, next.slice(30));
  expect(copy.update(sources)).toBe(true);
  expect(copied()).toMatch(/again \[github-token 1\], for \[email 1\]/);
  expect(copied().split("\n").length).toBe(5);
  expect(statSync(join(folder, "projects/-home-user-1-shop", `${uuid(1)}.jsonl`)).ino).toBe(inode);
});

test("ids of an address are those of the same lines in the copy", () => {
  const { log, folder, sources, copied } = make(LINES);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  const was = readFileSync(log, "utf8");
  for (const text of ["Taken", "and now"]) {
    const [from, to] = [offsets(was, text), offsets(copied(), text)];
    expect(to).not.toBe(from);
    expect(copy.translate(`?branch=m~${from}&at=m%7E${from}#m~${from}.0:L2`)).toBe(
      `?branch=m~${to}&at=m%7E${to}#m~${to}.0:L2`,
    );
    expect(copy.translate(`?agent=side${from}&other=00aa~${from}`)).toBe(
      `?agent=side${to}&other=00aa~${from}`,
    );
  }
  appendFileSync(log, toText([prompt(`x ${TOKEN}`), prompt("last")]));
  copy.update(sources);
  const at = offsets(readFileSync(log, "utf8"), '"last"');
  expect(copy.translate(`m~${at}`)).toBe(`m~${offsets(copied(), '"last"')}`);
});

test("what turns out to be a secret later is taken out of what was copied before", () => {
  const { log, folder, sources, copied } = make([...LINES, answer("the word is zebra42lamp77 there")]);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  expect(copied()).toContain("zebra42lamp77");
  appendFileSync(log, toText([prompt('export DB_PASSWORD="zebra42lamp77"')]));
  copy.update(sources);
  expect(copied()).not.toContain("zebra42lamp77");
  expect(copied()).toContain("the word is [");
});

test("what is excepted stays, and keeps its name for whatever comes before it", () => {
  const { folder, sources, copied } = make([...LINES, prompt("ask anna@heronmail.org or bo@heronmail.org")]);
  const copy = new SessionCopy(folder, { ...RULES, kept: [hashOfSecret("anna@heronmail.org")] });
  copy.update(sources);
  expect(copied()).toMatch(/ask anna@heronmail\.org or \[email \d\]/);
});

test("nothing is replaced where nothing is to be", () => {
  const { log, folder, sources } = make(LINES);
  const copy = new SessionCopy(folder, null);
  copy.update(sources);
  expect(readFileSync(join(folder, PLACE), "utf8")).toBe(readFileSync(log, "utf8"));
  expect(copy.translate("?at=m~9k")).toBe("?at=m~9k");
});

test("a log that was cut or replaced is copied anew, under another inode; one that is gone goes", () => {
  const { log, folder, sources, copied } = make(LINES);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  const into = join(folder, "projects/-home-user-1-shop", `${uuid(1)}.jsonl`);
  const before = statSync(into).ino;
  writeFileSync(log, toText([prompt("something else", { cwd: "/home/marlowe/shop" })]));
  copy.update(sources);
  expect(copied()).toContain("something else");
  expect(copied().split("\n").length).toBe(2);
  expect(statSync(into).ino).not.toBe(before);
  rmSync(log);
  copy.update([]);
  expect(existsSync(into)).toBe(false);
});

test("other files are redacted too, and left out where nobody can tell what is in them", () => {
  const folderOf = `projects/-home-marlowe-shop/${uuid(1)}/tool-results`;
  const { root, folder, sources } = make(LINES, {
    [`${folderOf}/out.txt`]: [`key ${TOKEN}`],
    [`todos/${uuid(1)}.json`]: [JSON.stringify([{ content: `use ${TOKEN}` }])],
    [`${folderOf}/image.bin`]: ["x"],
  });
  writeFileSync(join(root, folderOf, "image.bin"), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  new SessionCopy(folder, RULES).update(sources);
  const to = `projects/-home-user-1-shop/${uuid(1)}/tool-results`;
  expect(readFileSync(join(folder, to, "out.txt"), "utf8")).toBe("key [github-token 1]\n");
  expect(JSON.parse(readFileSync(join(folder, `todos/${uuid(1)}.json`), "utf8"))).toEqual([
    { content: "use [github-token 1]" },
  ]);
  expect(existsSync(join(folder, to, "image.bin"))).toBe(false);
});

test("what was learned before is not learned again, but for the last line", () => {
  const { log, folder, sources, copied } = make([...LINES, prompt("the end")]);
  const learned = { secrets: [[TOKEN, "github-token", 7] as [string, string, number]], envCalls: [] };
  new SessionCopy(folder, { ...RULES, learned, learnedUpTo: { [log]: statSync(log).size } }).update(sources);
  // Only what the last line says is new: whose home folder it is, no line has told.
  expect(readFileSync(join(folder, PLACE), "utf8")).toContain("Take [github-token 7]");
  expect(() => copied()).toThrow("ENOENT");
});
