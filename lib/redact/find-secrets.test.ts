import { expect, test } from "vitest";
import { PLANTED_KINDS, plantSecrets } from "@/lib/testing/secrets";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { findSecrets } from "./find-secrets";
import { RULES } from "./rules";

const PLANTED = plantSecrets(18, 6);

test("there are secrets of every kind to be found", () => {
  expect(PLANTED.length).toBeGreaterThan(600);
  expect([...PLANTED_KINDS].sort()).toEqual([...RULES.map(({ id }) => id), "private-key"].sort());
});

test("every secret is found in its text, under the name of its kind", () => {
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

test("a key is found where its end or its beginning was cut off, and what follows it stays", () => {
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

test("a token that a text was cut in is found", () => {
  expect(valuesIn("GITHUB=ghp_x7Kd9QmZ2vB4n")).toEqual(["ghp_x7Kd9QmZ2vB4n"]);
  expect(valuesIn("ghp_x7Kd9QmZ2vB4n\n\n... [120 characters truncated] ...")).toEqual(["ghp_x7Kd9QmZ2vB4n"]);
  expect(valuesIn("the prefix ghp_ and a function ghp_tokenOf(text)")).toEqual([]);
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
};

test.each(Object.entries(EVIL))(
  "a megabyte of %s takes as long as thirty times as much of 32 KB",
  (_, piece) => {
    const growth = timeGrowth((size) => void findSecrets(piece.repeat(size / piece.length)), 1 << 15);
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  },
);

function valuesIn(text: string): string[] {
  return findSecrets(text).map(({ value }) => value);
}
