import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import { PLANTED_KINDS, plantSecrets } from "@/lib/testing/secrets";
import { MAX_LINEAR_GROWTH, SMALL_TEXT, timeGrowth } from "@/lib/testing/time-growth";
import { findSecrets } from "./find-secrets";
import { RULES } from "./rules";

const PLANTED = plantSecrets(18, 6);

test("there is a test secret of every kind", () => {
  expect(PLANTED.length).toBeGreaterThan(600);
  expect([...PLANTED_KINDS].sort()).toEqual([...new Set(RULES.map(({ id }) => id)), "private-key"].sort());
});

test("every secret is found in its text, with its kind", () => {
  const missed = PLANTED.filter(({ kind, secret, text }) => {
    return !findSecrets(`see ${text} there`).some(
      ({ rule, value }) => rule === kind && value.includes(secret),
    );
  });
  expect(missed).toEqual([]);
});

test("colours and written escapes inside of a secret do not hide it", () => {
  for (const text of [
    "\x1b[01;31m\x1b[Kghp_x7Kd9\x1b[m\x1b[KQmZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1\x1b[0m",
    '{\\"token\\":\\"\\nghp_x7Kd9QmZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1\\n\\"}',
    "\\u0067hp_x7Kd9\\u0051mZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1",
    "\\\\\\u001b[32mghp_x7Kd9QmZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1",
  ])
    expect(valuesIn(text)).toEqual(["ghp_x7Kd9QmZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1"]);
});

test("a key is found if its end or its beginning was cut off, and the text after it stays", () => {
  const line = "q".repeat(30) + "A1b2".repeat(8);
  const begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
  const end = "-----END OPENSSH PRIVATE KEY-----";
  expect(valuesIn(`${begin}\n${line}\n${line}\n[4 lines truncated]`)).toEqual([`${line}\n${line}`]);
  expect(valuesIn(`…\n${line}\n${line}\nabcd==\n${end}\nsaved`)).toEqual([`${line}\n${line}\nabcd==`]);
  expect(valuesIn(`     1→${begin}\n     2→${line}\n     3→abc=\n     4→${end}`)).toEqual([
    `2→${line}\n     3→abc=`,
  ]);
  expect(valuesIn(`A file with "${begin}" at its head is a private key`)).toEqual([]);
});

const BODY = Array.from({ length: 12 }, (_, n) => `${"aB3dE5fG7hI9jK1l".repeat(3)}mN5oP7qR9sT${n + 10}`);
const KEY = ["-----BEGIN RSA PRIVATE KEY-----", ...BODY, "aB3dE5fG7hI9==", "-----END RSA PRIVATE KEY-----"];

/** Ways in which tools show the lines of a file. */
const SHOWN: Record<string, (line: string, at: number) => string> = {
  "as they are": (line) => line,
  "with the line ends of Windows": (line) => `${line}\r`,
  "as removed by a diff": (line) => `-${line}`,
  "as added by a diff": (line) => `+${line}`,
  "as a merge removed them": (line) => `--${line}`,
  "as removed from a file with indentation": (line) => `-    ${line}`,
  "with the file's name and their numbers, by grep": (line, at) => `./certs/k-1.pem:${at + 1}:${line}`,
  "behind a hit of grep": (line, at) => `./certs/k-1.pem${at === 0 ? ":" : "-"}${line}`,
  "numbered, behind a hit of grep": (line, at) => `id_rsa${at === 0 ? ":1:" : `-${at + 1}-`}${line}`,
  "with their numbers, by rg": (line, at) => `${at + 1}${at === 0 ? ":" : "-"}${line}`,
  "with who wrote them, by git blame": (line, at) =>
    `1a2b3c4d (Anna Marlowe 2026-01-02 03:04:05 +0100 ${String(at + 1).padStart(2)}) ${line}`,
  "with the service that printed them": (line) => `web-1  | ${line}`,
};

