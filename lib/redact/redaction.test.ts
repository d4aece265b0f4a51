import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RECORDED_VERSIONS, sharedRecording } from "@/lib/testing/recorded";
import { runs } from "@/lib/testing/runs";
import { type Planted, plantSecrets } from "@/lib/testing/secrets";
import { MAX_LINEAR_GROWTH, SMALL_TEXT, timeGrowth } from "@/lib/testing/time-growth";
import { plainView } from "./plain-view";
import { type Finding, Redaction } from "./redaction";

/** Each is written in every way, and read again for each dozen of its characters. */
const PLANTED = plantSecrets(18, runs(3, 6));
/** One line in so many is redacted too, after all have been searched. */
const NTH_LINE = runs(4, 1);

/** Ways in which a text comes into a log, as the lines of it. */
const WAYS: Record<string, (planted: Planted) => string[]> = {
  "a text": ({ text }) => [answer([{ type: "text", text: `Use ${text} there.` }])],
  "a call's input": ({ text }) => [
    answer([
      { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: `echo '${text}' | tee a.txt` } },
    ]),
  ],
  "an output": ({ text }) => [
    result(`first\n${text}\nlast`),
    JSON.stringify({ type: "user", toolUseResult: { stdout: `first\n${text}\nlast` } }),
  ],
  "JSON inside JSON": ({ text }) => [
    result(JSON.stringify({ a: [text] })),
    result(JSON.stringify({ a: JSON.stringify({ b: text }, null, 2) })),
  ],
  "escapes for letters": ({ text }) => [result("HERE").replace("HERE", () => escaped(text))],
  "escapes inside JSON": ({ text }) => [
    result(JSON.stringify({ a: text }).replace(/[A-Z]/g, (letter) => escaped(letter))),
  ],
  colours: ({ text, secret }) => [result(`\x1b[32m${text.replace(secret, () => coloured(secret))}\x1b[0m`)],
  "the name of a field": ({ text }) => [JSON.stringify({ type: "user", data: { [`x ${text}`]: 1 } })],
  "a line that was cut": ({ text }) => [result(`${text} and more`).slice(0, -12)],
  "a line that is no JSON": ({ text }) => [`panic: ${text} in main`],
};

test.each(Object.entries(WAYS))("no secret survives in %s", (_, write) => {
  expect(kindsOf(PLANTED.filter((planted) => survives(planted.secret, write(planted))))).toEqual([]);
});

test("a secret found in one place is replaced everywhere", () => {
  const survivors = PLANTED.filter(({ kind, text, secret }) => {
    if (kind !== "user") return survives(secret, [result(`got ${secret}.`), result(text)]);
    // Of whom a text alone names, only a path is known to be of a person.
    return survives(secret, [result(`by ${secret}, today`), said(text, { cwd: `/home/${secret}/shop` })]);
  });
  expect(kindsOf(survivors)).toEqual([]);
});

test("a secret split over two blocks or two records is replaced in both", () => {
  // Of the others the first part says nothing of what the second is.
  const whole = PLANTED.filter(({ text, secret, kind }) => text === secret && kind !== "email");
  for (const at of [0.3, 0.5, 0.7]) {
    const survivors = whole.filter(({ secret }) => {
      const cut = Math.max(14, Math.floor(secret.length * at));
      const [head, tail] = [secret.slice(0, cut), secret.slice(cut)];
      const blocks = [answer([text(`Use ${head}`), text(`${tail} there`)])];
      const records = [answer([text(`Use ${head}`)]), answer([text(`${tail} there`)])];
      return (
        tail.length >= 12 &&
        (survives(tail, blocks) || survives(tail, records) || survives(head.slice(8), records))
      );
    });
    expect(kindsOf(survivors)).toEqual([]);
  }
});

test("equal secrets have the same placeholder, and the text around them stays", () => {
  const [first, second] = PLANTED.filter(({ kind }) => kind === "github-token").map(({ secret }) => secret);
  const redaction = learned([result(`a ${first} b`), result(`c ${second} d ${first} e`)]);
  expect(redaction.redactText(`${second}, ${first} and \x1b[1m${first}`)).toBe(
    "[github-token 2], [github-token 1] and \x1b[1m[github-token 1]",
  );
});

