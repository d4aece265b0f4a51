import { expect, onTestFinished, test, vi } from "vitest";
import { findSecrets } from "./find-secrets";
import { RULES } from "./rules";

const PASSWORD = "S3cret!pw9";
const KEY = "x7Kd9QmZ2vB4nT8rWyL5";
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  ["a Dockerfile", `ENV DB_PASSWORD ${PASSWORD}`],
  ["fish", `set -gx DB_PASSWORD ${PASSWORD}`],
  ["csh", `setenv MYSQL_PASSWORD '${PASSWORD}'`],
  ["Windows", `setx /M DB_PASSWORD ${PASSWORD}`],
  ["a block of YAML", `password: |\n  ${PASSWORD}\nuser: app`],
  ["a folded block of YAML", `  "password": >-\n      ${PASSWORD}\n`],
  ["an anchor of YAML", `POSTGRES_PASSWORD: &pw ${PASSWORD}\nOTHER: *pw`],
  ["a tag of YAML", `password: !!str ${PASSWORD}`],
  ["a text of several lines in TOML", `password = """${PASSWORD}"""`],
  ["a raw string", `password=r'${PASSWORD}'`],
  ["bytes", `password = b"${PASSWORD}"`],
  ["a string of C#", `Password = @"${PASSWORD}"`],
  ["a default in source", `password: process.env.DB_PASSWORD ?? '${PASSWORD}',`],
  ["a default for another name", `const password = process.env.DB_PW || "${PASSWORD}";`],
  ["a default in Python", `password = os.environ.get("DB_PW") or "${PASSWORD}"`],
  ["a property list", `<key>DB_PASSWORD</key>\n\t<string>${PASSWORD}</string>`],
  ["a variable of Terraform", `variable "db_password" {\n  type    = string\n  default = "${PASSWORD}"\n}`],
  ["a proxy of curl", `curl --proxy-user anna:${PASSWORD} -x proxy https://a`],
  ["a proxy of curl, short", `curl -U anna:${PASSWORD} -x proxy https://a`],
  ["settings with blanks", `pass = "${PASSWORD}"`],
  ["settings with blanks, of one program", `smtp_pwd = '${PASSWORD}'`],
  ["source", `const options = { dbPass: '${PASSWORD}' };`],
  ["source, of a user", `cfg.userPwd = "${PASSWORD}"`],
  ["properties as XML", `<entry key="db.password">${PASSWORD}</entry>`],
  ["settings of .NET", `<setting name="Password" serializeAs="String">\n  <value>${PASSWORD}</value>`],
  ["a share of Windows", `net use z: \\\\srv\\share /user:anna ${PASSWORD}`],
  [".netrc with an account", `machine a login anna account x password ${PASSWORD}`],
])("a password is found in %s", (_, text) => {
  expect(valuesIn(text)).toEqual([PASSWORD]);
});

test.each([
  [".netrc", "machine a.test login anna password sunflowers", "sunflowers"],
  ["the environment of psql", "PGPASSWORD=sunflowers psql -h db", "sunflowers"],
  ["the environment of mysql", "MYSQL_PWD='sun flowers' mysql", "sun flowers"],
  [".npmrc", "_auth = dTpTM2NyZXQhcHc5", "dTpTM2NyZXQhcHc5"],
  ["a default for a key", `const secret = process.env.JWT_SECRET || "${KEY}";`, KEY],
])("where nothing but a secret may stand one is found: %s", (_, text, value) => {
  expect(valuesIn(text)).toEqual([value]);
});

test("what only speaks of passwords is none", () => {
  for (const text of [
    'PGPASSWORD=$DB_PASSWORD psql, PGPASSWORD="$(cat pw)" psql, PGPASSWORD=<password> psql',
    "const password = form.password || defaults2.password;",
    "DB_PASSWORD=\nDB_HOST=localhost1\nAPI_TOKEN=\nSERVER_NAME=shop12server\npasswd= password=",
    "if (password || 'x1')",
    "password: |\n  at least 8 characters",
    "set -x; echo PASSWORD reset2",
    'variable "db_password" {\n  type = string\n  sensitive = true\n}\nvariable "region" {\n  default = "eu-west-1a"\n}',
    "login with password sunflowers",
    'firstPass: "shader-2.glsl", renderPass = "depth32", bypass = "x-1-y"',
    "if (pass === 'first1') pass == \"second2\"",
    '<input name="password" type="text2"><b>Password</b> <a title="password">reset2day</a>',
    "<key>PasswordPolicy</key><string>none</string>",
  ])
    expect(findSecrets(text), text).toEqual([]);
});

test.each(["Pwd==", "piKey=", "OKEN=", "_PW=", "=password:"])(
  "in a run of %j each character is looked at a bounded number of times",
  (piece) => {
    const text = piece.repeat(20_000 / piece.length);
    let checked = 0;
    for (const rule of RULES) {
      const { check } = rule;
      const spy = vi.spyOn(rule, "check").mockImplementation((value) => {
        checked += value.length;
        return check(value);
      });
      onTestFinished(() => spy.mockRestore());
    }
    findSecrets(text);
    expect(checked / text.length).toBeLessThan(500);
  },
);
