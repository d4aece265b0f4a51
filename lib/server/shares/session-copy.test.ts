import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { hashOfSecret } from "./copy-redaction";
import type { CopySource } from "./copy-source";
import { SessionCopy } from "./session-copy";

const PLACE = `projects/-home-marlowe-shop/${uuid(1)}.jsonl`;
const TOKEN = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5";
const RULES = { own: [], learned: null, learnedUpTo: {}, kept: [] };

type Made = { root: string; log: string; folder: string; sources: CopySource[]; copied: () => string };

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

test("nothing is told unredacted while none of the session could be read", () => {
  const copy = new SessionCopy(join(makeTree({}), "copy"), RULES);
  copy.update([]);
  expect(copy.redact(`with ${TOKEN}`)).toBe("with [github-token 1]");
});

test("a copy is its log without its secrets, and grows with it", () => {
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

test("a log of more redacted lines than a call takes arguments is copied", () => {
  const { folder, sources, copied } = make(
    Array.from({ length: 130_000 }, () => ({ cwd: "/home/marlowe/" })),
  );
  new SessionCopy(folder, RULES).update(sources);
  expect(copied()).toBe('{"cwd":"/home/[user 1]/"}\n'.repeat(130_000));
});

test("a last record without a newline is in the copy, and only once when the log grows", () => {
  const { log, folder, sources, copied } = make(LINES);
  writeFileSync(log, `${readFileSync(log, "utf8")}${JSON.stringify(prompt(`last ${TOKEN}`))}`);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  const lines = () => copied().split("\n").slice(2);
  expect(lines().map((line) => JSON.parse(line).message.content)).toEqual([
    "and now?",
    "last [github-token 1]",
  ]);
  expect(copy.update(sources)).toBe(false);
  appendFileSync(log, `\n${JSON.stringify(prompt("and more"))}\n`);
  copy.update(sources);
  expect(lines().map((line) => (line === "" ? "" : JSON.parse(line).message.content))).toEqual([
    "and now?",
    "last [github-token 1]",
    "and more",
    "",
  ]);
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

test("a text that later turns out to be a secret is removed from what was copied before", () => {
  const { log, folder, sources, copied } = make([...LINES, answer("the word is zebra42lamp77 there")]);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  expect(copied()).toContain("zebra42lamp77");
  appendFileSync(log, toText([prompt('export DB_PASSWORD="zebra42lamp77"')]));
  copy.update(sources);
  expect(copied()).not.toContain("zebra42lamp77");
  expect(copied()).toContain("the word is [");
});

test("so is the first secret of a session in which nothing was one before", () => {
  const { log, folder, sources, copied } = make([prompt("the word is zebra42lamp77 there", { cwd: "/srv" })]);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  appendFileSync(log, toText([prompt('export DB_PASSWORD="zebra42lamp77"', { cwd: "/srv" })]));
  copy.update(sources);
  expect(copied()).not.toContain("zebra42lamp77");
});

test("lines written while a copy is made are copied after their secrets were searched", () => {
  const lines = [...LINES, answer("the word is zebra42lamp77 there")];
  const { log, folder, sources, copied } = make(lines, { "todos/a.json": ["[]"] });
  const [main, todos] = sources as [CopySource, CopySource];
  let isWritten = false;
  const first = {
    ...todos,
    // It is asked for when the file is copied: by then all was learned, and the log comes next.
    get place() {
      if (!isWritten) appendFileSync(log, toText([prompt('export DB_PASSWORD="zebra42lamp77"')]));
      isWritten = true;
      return todos.place;
    },
  };
  const copy = new SessionCopy(folder, RULES);
  copy.update([first, main]);
  expect(copied().split("\n").length).toBe(5);
  expect(copy.update([first, main])).toBe(true);
  expect(copied().split("\n").length).toBe(6);
  expect(copied()).not.toContain("zebra42lamp77");
});

test("excepted secrets stay, and keep their names whatever precedes them", () => {
  const { folder, sources, copied } = make([...LINES, prompt("ask anna@heronmail.org or bo@heronmail.org")]);
  const copy = new SessionCopy(folder, { ...RULES, kept: [hashOfSecret("anna@heronmail.org")] });
  copy.update(sources);
  expect(copied()).toMatch(/ask anna@heronmail\.org or \[email \d\]/);
});

test("nothing is replaced if nothing is to be redacted", () => {
  const { log, folder, sources } = make(LINES);
  const copy = new SessionCopy(folder, null);
  copy.update(sources);
  expect(readFileSync(join(folder, PLACE), "utf8")).toBe(readFileSync(log, "utf8"));
  expect(copy.translate("?at=m~9k")).toBe("?at=m~9k");
});

test("a log that was cut or replaced is copied again, under another inode; a deleted one is deleted", () => {
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

test("other files are redacted too, and left out if they are no text", () => {
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

test("a picture beside the log does not keep what is written later from being copied", () => {
  const place = `projects/-home-marlowe-shop/${uuid(1)}/tool-results/image.bin`;
  const { root, log, folder, sources, copied } = make(LINES, { [place]: ["x"] });
  writeFileSync(join(root, place), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  appendFileSync(log, toText([prompt("ask anna@heronmail.org")]));
  copy.update(sources);
  expect(copied()).toContain("ask [email 1]");
});

const SETTINGS = ["NODE_ENV=production", "ADMIN_PASSPHRASE=swordfish-harbour-lamp", "PIN=4711abz"];
const BACKUP = `file-history/${uuid(1)}/abcdef0123456789`;
const OUTPUTS = `projects/-home-marlowe-shop/${uuid(1)}/tool-results`;

/** A call that reads a `.env`, and its result, which says where its output is. */
function readSettings(id: string, output: string): Record<string, unknown>[] {
  const call = { type: "tool_use", id, name: "Bash", input: { command: "cat .env .env.local" } };
  const block = {
    type: "tool_result",
    tool_use_id: id,
    content: `Full output saved to: ${output}\n\nPreview:`,
  };
  return [
    { ...answer(""), message: { id: "msg_1", role: "assistant", content: [call] } },
    { ...prompt(""), message: { role: "user", content: [block] } },
  ];
}

const snapshot = (name: string) => ({
  ...{ type: "file-history-snapshot", messageId: "u-1" },
  snapshot: { trackedFileBackups: { "/home/marlowe/shop/.env": { backupFileName: name, version: 1 } } },
});

test.each([
  [`${OUTPUTS}/toolu_1.txt`, readSettings("toolu_1", "toolu_1.txt")],
  [`${OUTPUTS}/b1x2y3z4w.txt`, readSettings("toolu_2", `/home/marlowe/.claude/${OUTPUTS}/b1x2y3z4w.txt`)],
  [`${BACKUP}@v1`, [snapshot("abcdef0123456789@v1")]],
  [
    `${BACKUP}@v2`,
    [{ ...snapshot(""), trackingPath: ".env", backup: { backupFileName: "abcdef0123456789@v2" } }],
  ],
])("a guest gets no value of a .env from %s, beside the log", (place, lines) => {
  const { folder, sources } = make([...LINES, ...lines], { [place]: SETTINGS });
  // Other files may be listed before the log that says what they hold.
  new SessionCopy(folder, RULES).update([...sources].reverse());
  const to = place.replace("-home-marlowe-", "-home-user-1-");
  expect(readFileSync(join(folder, to), "utf8")).toBe(
    "NODE_ENV=production\nADMIN_PASSPHRASE=[env-value 1]\nPIN=[env-value 2]\n",
  );
});

test("text of a .env that was copied before its log said what it is, is removed", () => {
  const { log, folder, sources } = make(LINES, { [`${BACKUP}@v1`]: SETTINGS });
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  const copied = () => readFileSync(join(folder, `${BACKUP}@v1`), "utf8");
  expect(copied()).toContain("4711abz");
  appendFileSync(log, toText([snapshot("abcdef0123456789@v1")]));
  copy.update(sources);
  expect(copied()).not.toMatch(/4711abz|swordfish/);
});

test("a guest gets no line of a private key from the diff of an edit, nor from one that removes it", () => {
  const body = Array.from({ length: 12 }, (_, n) => `${"aB3dE5fG7hI9jK1l".repeat(3)}mN5oP7qR9sT1${1000 + n}`);
  const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "aB3dE5fG7hI9==", "-----END RSA PRIVATE KEY-----"];
  const removed = `@@ -1,15 +0,0 @@\n${key.map((line) => `-${line}`).join("\n")}`;
  const { folder, sources, copied } = make([
    ...LINES,
    prompt("edited", {
      toolUseResult: { structuredPatch: [{ oldStart: 1, lines: key.map((line) => `+${line}`) }] },
    }),
    answer(removed),
  ]);
  new SessionCopy(folder, RULES).update(sources);
  expect([...body, "aB3dE5fG7hI9=="].filter((line) => copied().includes(line))).toEqual([]);
  expect(copied()).toContain(
    '"lines":["+-----BEGIN RSA PRIVATE KEY-----","+[private-key 1]","+[private-key 1]"',
  );
});

test("the owner of the home folder becomes known later: the bare name is removed from what was copied before", () => {
  const { log, folder, sources, copied } = make([prompt("ls /home/marlowe, says marlowe", { cwd: "/srv" })]);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  expect(copied()).toContain("ls /home/[user 1], says marlowe");
  appendFileSync(log, toText([prompt("x", { cwd: "/home/marlowe/shop" })]));
  copy.update(sources);
  expect(copied()).toContain("ls /home/[user 1], says [user 1]");
  expect(existsSync(join(folder, PLACE))).toBe(false);
});

test("a word turns out to be a password later: it is taken out of what was copied before", () => {
  const { log, folder, sources, copied } = make([
    prompt("kubectl create secret generic db --from-literal=pw=butterfly"),
    prompt("Rotate butterfly now"),
  ]);
  const copy = new SessionCopy(folder, RULES);
  copy.update(sources);
  expect(copied()).toContain("Rotate butterfly now");
  appendFileSync(log, toText([prompt("[client]\npassword=butterfly")]));
  copy.update(sources);
  expect(copied()).not.toContain("butterfly");
});

test("what was learned before is not learned again, but for the last line", () => {
  const { log, folder, sources, copied } = make([...LINES, prompt("the end")]);
  const learned = {
    secrets: [[TOKEN, "github-token", 7] as [string, string, number]],
    passwords: [],
    owners: [],
    envCalls: [],
    envFiles: [],
  };
  new SessionCopy(folder, { ...RULES, learned, learnedUpTo: { [log]: statSync(log).size } }).update(sources);
  // Only what the last line says is new: whose home folder it is, no line has told, so only paths are without the name.
  expect(copied()).toContain("Take [github-token 7]");
  expect(copied()).toContain("/home/[user 1]/shop");
});