test("a title that was cut in a secret does not show its beginning", () => {
  const [{ text: assigned, secret } = { text: "", secret: "" }] = PLANTED.filter(
    ({ kind }) => kind === "assigned-secret",
  );
  const redaction = learned([result(assigned)]);
  expect(redaction.redactText(`Rotate ${secret.slice(0, 20)}`)).toBe("Rotate [assigned-secret 1]");
  expect(redaction.redactText(`Rotate ${secret.slice(0, 12)}…`)).toBe("Rotate [assigned-secret 1]…");
  for (const left of [7, 6, 5, 4])
    expect(redaction.redactText(`Rotate ${secret.slice(0, left)}…`)).toBe("Rotate [assigned-secret 1]…");
  // Without a sign that it was cut, or inside of a word, it is a word of its own.
  for (const text of [
    `Rotate ${secret.slice(0, 6)}`,
    `Rotate a${secret.slice(0, 6)}…`,
    `${secret.slice(0, 3)}…`,
  ])
    expect(redaction.redactText(text)).toBe(text);
});

test("a title that was cut in a password of less than 8 characters does not show its beginning, and words stay", () => {
  const redaction = learned([
    result("export DB_PASSWORD='S3c!p9' # of anna@heronmail.org"),
    result("apiVersion: v1\nkind: Secret\nstringData:\n  MODE: production"),
  ]);
  for (const left of [6, 5, 4])
    expect(redaction.redactText(`Log in with ${"S3c!p9".slice(0, left)}…`)).toBe("Log in with [password 1]…");
  for (const text of ["Deploy to prod…", "Ask anna…"]) expect(redaction.redactText(text)).toBe(text);
});

test("the values of a settings file are replaced where it was read, and elsewhere unless they are words", () => {
  const lines = [
    answer([{ type: "tool_use", id: "toolu_env", name: "Bash", input: { command: "cat .env" } }]),
    JSON.stringify({
      type: "user",
      message: {
        content: [
          {
            tool_use_id: "toolu_env",
            type: "tool_result",
            content:
              "NODE_ENV=production\nSHOP_NAME=Blue Heron Books\n  12→export PIN='zebra-42-lamp' # x\nDEBUG=1",
          },
        ],
      },
    }),
    result("zebra-42-lamp and Blue Heron Books"),
  ];
  const redaction = learned(lines);
  expect(lines.slice(1).map((line) => textOf(redaction.redactLine(line)))).toEqual([
    "NODE_ENV=production\nSHOP_NAME=[env-value 1]\n  12→export PIN='[env-value 2]' # x\nDEBUG=1",
    "[env-value 2] and Blue Heron Books",
  ]);
});

test.each([
  ["cat .env*", "PIN=zebra lamp", "PIN=[env-value 1]"],
  ["cat .env.example .env", "PIN=zebra lamp", "PIN=[env-value 1]"],
  ["cp .env.example .env && cat .env", "PIN=zebra lamp", "PIN=[env-value 1]"],
  ["git show HEAD~1:.env", "PIN=zebra lamp", "PIN=[env-value 1]"],
  ["cat deploy/prod.env | head", "PIN=zebra lamp", "PIN=[env-value 1]"],
  ["grep -n PIN .env .env.local", ".env:3:PIN=zebra lamp", ".env:3:PIN=[env-value 1]"],
  ["grep -r PIN --include=.env .", "./api/.env:PIN=zebra lamp", "./api/.env:PIN=[env-value 1]"],
  [
    "diff .env .env.local",
    "3c3\n< PIN=zebra lamp\n---\n> PIN=red lamp",
    "3c3\n< PIN=[env-value 1]\n---\n> PIN=[env-value 2]",
  ],
  ["cat .env", 'PIN="zebra \\"lamp\\" 1"', 'PIN="[env-value 1]"'],
  ["cat .env.example", "PIN=zebra lamp", "PIN=zebra lamp"],
  ["node -e 'console.log(process.env)'", "PIN=zebra lamp", "PIN=zebra lamp"],
  ["grep -rn process.env src", "src/a.ts:3:PIN = process.env.PIN", "src/a.ts:3:PIN = process.env.PIN"],
])("%s prints what is replaced, or is not", (command, printed, redacted) => {
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command } };
  const lines = [answer([call]), result(printed)];
  expect(textOf(learned(lines).redactLine(lines[1] ?? ""))).toBe(redacted);
});

test.each([
  [`echo "PIN=zebra lamp" >> .env`, `echo "PIN=[env-value 1]" >> .env`],
  ["echo PIN=zebra-lamp >> .env && ls", "echo PIN=[env-value 1] >> .env && ls"],
  ["cd x && printf 'PIN=zebra lamp\\n' > .env", "cd x && printf 'PIN=[env-value 1]' > .env"],
  ["cat > .env <<EOF\nPIN=zebra lamp\nEOF", "cat > .env <<EOF\nPIN=[env-value 1]\nEOF"],
])("values that a command writes to a .env are replaced in it: %s", (command, redacted) => {
  const line = answer([{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command } }]);
  const { input } = JSON.parse(learned([line]).redactLine(line)).message.content[0];
  expect(input.command).toBe(redacted);
});

