import { expect, test } from "vitest";
import { Redaction } from "./redaction";

test.each([
  ["pass", "Str0ng!1"],
  ["pwd", "Str0ng!1"],
  ["password", 'ab"cd12efg'],
  ["userPassword", "p4ss@shop.de!"],
])("the password in a call's field %s is replaced", (key, value) => {
  const line = answer([{ type: "tool_use", id: "toolu_1", name: "mcp__db__login", input: { [key]: value } }]);
  const { input } = JSON.parse(learned([line]).redactLine(line)).message.content[0];
  expect(input[key]).toBe("[password 1]");
});

test("a value is recognized by the name beside it", () => {
  const env = [
    { name: "DB_PASSWORD", value: "Str0ng!1" },
    { key: "dbPass", value: "Str0ng!2" },
    { name: "MODE", value: "Str0ng!3" },
    { name: "token", items: [{ value: "Str0ng!4" }] },
  ];
  const line = answer([{ type: "tool_use", id: "toolu_1", name: "mcp__cluster__set", input: { env } }]);
  const { input } = JSON.parse(learned([line]).redactLine(line)).message.content[0];
  expect(input.env).toEqual([
    { name: "DB_PASSWORD", value: "[password 1]" },
    { key: "dbPass", value: "[password 2]" },
    ...env.slice(2),
  ]);
});

test("cookies and headers in a result are recognized by their names", () => {
  const secret = "x7Kd9QmZ2vB4nT8rWyL5";
  const pairs = [
    { name: "session", value: secret },
    { name: "Cookie", value: `sid=${secret}` },
    { name: "connect.sid", value: secret, path: "/" },
    { name: "commit", value: "4bTq7nWyL2x9" },
  ];
  const line = JSON.stringify({ type: "user", toolUseResult: { pairs, session: "9cRz3mKvP8s1" } });
  const { toolUseResult } = JSON.parse(learned([line]).redactLine(line));
  const values = toolUseResult.pairs.map(({ value }: { value: string }) => value);
  expect(values.slice(0, 3).join()).not.toContain(secret);
  expect([values[3], toolUseResult.session]).toEqual(["4bTq7nWyL2x9", "9cRz3mKvP8s1"]);
});

test.each([
  ["--password", "Str0ng!1"],
  ["--token", "a8f5f167f44f4964e6c998dee827110c"],
  ["--api-key", "a8f5f167f44f4964e6c998dee827110c"],
])("an argument is recognized by the option %s before it", (option, value) => {
  const args = ["--user", "Str0ng!2", option, value, "Str0ng!3", "--verbose"];
  const line = answer([
    { type: "tool_use", id: "toolu_1", name: "mcp__shell__run", input: { args, next: [value[0]] } },
  ]);
  const { input } = JSON.parse(learned([line]).redactLine(line)).message.content[0];
  expect(input.args[3]).toMatch(/^\[(?:password|assigned-secret) 1\]$/);
  expect(input.args.toSpliced(3, 1)).toEqual(args.toSpliced(3, 1));
});

test.each(["X-API-Key", "X-Auth-Key", "Ocp-Apim-Subscription-Key", "DD_APP_KEY", "AZURE_DEVOPS_EXT_PAT"])(
  "the value of a call's field %s is replaced",
  (name) => {
    const headers = { [name]: "a8f5f167f44f4964e6c998dee827110c" };
    const line = answer([{ type: "tool_use", id: "toolu_1", name: "mcp__http__get", input: { headers } }]);
    const { input } = JSON.parse(learned([line]).redactLine(line)).message.content[0];
    expect(input.headers[name]).toBe("[assigned-secret 1]");
  },
);

test("a password word in a command is replaced there, and stays a word elsewhere", () => {
  const lines = ["echo production | vercel env add NODE_ENV production", "the production build"].map(
    (command) => answer([{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command } }]),
  );
  const redacted = lines.map(
    (line) => JSON.parse(learned(lines).redactLine(line)).message.content[0].input.command,
  );
  expect(redacted).toEqual([
    "echo [option-secret 1] | vercel env add NODE_ENV production",
    "the production build",
  ]);
});

function learned(lines: readonly string[]): Redaction {
  const redaction = new Redaction();
  for (const line of lines) redaction.learn(line, () => undefined);
  return redaction;
}

function answer(content: readonly object[]): string {
  return JSON.stringify({ type: "assistant", message: { id: "msg_1", role: "assistant", content } });
}