test.each(Object.entries(SHOWN))("no line of a private key is left that is shown %s", (_, show) => {
  const lines = KEY.map(show);
  const behind = findSecrets(`first\n${lines.join("\n")}\nlast`);
  expect(behind.map(({ rule }) => rule)).toEqual(["private-key"]);
  expect([...BODY, "aB3dE5fG7hI9=="].filter((line) => !behind[0]?.value.includes(line))).toEqual([]);
  expect(behind[0]?.value).not.toMatch(/first|last|BEGIN|END/);
});

test.each(Object.entries(SHOWN).filter(([name]) => !/blame|service/.test(name)))(
  "nor where its beginning was cut off, shown %s",
  (_, show) => {
    const [found] = findSecrets(KEY.map(show).slice(3).join("\n"));
    expect(BODY.slice(2).filter((line) => !found?.value.includes(line))).toEqual([]);
  },
);

test("a key that was cut off ends before another one's certificate, and before a line that is not part of it", () => {
  const certificate = `-----BEGIN CERTIFICATE-----\n${"MIIDazCCAlOgAwIB".repeat(4)}\n-----END CERTIFICATE-----`;
  expect(valuesIn(`${certificate}\n${KEY.slice(6).join("\n")}`)).toEqual([KEY.slice(6, -1).join("\n")]);
  expect(valuesIn(`${KEY.slice(0, 6).join("\n")}\n\n- [ ] rotate it`)).toEqual([KEY.slice(1, 6).join("\n")]);
});

test("Base64 at the beginning of an output does not hide the rest", () => {
  const token = "ghp_x7Kd9QmZ2vB4nT8rWyL5cHj3FsPa6GeUoIi1";
  const wrapped = Array.from(
    { length: 80 },
    () => "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj",
  ).join("\n");
  const run = wrapped.replaceAll("\n", "");
  expect(valuesIn(`${wrapped}\nGITHUB_TOKEN=${token}\n`)).toEqual([token]);
  expect(findSecrets(`${run}==\nGITHUB_TOKEN=${token}\n`)).toEqual([
    { rule: "github-token", start: run.length + 16, end: run.length + 56, value: token },
  ]);
  expect(valuesIn(run)).toEqual([]);
  // A PDF of 6 MB; the client reads larger ones.
  expect(valuesIn(`${"JVBE".repeat(1 << 21)}\nGITHUB_TOKEN=${token}\n`)).toEqual([token]);
});

test("a long list of nothing but keys is a list of keys", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const keys = Array.from(
    { length: 250 },
    (_, n) =>
      `AKIA${Array.from({ length: 16 }, (__, at) => letters[(n * 7 + at * 11 + ((n * at) % 13)) % 32]).join("")}`,
  );
  expect(valuesIn(keys.join("\n"))).toEqual(keys);
});

test.each([
  ["password=hun,ter22abc", "hun,ter22abc"],
  ["DB_PASSWORD=ab(cd)12!x", "ab(cd)12!x"],
  ["export DB_PASSWORD=ab(cd12)", "ab(cd12)"],
  ["DB_PASSWORD=(Xk9fq77", "(Xk9fq77"],
  ["DB_PASSWORD=a;b|c&d>9x", "a;b|c&d>9x"],
  ["DB_PASSWORD=ab<cd12x", "ab<cd12x"],
  ["spring.datasource.password=Xk9fq77{2LqQ", "Xk9fq77{2LqQ"],
  ["--password ab,cd12 --force", "ab,cd12"],
  ['{\\"password\\":\\"hun,ter22abc\\"}', "hun,ter22abc"],
  ["{password:abc12345,name:1}", "abc12345"],
  ["connect(user=u, password=pw123456)", "pw123456"],
  ["Server=x;Password=abc123x;Database=y", "abc123x"],
  ["host:6379,password=abc123x,ssl=True", "abc123x"],
  ["https://x.org/?password=x1y2z3&page=1", "x1y2z3"],
  ["https://x.org/?a&password=x1y2z3&all", "x1y2z3"],
  ["curl -d 'user=a&password=x1y2z3q&grant_type=password'", "x1y2z3q"],
  ["PASSWORD=abc123x; echo", "abc123x"],
  ["PASSWORD=abc123x&&npm start", "abc123x"],
  ["<password>ab12cd34</password>", "ab12cd34"],
  ["<input password=abc123>", "abc123"],
  ["the password: hunter22, then", "hunter22"],
  ["DB_PASSWORD=ab\\cd12x", "ab\\cd12x"],
  ["DB_PASSWORD=ab\\\\cd12x;e", "ab\\\\cd12x;e"],
  ["--password hunter\\22 --force", "hunter\\22"],
  ["mysql --password=hunter22 \\\n  --force", "hunter22"],
  ["password=abc123x\\u0026user=a", "abc123x"],
  ["password=abc123x\\nuser=a", "abc123x"],
  ["PASSWORD=abc123x\\", "abc123x"],
  ["printf 'password=abc123x\\e[0m'", "abc123x"],
])("a password without quotes ends where it does: %s", (text, password) => {
  expect(valuesIn(text)).toEqual([password]);
});