test("a call of an agent that reads such a file is followed too, as the lines of its progress name it", () => {
  const progress = (content: object) =>
    JSON.stringify({ type: "progress", data: { message: { type: "x", message: { content: [content] } } } });
  const lines = [
    progress({ type: "tool_use", id: "toolu_p", name: "Read", input: { file_path: "/srv/.env.local" } }),
    progress({ tool_use_id: "toolu_p", type: "tool_result", content: "PIN=zebra lamp" }),
    progress({ tool_use_id: "toolu_q", type: "tool_result", content: "PIN=other lamp" }),
  ];
  const redaction = learned(lines);
  expect(redaction.redactLine(lines[1] ?? "")).toContain('"PIN=[env-value 1]"');
  expect(redaction.redactLine(lines[2] ?? "")).toBe(lines[2]);
});

test("a finding has a position, and shows only the beginning", () => {
  const [{ secret } = { secret: "" }] = PLANTED.filter(({ kind }) => kind === "gitlab-token");
  const found: Finding[] = [];
  new Redaction().learn(answer([text("none"), text(`a\nb\n${secret}`)]), (one) => found.push(one));
  expect(found).toEqual([
    {
      rule: "gitlab-token",
      name: "gitlab-token 1",
      field: "message.content[1].text",
      line: 3,
      preview: `${secret.slice(0, 4)}… (${secret.length} characters)`,
    },
  ]);
});

test("excepted secrets stay, and signatures are never altered", () => {
  const [{ secret } = { secret: "" }] = PLANTED.filter(({ kind }) => kind === "npm-token");
  const line = answer([{ type: "thinking", thinking: secret, signature: secret }]);
  expect(learned([line], ["npm-token 1"]).redactLine(line)).toBe(line);
  const block = JSON.parse(learned([line]).redactLine(line)).message.content[0];
  expect(block).toEqual({ type: "thinking", thinking: "[npm-token 1]", signature: secret });
});

test("a signature of anything but thinking is a text like others", () => {
  const [{ secret } = { secret: "" }] = PLANTED.filter(({ kind }) => kind === "npm-token");
  const call = answer([
    { type: "tool_use", id: "toolu_1", name: "edit", input: { signature: `connect(key = "${secret}")` } },
  ]);
  expect(learned([call]).redactLine(call)).toContain('connect(key = \\"[npm-token 1]\\")');
});

const BODY = Array.from({ length: 12 }, (_, n) => `${"aB3dE5fG7hI9jK1l".repeat(3)}mN5oP7qR9sT${n + 10}`);
const KEY = ["-----BEGIN RSA PRIVATE KEY-----", ...BODY, "aB3dE5fG7hI9==", "-----END RSA PRIVATE KEY-----"];
const patchOf = (lines: readonly string[]) =>
  JSON.stringify({ type: "user", toolUseResult: { structuredPatch: [{ oldStart: 1, lines }] } });

test("no line of a private key is left in a diff, which stays one", () => {
  const line = patchOf([" # key", ...KEY.map((one) => `+${one}`), "-# none"]);
  const { lines } = JSON.parse(learned([line]).redactLine(line)).toolUseResult.structuredPatch[0];
  const hidden = Array.from({ length: 13 }, () => "+[private-key 1]");
  expect(lines).toEqual([" # key", `+${KEY[0]}`, ...hidden, `+${KEY.at(-1)}`, "-# none"]);
  const found: Finding[] = [];
  new Redaction().learn(line, (one) => found.push(one));
  expect(found.map(({ name, field }) => `${name} in ${field}`)).toEqual([
    "private-key 1 in toolUseResult.structuredPatch[0].lines[2]",
  ]);
});

test("a private key is the same one in a diff, cut, and line by line; excepted, it stays in all of them", () => {
  const lines = [
    result(KEY.join("\n")),
    result(`@@ -1,15 +0,0 @@\n${KEY.map((one) => `-${one}`).join("\n")}`),
    result(KEY.slice(5).join("\n")),
    patchOf([` ${BODY[3]}`, `-${BODY[4]}`]),
    result(`its fifth line is ${BODY[4]}.`),
  ];
  const redaction = learned(lines);
  const redacted = lines.map((line) => redaction.redactLine(line));
  expect(redacted.flatMap((line) => line.match(/\[private-key \d+\]/g))).toEqual(
    Array.from({ length: 6 }, () => "[private-key 1]"),
  );
  expect(BODY.filter((one) => redacted.join().includes(one))).toEqual([]);
  const kept = learned(lines, ["private-key 1"]);
  expect(lines.map((line) => kept.redactLine(line))).toEqual(lines);
});

