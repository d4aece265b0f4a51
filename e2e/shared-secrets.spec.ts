import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { runs, sampleOf } from "@/lib/testing/runs";
import { leaked, readable, SECRET_SESSION, secretTree } from "@/lib/testing/secret-session";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import type { CreatedShare } from "@/lib/wire/shares";
import { ALONE, ask, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

type Line = Record<string, unknown> | string;
const toText = (lines: readonly Line[]) =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

const NAMES = ["marlowe", "zebra-42-lamp"];

let server: TestServer;
let folder: string;
let token = "";

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-shared-"));
  for (const [path, lines] of Object.entries(secretTree())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), toText(lines));
  }
  server = await startServer({ claudeDirs: [folder] });
  const body = { sessionId: SECRET_SESSION };
  ({ token } = await ask<CreatedShare>(server, "shares", { method: "POST", body }));
});

test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a guest is answered, or the owner; asked again while the session is read. */
async function answerTo(path: string, by = token): Promise<string> {
  for (;;) {
    const headers = { ...ALONE, authorization: `Bearer ${by}` };
    const answer = await fetch(`${server.url}/api${path}`, { headers });
    const text = await answer.text();
    if (answer.status !== 202) return `${answer.status} ${text}`;
    await new Promise((again) => setTimeout(again, 50));
  }
}

const session = (rest = "") => `/sessions/${SECRET_SESSION}${rest}`;

/** Addresses of the session: lists, rows, and records and calls as they are and raw. */
async function addresses(): Promise<string[]> {
  const pages: string[] = [];
  const all: Row[] = [];
  for (let total = 1; all.length < total; ) {
    pages.push(session(`/rows?detail=everything&count=200&from=${all.length}`));
    const page = JSON.parse((await answerTo(pages.at(-1) ?? "")).slice(4)) as RowsResponse;
    all.push(...page.rows);
    total = page.total;
  }
  const records = [...new Set(all.map(({ recordId }) => recordId))];
  const calls = all.filter(({ kind }) => kind === "tool");
  const [last = ""] = records.slice(-1);
  return [
    session(),
    ...["/agents", "/branches", "/errors", "/extras", "/files", "/graph", "/outline", "/related"].map(
      session,
    ),
    session(`/messages?at=${last}`),
    ...pages,
    ...[0, 200, 400].map((from) => session(`/rows?detail=everything&count=200&agent=a1&from=${from}`)),
    session("/graph?rows=1&q=token"),
    session("/turns/1/brief"),
    "/health",
    ...["token", "key", "take", "/[a-z0-9]{20}/", "in:output AKIA", "curl", "agent"].map(
      (q) => `/search?session=${SECRET_SESSION}&limit=200&q=${encodeURIComponent(q)}`,
    ),
    ...EXPORT_FORMAT_IDS.map((format) => session(`/export?format=${format}`)),
    // Every text is in rows and exports; alone and raw, in `npm test` some of them.
    ...sampleOf(records, 13).flatMap((id) => [session(`/records/${id}`), session(`/records/${id}?raw=1`)]),
    ...sampleOf(calls, 13).map(({ recordId }) => session(`/calls/${recordId}?block=0`)),
  ];
}

test("no answer to a guest holds a secret", async () => {
  // They are there to be found.
  expect(
    leaked(readable(await answerTo(session("/export?format=log"), server.token))).length,
  ).toBeGreaterThan(400);
  const seen: string[] = [];
  const refused: string[] = [];
  for (const address of await addresses()) {
    const text = await answerTo(address);
    if (!text.startsWith("200")) refused.push(`${address}: ${text.slice(0, 3)}`);
    seen.push(text);
  }
  expect(refused).toEqual([]);
  expect(seen.length).toBeGreaterThan(runs(170, 1_000));
  const all = readable(seen.join("\n"));
  expect(leaked(all)).toEqual([]);
  for (const name of NAMES) expect(all).not.toContain(name);
  expect(all).toContain("Anyone may know this sentence.");
  for (const words of ["Anyone may know this line.", "Agent has"]) expect(all).toContain(words);
});

test("nor does an error, and search finds none", async () => {
  const planted = leaked(readable(await answerTo(session("/export?format=log"), server.token)));
  for (const one of planted.slice(0, 40)) {
    const secret = one.slice(one.indexOf(": ") + 2);
    const found = await answerTo(`/search?session=${SECRET_SESSION}&q=${encodeURIComponent(`"${secret}"`)}`);
    expect(JSON.parse(found.slice(4)).hits).toEqual([]);
  }
  const wrong = [
    "/records/m~zz",
    "/calls/m~zz?block=0",
    "/messages?at=m~zz",
    "/extras/0123456789ab",
    "/rows?detail=no",
  ];
  for (const address of wrong) {
    const said = await answerTo(session(address));
    expect(said).toMatch(/^4\d\d \{"error"/);
    for (const name of [...NAMES, folder, "backscroll-shares"]) expect(said).not.toContain(name);
  }
});

test("what is written while a guest follows arrives without its secrets", async () => {
  const answer = await fetch(`${server.url}/api/events?session=${SECRET_SESSION}&detail=everything`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  const until = async (words: string) => {
    while (!seen.includes(words)) seen += (await reader?.read())?.value ?? "";
  };
  await until("event: hello");
  const log = join(folder, `projects/-home-marlowe-shop/${SECRET_SESSION}.jsonl`);
  const secret = `ghp_${"aB3dE5fG7hI9".repeat(3)}`;
  const content = `Now take ${secret} from /home/marlowe/new, and that is all`;
  const line = { type: "user", uuid: "u-new", parentUuid: null, sessionId: SECRET_SESSION };
  appendFileSync(log, toText([{ ...line, message: { role: "user", content } }]));
  await until("and that is all");
  await reader?.cancel();
  expect(seen).not.toContain(secret);
  expect(seen).not.toContain("marlowe");
  expect(seen).toMatch(/Now take \[github-token \d+\] from/);
});
