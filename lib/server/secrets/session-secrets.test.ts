import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { DiskFile } from "@/lib/server/disk/open-file";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { runs, seededRandom } from "@/lib/testing/runs";
import { type Planted, plantSecrets } from "@/lib/testing/secrets";
import type { SessionId } from "@/lib/wire/ids";
import type { FindingsResponse } from "@/lib/wire/secrets";
import { type ScannedSecrets, scanSecrets } from "./scan-secrets";
import { type ScanSecrets, SessionSecrets } from "./session-secrets";

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

test("of a session that has grown only what was appended is read, and it says the same as if all had been", async () => {
  // Of the first 4 MiB what was read before is compared.
  const many = Array.from({ length: 1_100 }, (_, at) =>
    said(`${at} ${"lorem ipsum ".repeat(400)} ${at % 50 === 0 ? GITHUB?.text : ""}`),
  );
  const { catalog, id, root } = await openTree(many, [
    prompt(`As ${NPM?.text}`, { isSidechain: true, agentId: "a1" }),
  ]);
  const { scan, read } = countedScan();
  const secrets = new SessionSecrets(catalog, scan);
  await secrets.findings(id);
  appendFileSync(join(root, `projects/-home-dev-shop/${ID}.jsonl`), toText([prompt(NPM?.text ?? "")]));
  const grown = await secrets.findings(id);
  const { done, bytesDone, bytesTotal } = await secrets.run(id);
  const { bytes } = await done;
  expect([bytesDone, bytesTotal]).toEqual([bytes, bytes]);
  expect(read).toHaveLength(2);
  expect(read[0]).toBeGreaterThan(5_200_000);
  expect(read[1]).toBeGreaterThan(4 << 20);
  expect(read[1]).toBeLessThan((4 << 20) + 10_000);
  expect(grown).toEqual(await new SessionSecrets(catalog, scanSecrets).findings(id));
});

test("a log that was written anew is read from its beginning", async () => {
  const { catalog, id, root } = await openTree([prompt(GITHUB?.text ?? ""), said("Done")]);
  const secrets = new SessionSecrets(catalog, scanSecrets);
  await secrets.findings(id);
  writeFileSync(
    join(root, `projects/-home-dev-shop/${ID}.jsonl`),
    toText([prompt(`Log in as ${NPM?.text}`), said("Done"), said("Gone on with")]),
  );
  const { counts } = (await secrets.findings(id)) as FindingsResponse;
  expect(Object.keys(counts)).toEqual(["npm-token"]);
});

test.each([
  ["and is no longer than before", "", "lorem ipsum ".repeat(1_000)],
  ["and is no longer than before, beyond the first 4 MiB", "", "lorem ipsum ".repeat(450_000)],
  ["together with lines that are appended", "Gone on with", "lorem ipsum ".repeat(1_000)],
])("a secret that is written over other text of a log is found, %s", async (_, appended, before) => {
  const secret = GITHUB?.secret ?? "";
  const held = "x".repeat(secret.length);
  const after = "dolor sit amet ".repeat(200);
  const { catalog, id, root } = await openTree([
    said("Hello"),
    said(before),
    said(`Use ${held}`),
    said(after),
  ]);
  const secrets = new SessionSecrets(catalog, scanSecrets);
  expect((await secrets.findings(id)) as FindingsResponse).toMatchObject({ counts: {} });
  const log = join(root, `projects/-home-dev-shop/${ID}.jsonl`);
  const bytes = readFileSync(log);
  const file = openSync(log, "r+");
  writeSync(file, secret, bytes.indexOf(held));
  closeSync(file);
  if (appended) appendFileSync(log, toText([said(appended)]));
  // Two writes within one tick of a file system's clock are one to who looks at its times.
  utimesSync(log, new Date(), new Date(Date.now() + 5_000));
  const { counts } = (await secrets.findings(id)) as FindingsResponse;
  expect(counts).toEqual({ "github-token": 1 });
});

test("however a session grows, between bytes and beside its agents, the same is found as in one reading", async () => {
  const random = seededRandom(11);
  const planted = plantSecrets(7, 1);
  const [half, rest] = [planted[0]?.secret.slice(0, 20), planted[0]?.secret.slice(20)];
  for (let round = 0; round < runs(6, 200); round++) {
    const { catalog, id, root } = await openTree([prompt("Hello")], [prompt("You too", { agentId: "a1" })]);
    const secrets = new SessionSecrets(catalog, scanSecrets);
    const logs = [`${ID}.jsonl`, `${ID}/subagents/agent-a1.jsonl`].map((name) =>
      join(root, "projects/-home-dev-shop", name),
    );
    const left = logs.map(() => {
      const lines = Array.from({ length: 12 }, () =>
        said(`${planted[random(planted.length)]?.text}, ask eve${random(3)}@heronmail.org`),
      );
      lines.splice(random(12), 0, said(`The token is ${half}`), said(`${rest} and no more`));
      return Buffer.from(toText(lines));
    });
    while (left.some(({ length }) => length > 0)) {
      for (const [at, log] of logs.entries()) {
        const bytes = left[at] ?? Buffer.alloc(0);
        const length = random(2) === 0 ? 0 : Math.min(bytes.length, 1 + random(1_500));
        appendFileSync(log, bytes.subarray(0, length));
        left[at] = bytes.subarray(length);
      }
      await secrets.findings(id);
    }
    const [grown, whole] = await Promise.all(
      [secrets, new SessionSecrets(catalog, scanSecrets)].map(async (one) => (await one.run(id)).done),
    );
    expect(placesOf(grown)).toEqual(placesOf(whole));
    expect([grown?.counts, grown?.distinct, grown?.bytes]).toEqual([
      whole?.counts,
      whole?.distinct,
      whole?.bytes,
    ]);
    expect(grown?.learned.secrets.map(([value]) => value)).toEqual(
      expect.arrayContaining(whole?.learned.secrets.map(([value]) => value) ?? []),
    );
  }
});

/** Findings without their names, which say in what order they were found. */
function placesOf(scanned: ScannedSecrets | undefined): unknown[] {
  return (scanned?.findings ?? []).map(({ rule, file, offset, field, line, preview }) => [
    ...[rule, file, offset, field, line, preview],
  ]);
}

/** A scan that notes how many bytes of files each run of it read. */
function countedScan(): { scan: ScanSecrets; read: number[] } {
  let bytes = 0;
  const { read } = DiskFile.prototype;
  const spy = vi.spyOn(DiskFile.prototype, "read").mockImplementation(function (this: DiskFile, ...asked) {
    const got = read.apply(this, asked);
    bytes += got;
    return got;
  });
  onTestFinished(() => spy.mockRestore());
  const runs: number[] = [];
  const scan: ScanSecrets = (...request) => {
    const before = bytes;
    const found = scanSecrets(...request);
    runs.push(bytes - before);
    return found;
  };
  return { scan, read: runs };
}