test("of two private keys that begin alike each has its own name", () => {
  const other = [...KEY.slice(0, 2), ...BODY.slice(1).map((one) => one.replace("aB3d", "zZ3d"))];
  expect(learned([result(KEY.join("\n"))]).redactText(other.join("\n"))).toContain("[private-key 2]");
});

test("a backup of a .env that is in the log itself is redacted as one", () => {
  const line = JSON.stringify({
    type: "file-history-snapshot",
    snapshot: { trackedFileBackups: { ".env": "MODE=production\nPIN=zebra lamp", "a.txt": "no more" } },
  });
  expect(JSON.parse(learned([line]).redactLine(line)).snapshot.trackedFileBackups).toEqual({
    ".env": "MODE=production\nPIN=[env-value 1]",
    "a.txt": "no more",
  });
});

test("a password is known without what a shell has behind it", () => {
  const lines = [result("DB_PASSWORD=zebra42lamp;run"), result("it is zebra42lamp")];
  expect(textOf(learned(lines).redactLine(lines[1] ?? ""))).toBe("it is [password 1]");
});

test.each([
  ["/mnt/c/Users/marlowe/src", "/mnt/c/Users/[user 1]/src"],
  ["/c/Users/marlowe/src", "/c/Users/[user 1]/src"],
  ["/var/home/marlowe/src", "/var/home/[user 1]/src"],
  ["/home/jürgen/src", "/home/[user 1]/src"],
  ["/Users/Zoe\u0301/src", "/Users/[user 1]/src"],
  ["C:\\Users\\Anna Marlowe\\src", "C:\\Users\\[user 1]\\src"],
  ["C:\\Users\\anna marlowe\\src", "C:\\Users\\[user 1]\\src"],
  ["C:/Users/Anna Marlowe/src", "C:/Users/[user 1]/src"],
  ["c:\\users\\marlowe\\src", "c:\\users\\[user 1]\\src"],
  ["C:\\USERS\\marlowe\\src", "C:\\USERS\\[user 1]\\src"],
  ["c:/users/marlowe/src", "c:/users/[user 1]/src"],
  ["\\\\wsl.localhost\\Ubuntu\\home\\marlowe\\src", "\\\\wsl.localhost\\Ubuntu\\home\\[user 1]\\src"],
])("the name of somebody who works in %s is replaced everywhere", (cwd, redacted) => {
  const name = /(?:home|Users)[\\/]([^\\/]+)/i.exec(cwd)?.[1] ?? "";
  const line = said(`ls ${cwd}; written by ${name}`, { cwd });
  expect(JSON.parse(learned([line]).redactLine(line))).toMatchObject({
    cwd: redacted,
    message: { content: `ls ${redacted}; written by [user 1]` },
  });
});

test("a user of whom only a path tells is replaced in paths, and words that are spelt alike stay", () => {
  const line = said("cat /home/anna/x; const anna = banana; // añana", { cwd: "/srv/shop" });
  expect(JSON.parse(learned([line]).redactLine(line)).message.content).toBe(
    "cat /home/[user 1]/x; const anna = banana; // añana",
  );
});

test.each([
  [
    "/Users/max/shop",
    "ls ~/.claude/projects/-Users-max-shop/x",
    "ls ~/.claude/projects/-Users-[user 1]-shop/x",
  ],
  ["/srv/shop", "-home-marlowe-shop\n-home-dev-shop", "-home-[user 1]-shop\n-home-dev-shop"],
  ["/srv/shop", "projects\\C--Users-marlowe-code", "projects\\C--Users-[user 1]-code"],
  ["/srv/shop", "projects\\c--users-marlowe-code", "projects\\c--users-[user 1]-code"],
])(
  "with %s whoever is in the name of one of the client's folders is named in none: %s",
  (cwd, content, redacted) => {
    const line = said(content, { cwd });
    expect(JSON.parse(learned([line]).redactLine(line)).message.content).toBe(redacted);
  },
);

test.each([
  ["/home/claude/app", "`claude` runs claude-opus-4-5 and reads .claude/settings.json"],
  ["/srv/app", '<Route path="/home/settings" />; import settings from "./settings.json"'],
  ["/home/settings/app", "the settings page"],
  ["/srv/app", "GET /users/marlowe, https://x.org/users/marlowe, src\\users\\marlowe, all-users-marlowe-x"],
  ["/srv/app", "this@MainActivity.finish()"],
])("in %s nobody is named by: %s", (cwd, content) => {
  const line = said(content, { cwd });
  expect(learned([line]).redactLine(line)).toBe(line);
});

