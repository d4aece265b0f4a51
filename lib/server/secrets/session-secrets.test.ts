import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type Planted, plantSecrets } from "@/lib/testing/secrets";
import type { SessionId } from "@/lib/wire/ids";
import type { FindingsResponse } from "@/lib/wire/secrets";
import { scanSecrets } from "./scan-secrets";
import { SessionSecrets } from "./session-secrets";

const ID = uuid(1);
const [GITHUB, NPM] = ["github-token", "npm-token"].map(
  (kind) => plantSecrets(18, 1).find((planted) => planted.kind === kind) as Planted,
);

async function openTree(lines: readonly object[], agent: readonly object[] = []) {
  const root = makeTree({
    [`projects/-home-dev-shop/${ID}.jsonl`]: lines as Record<string, unknown>[],
    ...(agent.length > 0 && {
      [`projects/-home-dev-shop/${ID}/subagents/agent-a1.jsonl`]: agent as Record<string, unknown>[],
    }),
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const id = catalog.summaries()[0]?.id as SessionId;
  return { root, catalog, id };
}

const said = (text: string) => answer("x", { message: { id: "m", content: [{ type: "text", text }] } });

test("findings name their records, also of agents, and the same secret has one name", async () => {
  const { catalog, id } = await openTree(
    [
      prompt(`Log in with ${GITHUB?.text}`, { uuid: "u1" }),
      said(`I use ${GITHUB?.secret}, and write to carla.meyer@posteo.de`),
    ],
    [prompt(`As ${NPM?.text}`, { uuid: "u2", isSidechain: true, agentId: "a1" })],
  );
  const secrets = new SessionSecrets(catalog, scanSecrets);
  const { findings, counts, kinds } = (await secrets.findings(id)) as FindingsResponse;
  expect(
    findings.map(({ name, recordId, block, field, line }) => [name, recordId, block, field, line]),
  ).toEqual([
    ["github-token 1", "m~0", null, "message.content", 1],
    ["github-token 1", expect.stringMatching(/^m~/), 0, "message.content[0].text", 1],
    ["email 1", expect.stringMatching(/^m~/), 0, "message.content[0].text", 1],
    ["npm-token 1", expect.stringMatching(/^[0-9a-f]{8}~0$/), null, "message.content", 1],
  ]);
  expect(counts).toEqual({ "github-token": 2, email: 1, "npm-token": 1 });
  expect(kinds.map(({ title, personal, count, distinct }) => [title, personal, count, distinct])).toEqual([
    ["GitHub token", false, 2, 1],
    ["npm token", false, 1, 1],
    ["e-mail address", true, 1, 1],
  ]);
});

test("an answer contains no secret of the session", async () => {
  const planted = plantSecrets(3, 1);
  const { catalog, id } = await openTree(planted.map(({ text }) => prompt(text)));
  const answered = JSON.stringify(await new SessionSecrets(catalog, scanSecrets).findings(id));
  expect(
    planted.filter(({ secret }) => answered.includes(secret.slice(0, 9)) && !/[-_]/.test(secret.slice(0, 9))),
  ).toEqual([]);
});

test("a session is read again when it has grown, and once for simultaneous requests", async () => {
  const { catalog, id, root } = await openTree([prompt(GITHUB?.text ?? "")]);
  let scans = 0;
  const secrets = new SessionSecrets(catalog, (...request) => {
    scans += 1;
    return scanSecrets(...request);
  });
  await Promise.all([secrets.findings(id), secrets.findings(id), secrets.redaction(id)]);
  expect(scans).toBe(1);
  const log = join(root, `projects/-home-dev-shop/${ID}.jsonl`);
  writeFileSync(log, `${readFileSync(log, "utf8")}${JSON.stringify(prompt(NPM?.text ?? ""))}\n`);
  expect((await secrets.redaction(id)).redactText(`${NPM?.secret}`)).toBe("[npm-token 1]");
  expect(scans).toBe(2);
});

test("a secret keeps its name when others are found before it, so exceptions stay valid", async () => {
  const { catalog, id, root } = await openTree(
    [prompt("Ask carla.meyer@posteo.de", { uuid: "u1" })],
    [prompt("Ask bo@heronmail.org", { uuid: "u2", isSidechain: true, agentId: "a1" })],
  );
  const secrets = new SessionSecrets(catalog, scanSecrets, root);
  await secrets.findings(id);
  const log = join(root, `projects/-home-dev-shop/${ID}.jsonl`);
  writeFileSync(log, `${readFileSync(log, "utf8")}${JSON.stringify(prompt("Ask eve@heronmail.org"))}\n`);
  const { findings } = (await secrets.findings(id)) as FindingsResponse;
  expect(findings.map(({ name }) => name)).toEqual(["email 1", "email 3", "email 2"]);
  expect((await secrets.redaction(id, ["email 2"])).redactText("bo@heronmail.org eve@heronmail.org")).toBe(
    "bo@heronmail.org [email 3]",
  );
  // Of other patterns nothing is taken over: what they named is no secret any more.
  writeFileSync(join(root, "redact.txt"), "carla\n");
  expect((await secrets.redaction(id)).redactText("carla")).toBe("[own 1]");
  writeFileSync(join(root, "redact.txt"), "");
  expect((await secrets.redaction(id)).redactText("carla")).toBe("carla");
});

test("the user's own patterns are redacted too; an invalid one is an error that names its line", async () => {
  const { catalog, id, root } = await openTree([prompt("Ticket ACME-4711 of project Bluebird")]);
  writeFileSync(join(root, "redact.txt"), "# customers\nACME-\\d+\n(?i)bluebird\n");
  const secrets = new SessionSecrets(catalog, scanSecrets, root);
  expect((await secrets.redaction(id)).redactText("ACME-4711 for Bluebird")).toBe("[own 1] for [own 2]");
  expect((await secrets.redaction(id, ["own 2"])).redactText("ACME-4711 for Bluebird")).toBe(
    "[own 1] for Bluebird",
  );
  writeFileSync(join(root, "redact.txt"), "ok\n(unclosed\n");
  await expect(secrets.redaction(id)).rejects.toMatchObject({
    code: "bad-pattern",
    path: expect.stringMatching(/:2$/),
  });
});

test("a pattern that can match nothing terminates, and a file that is no UTF-8 text or cannot be read is an error", async () => {
  const { catalog, id, root } = await openTree([prompt("Ticket ACME-4711")]);
  const path = join(root, "redact.txt");
  const secrets = new SessionSecrets(catalog, scanSecrets, root);
  writeFileSync(path, "(ACME-\\d+)?\n");
  expect((await secrets.redaction(id)).redactText("on ACME-4711 now")).toBe("on [own 1] now");
  // As PowerShell's > writes it.
  writeFileSync(path, "\ufeffACME-\\d+\r\n", "utf16le");
  await expect(secrets.redaction(id)).rejects.toMatchObject({ code: "bad-pattern", path });
  rmSync(path);
  mkdirSync(path);
  await expect(secrets.redaction(id)).rejects.toMatchObject({ code: "bad-pattern", path });
});