test.each([
  ['{"password": "ab\\"cd12efg", "host": "x"}', 'ab\\"cd12efg'],
  ["PASSWORD='hunter22\\'tail99'", "hunter22\\'tail99"],
  ["postgres://app:hunter@22x@db.shop.de/app", "hunter@22x"],
  ["postgres://app:ab@cd@db.shop.de/app", "ab@cd"],
  ["SECRET_KEY=k3$9w&x(7q^2)zz!m5p", "k3$9w&x(7q^2)zz!m5p"],
  ['{"Server": "x", "Pwd": "Str0ng!Pass"}', "Str0ng!Pass"],
  ["Server=x;Uid=sa;Pwd=Str0ng!Pass;Encrypt=yes", "Str0ng!Pass"],
  ["auth: { user: 'shop', pass: 'Str0ng!1' }", "Str0ng!1"],
  ["      SMTP_PASS: Str0ng!1", "Str0ng!1"],
  ["os.environ['DB_PASSWORD'] = 'S3cret!pw9'", "S3cret!pw9"],
  ['config["db"]["password"]="S3cret!pw9"', "S3cret!pw9"],
  ["define('DB_PASSWORD', 'S3cret!pw9');", "S3cret!pw9"],
  ['user.setPassword("S3cret!pw9")', "S3cret!pw9"],
  ["ALTER USER app WITH PASSWORD 'S3cret!pw9';", "S3cret!pw9"],
  ["CREATE USER app IDENTIFIED BY 'S3cret!pw9';", "S3cret!pw9"],
  ["- name: DB_PASSWORD\n  value: S3cret!pw9\n", "S3cret!pw9"],
  ['{"name": "DB_PASSWORD", "value": "S3cret!pw9"}', "S3cret!pw9"],
  ['<add key="Password" value="S3cret!pw9"/>', "S3cret!pw9"],
  ["log in as me, the password is hunter22.", "hunter22"],
  ["Password for root is: S3cret!pw9", "S3cret!pw9"],
  ["curl -uadmin:S3cret!pw9 https://x.org", "S3cret!pw9"],
  ["sshpass -p 'S3cret!pw9' ssh db", "S3cret!pw9"],
  ["mysqldump -h db -u root -pS3cret!pw9 shop > a.sql", "S3cret!pw9"],
  ["docker login -u dev -p S3cret!pw9 registry.test", "S3cret!pw9"],
  ["curl -u 'admin:S3cret pw9' https://x.org", "S3cret pw9"],
  ['"args": ["serve", "--password", "S3cret!pw9"]', "S3cret!pw9"],
  ["run(['db', '--token', 'S3cret!pw9'])", "S3cret!pw9"],
  ["X-API-Key: a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ['-H "X-Auth-Key: a8f5f167f44f4964e6c998dee827110c"', "a8f5f167f44f4964e6c998dee827110c"],
  ["Ocp-Apim-Subscription-Key: a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ['  db_password            = "S3cret!pw9"', "S3cret!pw9"],
  ['\tPassword:             "S3cret!pw9",', "S3cret!pw9"],
  ["SMTP_PASSWORD:            S3cret!pw9", "S3cret!pw9"],
  ["SESSION_SECRET:         a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ["RAILS_MASTER_KEY=a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ["DD_APP_KEY:   a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  [
    "APP_KEY=base64:aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
    "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
  ],
  [
    "define( 'NONCE_SALT',  '$aB3dE5fG7hI9j<K1lM3n>O5pQ7rS9 tU1vW3xY5zA7bC9d#$%^&*()' );",
    "$aB3dE5fG7hI9j<K1lM3n>O5pQ7rS9 tU1vW3xY5zA7bC9d#$%^&*()",
  ],
  ["- name: API_TOKEN\n  value: a8f5f167f44f4964e6c998dee827110c\n", "a8f5f167f44f4964e6c998dee827110c"],
  ["- name: STRIPE_KEY\n  value: a8f5f167f44f4964e6c998dee827110c\n", "a8f5f167f44f4964e6c998dee827110c"],
  ["export GH_PAT=a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ['sql.Open("mysql", "root:S3cret!pw9@tcp(127.0.0.1:3306)/shop")', "root:S3cret!pw9@"],
  ["npm config set //registry.test/:_authToken a8f5f167f44f", "a8f5f167f44f"],
  [
    '[{"name": "sid", "value": "a8f5f167f44f4964e6c998dee827110c", "domain": "x.org"}]',
    "a8f5f167f44f4964e6c998dee827110c",
  ],
  [
    '{ "name": "sessionid", "value": "x7Kd9QmZ2vB4nT8rWyL5", "path": "/", "httpOnly": true }',
    "x7Kd9QmZ2vB4nT8rWyL5",
  ],
  [
    '{\n  "name": "sid",\n  "path": "/",\n  "sameSite": "lax",\n  "secure": true,\n  "value": "x7Kd9QmZ2vB4nT8rWyL5"\n}',
    "x7Kd9QmZ2vB4nT8rWyL5",
  ],
  ["{'name': 'sid', 'path': '/', 'value': 'x7Kd9QmZ2vB4nT8rWyL5'}", "x7Kd9QmZ2vB4nT8rWyL5"],
  ['{"name": "session", "value": "x7Kd9QmZ2vB4nT8rWyL5"}', "x7Kd9QmZ2vB4nT8rWyL5"],
  ['{"name": "Cookie", "value": "a=1; sid=x7Kd9QmZ2vB4nT8rWyL5"}', "a=1; sid=x7Kd9QmZ2vB4nT8rWyL5"],
  ['{"name": "set-cookie", "value": "sid=x7Kd9QmZ2vB4nT8rWyL5"}', "sid=x7Kd9QmZ2vB4nT8rWyL5"],
  ['{"name": "authorization", "value": "Token x7Kd9QmZ2vB4nT8rWyL5"}', "x7Kd9QmZ2vB4nT8rWyL5"],
  ["db.shop.lan:5432:shop:app:S3cret!pw9", "S3cret!pw9"],
  ["     1→*:*:*:postgres:swordfish", "swordfish"],
  ["[client]\nuser=root\npassword=swordfish\nhost=db", "swordfish"],
  ['     1→[mysqldump]\n     2→password = "sword fish"', "sword fish"],
  ['"Type": "SecureString",\n        "Value": "swordfish",\n', "swordfish"],
  ["#HttpOnly_.shop.org\tTRUE\t/\tTRUE\t1795000000\tsid\tx7Kd9QmZ2vB4nT8r", "x7Kd9QmZ2vB4nT8r"],
  [
    "    client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcA==",
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcA==",
  ],
  ["echo 'anna:swordfish' | sudo chpasswd", "anna:swordfish"],
  ["echo swordfish | passwd --stdin anna", "swordfish"],
  ["gh auth login --with-token <<< swordfish", "swordfish"],
  ["DB_PASSWORD=@Dm1n2024!", "@Dm1n2024!"],
  ["POSTGRES_PASSWORD=/xK3f9aQw+8ZtR2v==", "/xK3f9aQw+8ZtR2v=="],
  ["password: '2024-01-05!xyz'", "2024-01-05!xyz"],
  ['gh secret set DEPLOY_KEY --body "S3cret!pw9"', "S3cret!pw9"],
  ["echo swordfish | npx wrangler secret put API", "swordfish"],
  ["curl -sSu admin:S3cret!pw9 https://x.org", "S3cret!pw9"],
  ["http -a admin:S3cret!pw9 x.org", "S3cret!pw9"],
  ["SSHPASS=S3cret!pw9 sshpass -e ssh db", "S3cret!pw9"],
  ["REDISCLI_AUTH=S3cret!pw9 redis-cli ping", "S3cret!pw9"],
  ["redis-cli -h db -a S3cret!pw9 ping", "S3cret!pw9"],
  ["mongosh --port 27017 -u root -p S3cret!pw9 admin", "S3cret!pw9"],
  ["sqlcmd -S db -U sa -P S3cret!pw9", "S3cret!pw9"],
  ["ldapsearch -x -D cn=admin -w S3cret!pw9", "S3cret!pw9"],
  ["openssl pkcs12 -in a.p12 -passin pass:S3cret!pw9", "S3cret!pw9"],
  ["keytool -list -storepass S3cret!pw9", "S3cret!pw9"],
  ["echo 'swordfish' | sudo -S apt install x", "swordfish"],
  ["echo swordfish | sudo -k -S -p '' apt install x", "swordfish"],
  ["echo swordfish | sudo -u postgres -S psql", "swordfish"],
  ["sudo -S ls <<< 'swordfish'", "swordfish"],
  ["printf '%s' swordfish; echo \"swordfish\" | docker login -u dev --password-stdin", "swordfish"],
  [
    "https://a8f5f167f44f4964e6c998dee827110c:x-oauth-basic@x.org",
    "a8f5f167f44f4964e6c998dee827110c:x-oauth-basic",
  ],
  [
    "Cookie: lang=en; session=a8f5f167f44f4964e6c998dee827110c",
    "lang=en; session=a8f5f167f44f4964e6c998dee827110c",
  ],
  ["curl -b 'a=1; sid=a8f5f167f44f4964e6c998dee827110c' x.org", "a=1; sid=a8f5f167f44f4964e6c998dee827110c"],
  ['Cookie: p="x y"; sid=a8f5f167f44f4964e6c998dee827110c', 'p="x y"; sid=a8f5f167f44f4964e6c998dee827110c'],
  [
    "Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=a8f5f167f44f4964e6c998dee827110c",
    "a8f5f167f44f4964e6c998dee827110c",
  ],
  ["req.set('Authorization', 'a8f5f167f44f4964e6c998dee827110c')", "a8f5f167f44f4964e6c998dee827110c"],
  ["x.org/a?X-Amz-Signature=a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ["admin:$apr1$kjaN8xZ1$5gTq8lWzXk2mN4pQ6rS8t.", "$apr1$kjaN8xZ1$5gTq8lWzXk2mN4pQ6rS8t."],
  [
    "pbkdf2_sha256$600000$abcDEF12$aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
    "pbkdf2_sha256$600000$abcDEF12$aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
  ],
])("a password is found whole in %s", (text, password) => {
  expect(valuesIn(text)).toEqual([password]);
});

test("a token in which a text was cut is found", () => {
  expect(valuesIn("GITHUB=ghp_x7Kd9QmZ2vB4n")).toEqual(["ghp_x7Kd9QmZ2vB4n"]);
  expect(valuesIn("ghp_x7Kd9QmZ2vB4n\n\n... [120 characters truncated] ...")).toEqual(["ghp_x7Kd9QmZ2vB4n"]);
  expect(valuesIn("the prefix ghp_ and a function ghp_tokenOf(text)")).toEqual([]);
});

test("the environment of a process, as /proc has it, is values with zeros between them", () => {
  const token = "a8f5f167f44f4964e6c998dee827110c";
  expect(valuesIn(`A=1\0DB_PASSWORD=S3cret!pw9\0API_TOKEN=${token}\0PATH=/usr/local/bin:/usr/bin\0`)).toEqual(
    ["S3cret!pw9", token],
  );
});

test("a token that a terminal broke into lines is found as a whole, and the text below it stays", () => {
  const [github, key] = ["github-token", "anthropic-key"].map(
    (kind) => PLANTED.find((one) => one.kind === kind && !one.secret.includes("."))?.secret ?? "",
  ) as [string, string];
  const web = PLANTED.find(({ kind }) => kind === "jwt")?.secret ?? "";
  for (const secret of [github, key, web])
    for (const [width, indent] of [
      [30, ""],
      [34, "  "],
      [60, "    "],
    ] as const) {
      const lines = secret.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
      const text = `it is:\n${lines.map((line) => indent + line).join("\n")}\n${indent}Keep it.`;
      const [found] = valuesIn(text);
      expect(found?.replace(/\s+/g, "")).toBe(secret);
    }
  expect(valuesIn("prefixes are ghp_\nsomewhere and github_pat_\nelsewhere1")).toEqual([]);
});

test("examples, templates and code are no secrets", () => {
  for (const text of [
    "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-ant-api03-your-key-here, OPENAI_API_KEY=sk-...",
    "https://user:password@host/ https://$USER:${PASSWORD}@host/ https://x:***@host/",
    "Authorization: Bearer <token>, Authorization: Bearer ${accessToken}",
    "password: string; const token = await getToken(); token: config.auth.token2",
    "max_tokens: 4096, tokens=cacheWrite1h, tokenizer: cl100k_base",
    "noreply@anthropic.com git@github.com user@example.com lodash@4.17.21 name@v2.js",
    "cd /home/user/project && ls /Users/you ~/.ssh src/home/page",
    "DATABASE_PASSWORD=changeme SECRET_KEY=your-secret-key-here-123",
    "cookie: string, document.cookie = name, Cookie: theme=dark",
    "password: z.string().min(8).max(64), password=hash(pw1) password => bcrypt.compare(password,user.hash1)",
    "password = models.CharField(max_length=128) password: str|None=None, password: Optional[str]=None)",
    "f(password=hash(pw1,\n  10)) password: {foo1:\n password=[1,2] password=data[pw1] password={this.state.pw1}",
    "{color:!0,date:!0,password:!0,range:!0} password:e.target.value1}),onChange: password:(e1,t)=>{return 1}",
    "password: int64|string; password=$(pass show x1) password=${PW1} password={{pw1}} password=[password 1]",
    "/home/claude/app /home/settings /home/dashboard src/home/anna https://x.org/a/home/anna /home/x",
    "this@MainActivity.finish() super@Outer.close() return@forEach.x",
    "ℹ pass 12 ℹ fail 0 first pass: phase1, pwd: /srv/shop1 PWD=/srv/shop1 bypass: 'v1.2.3x'",
    "OLDPWD=$1a2b3c pass: step-1 const pass = pass1.next2() pass: !0 compass: 'n0rth-w3st'",
    "pass: 'a sentence with a 0', pwd: \"a folder of 2 words\", { pass: 'ends well after 3 tries' }",
    '{ "name": "commit", "value": "a8f5f167f44f4964e6c998dee827110c" } { "name": "session", "value": "closed" }',
    '{"name": "sid", "path": "/x7Kd9QmZ2vB4nT8rWyL5"} 10.0.0.1:5432:1:2 a:5432: [client] connected, password: ok',
    '"Type": "String", "Value": "swordfish" SecureString is a type',
    "the password is base64-encoded, is at least 8 long, is required! Is the password ok? password is sha256-hashed",
    "['username', 'password', 'address1', 'address2'] type Grant = 'password' | 'oauth2-code' password (\"min 8 chars\")",
    "the value of password.value = 1 and { name: 'password', value: form.password1 } querySelector('#password')",
    "export CACHE_KEY=a8f5f167f44f4964e6c998dee827110c NEXT_PUBLIC_SITE_KEY=a8f5f167f44f4964e6c998dee827110c",
    "export const STORAGE_KEY = 'app.settings.v2'; { HEAD_KEY:tree.key12===a_12.ROOT_KEY1 } PRIMARY_KEY: id_1",
    "echo 'a1=payload' | sudo curl -sS -d @- x.org; echo 'deb x1' | sudo -E tee -a a.list",
    "echo hello | sudo tee a.txt; echo $PASSWORD | sudo -S ls; echo 'x1 y2' | docker run -i -S img; curl -su",
    "echo ${TOKEN} | gh auth login --with-token; echo $(pass show x) | docker login --password-stdin",
    "password: @types/node@20.1.2 password: '@scope/pkg' password=/srv/pass1/x password: '2024-01-05T10:11:12Z'",
    "PASSWORD=~/keys/db1.txt echo x1y2 | env LANG=C sort; secret set of 12; _authToken is read1 from .npmrc",
    `AAEE/EAAAoBUAACMUAACJEgAAixQAAE0VAADUEQAAzxQAABAYAADJFgAA3BYAAMERAADgFwAAuxQ ${"AAB/EAAAoBUAACMU".repeat(9)}`,
    "https://youtu.be/x#t=120 see http://x.org/video#t=00:01:20.500 lang=en; Cookie: lang=en; theme=dark",
    "cp -a user:group x; chown -R a:bcdef1 x; https -a; mongodump --out a1; margin-home-left -home-page-x",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= 550e8400-e29b-41d4-a716-446655440000",
  ])
    expect(findSecrets(text), text).toEqual([]);
});

const EVIL: Record<string, string> = {
  "a prefix again and again": "ghp_",
  "the beginning of a web token": "eyJ",
  "web tokens without an end": "eyJhbGciOiJI.eyJhbGciOiJI-",
  "keys that begin": "-----BEGIN RSA PRIVATE KEY-----\n",
  "keys that end": "-----END RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA1234567890abcdef",
  names: "password",
  "names and colons": 'password: "',
  "names and blanks": "token  ",
  addresses: "a@a.a",
  "letters before an at sign": "aaaaaaaaaa",
  "users of addresses": "://a:",
  "headers without an end": "Authorization: Bearer ",
  cookies: "Cookie: a=b;",
  backslashes: "\\\\\\\\",
  "escapes and colours": "\\u001b[\x1b]",
  "commands of terminals": "\x1b[0;",
  "settings with blanks": "KEY=    #",
  homes: "/home/a/Users/",
  "homes with blanks": "\\\\Users\\\\An Na Na",
  "keys that a diff removes": "-----BEGIN RSA PRIVATE KEY-----\n-12-+\n",
  "ends of keys that grep shows": "k.pem:1:-----END RSA PRIVATE KEY-----\n",
  "names of files before the ends of keys": "a:1:-----END RSA PRIVATE KEY-----\na-2-MIIEowIBAAKCAQEA1234",
  "Base64 in lines": `${"iVBORw0KGgoAAAAN".repeat(4)}\n`,
  "passwords with signs": "password=a,(b",
  "fields of cookies": '"name": "a", "path": "b", ',
  "settings of a database's client": "[client]\nuser\n",
  "tables with one column": "token\n-----\n",
  "names of columns": "token,password\n",
  "names of columns that do not end": "token,token\ttoken,",
  "columns below rulers": "key  value\n---  -----\ntoken  a\n",
  "passwords that end": "password=a;",
};

test.each(Object.entries(EVIL))(
  "a text of %s takes thirty times as long if it is thirty times as long",
  (_, piece) => {
    const growth = timeGrowth((size) => void findSecrets(piece.repeat(size / piece.length)), SMALL_TEXT);
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  },
);

test("a text, also one with colours, may hold more secrets than a call takes arguments", () => {
  const found = findSecrets(`\u001b[1m${"id-7 ".repeat(130_000)}`, [RE2JS.compile("id-\\d")]);
  expect(found.length).toBe(130_000);
});

function valuesIn(text: string): string[] {
  return findSecrets(text).map(({ value }) => value);
}