test("a name that is a word of code is replaced in paths alone", () => {
  const line = said("Math.max(1, 2) in /Users/max/shop", { cwd: "/Users/max/shop" });
  expect(JSON.parse(learned([line]).redactLine(line))).toMatchObject({
    cwd: "/Users/[user 1]/shop",
    message: { content: "Math.max(1, 2) in /Users/[user 1]/shop" },
  });
});

test("a line without secrets stays byte for byte, and the recordings have none", () => {
  const counts: Record<string, number> = {};
  let lines = 0;
  for (const version of RECORDED_VERSIONS) {
    const redaction = new Redaction();
    for (const line of recordedLines(version)) {
      lines += 1;
      redaction.learn(line, ({ rule }) => (counts[rule] = (counts[rule] ?? 0) + 1));
      if (lines % NTH_LINE !== 0) continue;
      expect(redaction.redactLine(line) === line || Object.keys(counts).length > 0).toBe(true);
    }
  }
  expect(lines).toBeGreaterThan(12_000);
  expect(counts).toEqual({});
});

test.each(['\\"', "KEY=a1b2c3d4\n", " --token a", "?key=a&key=", "ghp_x7Kd9QmZ2vB4nT8 ", "a1B2c3D4e5F6g7H8"])(
  "the time of a line of %j grows with its length alone",
  (piece) => {
    const [{ secret } = { secret: "" }] = PLANTED.filter(({ kind }) => kind === "npm-token");
    const growth = timeGrowth((size) => {
      const line = result(`cat .env ${piece.repeat(size / piece.length)}`);
      learned([result(secret), line]).redactLine(line);
    }, SMALL_TEXT);
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  },
);

test.each([
  ["keys", '"-----BEGIN RSA PRIVATE KEY-----","+'],
  ["lines of keys", `"${BODY[0]}","-----END RSA PRIVATE KEY-----",`],
  ["lists", '"PRIVATE KEY"],['],
])("the time of a list of %s grows with its length alone", (_, piece) => {
  const growth = timeGrowth((size) => {
    const line = `{"a":[${piece.repeat(size / piece.length)}""]}`;
    learned([line]).redactLine(line);
  }, SMALL_TEXT);
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});

function* recordedLines(version: (typeof RECORDED_VERSIONS)[number]): Generator<string> {
  using recording = sharedRecording(version);
  for (const entry of readdirSync(recording.claudeDir, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".jsonl")) continue;
    yield* readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n").filter(Boolean);
  }
}

function learned(lines: readonly string[], kept: readonly string[] = []): Redaction {
  const redaction = new Redaction([], kept);
  for (const line of lines) redaction.learn(line, () => undefined);
  return redaction;
}

/** Whether twelve characters of a secret in a row, or all of a short one, can still be read. */
function survives(secret: string, lines: readonly string[]): boolean {
  const redaction = learned(lines);
  const read = lines.map((line) => readable(redaction.redactLine(line))).join("\n");
  const step = Math.min(12, secret.length);
  for (let at = 0; at + step <= secret.length; at++)
    if (read.includes(secret.slice(at, at + step)) && secret.slice(at, at + step).trim().length > 4)
      return true;
  return false;
}

/** What can be read in a line, with escapes and colours resolved as often as it takes. */
function readable(line: string): string {
  const view = plainView(line)?.text;
  return view === undefined ? line : `${line}\n${readable(view)}`;
}

function answer(content: readonly object[]): string {
  return JSON.stringify({ type: "assistant", message: { id: "msg_1", role: "assistant", content } });
}

function result(content: string): string {
  const block = { tool_use_id: "toolu_1", type: "tool_result", content };
  return JSON.stringify({ type: "user", message: { role: "user", content: [block] } });
}

function said(content: string, more: object): string {
  return JSON.stringify({ type: "user", ...more, message: { role: "user", content } });
}

function kindsOf(planted: readonly Planted[]): string[] {
  return planted.map(({ kind, secret }) => `${kind}: ${secret}`);
}

function text(of: string) {
  return { type: "text", text: of };
}

function textOf(line: string): unknown {
  return JSON.parse(line).message.content[0].content;
}

function escaped(letters: string): string {
  return Array.from(letters, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

function coloured(secret: string): string {
  const middle = secret.length >> 1;
  return `\x1b[01;31m\x1b[K${secret.slice(0, middle)}\x1b[m\x1b[K${secret.slice(middle)}`;
}
