import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, SMALL_TEXT, timeGrowth } from "@/lib/testing/time-growth";
import { findSecrets } from "./find-secrets";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const [WORD, PIN] = [base64("swordfish"), base64("4711")];
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

const YAML = `apiVersion: v1
data:
  pin: ${PIN}
  word: "${WORD}"
  user: ${base64("admin")}
kind: Secret
metadata:
  name: shop
  labels:
    app: c2hvcA==
type: Opaque`;

test.each([
  ["a manifest", YAML, [PIN, WORD]],
  ["one that a tool shows with the numbers of its lines", numbered(YAML), [PIN, WORD]],
  ["one that a diff adds", YAML.replaceAll(/^/gm, "+"), [PIN, WORD]],
  ["one with the line ends of Windows", YAML.replaceAll("\n", "\r\n"), [PIN, WORD]],
  [
    "its text, behind its kind",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\nstringData:\n  pin: swordfish # as always\n  url: 'db-main'\n---\nkind: ConfigMap\ndata:\n  mode: swordfish",
    ["swordfish", "db-main"],
  ],
  [
    "several in a list",
    `items:\n${YAML.replaceAll(/^/gm, "  ").replace(" ", "-")}\n- apiVersion: v1\n  kind: ConfigMap\n  data:\n    word: ${WORD}\nkind: List`,
    [PIN, WORD],
  ],
  [
    "JSON",
    JSON.stringify({ apiVersion: "v1", data: { pin: PIN, word: WORD }, kind: "Secret" }, null, 4),
    [PIN, WORD],
  ],
  [
    "JSON in one line",
    JSON.stringify({ apiVersion: "v1", data: { pin: PIN, word: WORD }, kind: "Secret", metadata: {} }),
    [PIN, WORD],
  ],
])("what a cluster keeps as a secret is found in %s", (_, text, values) => {
  expect(valuesIn(text)).toEqual(values);
});

test("other manifests, and templates of secrets, contain no secrets", () => {
  for (const text of [
    YAML.replace("Secret", "ConfigMap"),
    "kind: Secret\ndata:\n  password: {{ .Values.password | b64enc }}\n  a: <base64>\n  b: ${PASSWORD}\n",
    "kind: SecretStore\ndata:\n  word: c3dvcmRmaXNo\n",
    "data:\n  word: c3dvcmRmaXNo\nother: 1\n\nA kind: Secret is one of them.",
    JSON.stringify({ apiVersion: "v1", data: { word: WORD }, kind: "ConfigMap" }),
  ])
    expect(findSecrets(text), text).toEqual([]);
});

test.each([
  '},"kind":"Secret"',
  "kind: Secret\ndata:\n a: c3dv\n",
  "data:\n",
  `data: ${" ".repeat(200)}x\nSecret `,
])("256 KB of %j take as long as thirty times as much of 8 KB", (piece) => {
  const growth = timeGrowth((size) => void findSecrets(piece.repeat(size / piece.length)), SMALL_TEXT);
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});

function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
    .join("\n");
}
