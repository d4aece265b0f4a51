import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { plantSecrets } from "@/lib/testing/secrets";
import type { SessionId } from "@/lib/wire/ids";
import { formatSecrets, toSarif } from "./format-secrets";
import { SecretsDoctor } from "./secrets-report";

const PLANTED = plantSecrets(5, 1);
const [GITHUB = "", NPM = ""] = ["github-token", "npm-token"].map(
  (kind) => PLANTED.find((planted) => planted.kind === kind)?.secret ?? "",
);

async function doctorOfThree(beforeScan: (scans: number) => unknown = () => undefined) {
  const root = makeTree({
    [`projects/-home-dev-a/${uuid(1)}.jsonl`]: [
      prompt(`Log in with ${GITHUB}`, { uuid: "u1" }),
      prompt(`Again ${GITHUB}, or ${NPM}; I am carla.meyer@posteo.de`, { uuid: "u2" }),
    ],
    [`projects/-home-dev-b/${uuid(2)}.jsonl`]: [prompt(`Log in with ${NPM}`, { uuid: "u3" })],
    [`projects/-home-dev-b/${uuid(3)}.jsonl`]: [prompt("Hello"), answer("Hello")],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  let scans = 0;
  const secrets = new SessionSecrets(catalog, async (...request) => {
    scans += 1;
    await beforeScan(scans);
    return scanSecrets(...request);
  });
  return { catalog, doctor: new SecretsDoctor(catalog, secrets), scans: () => scans };
}

test("secrets are listed by kind and session, with where, and shown nowhere", async () => {
  const { doctor, scans } = await doctorOfThree();
  const text = formatSecrets(await doctor.whole(null));
  expect(text.split("\n").map((line) => line.replace(/bytes \d+–\d+/, "bytes …"))).toEqual([
    expect.stringMatching(/^read: /),
    "found: 4 secrets, 3 different, in 2 sessions",
    "",
    "warning: GitHub token: 2 in 1 file [github-token]",
    `  ${uuid(1)}.jsonl:1, bytes …: github-token 1: ${GITHUB.slice(0, 4)}… (40 characters), in message.content, line 1`,
    `  ${uuid(1)}.jsonl:2, bytes …: github-token 1: ${GITHUB.slice(0, 4)}… (40 characters), in message.content, line 1`,
    "",
    "warning: npm token: 2 in 2 files [npm-token]",
    `  ${uuid(1)}.jsonl:2, bytes …: npm-token 1: npm_… (40 characters), in message.content, line 1`,
    `  ${uuid(2)}.jsonl:1, bytes …: npm-token 1: npm_… (40 characters), in message.content, line 1`,
    "",
    "info: e-mail address: 1 in 1 file [email]",
    `  ${uuid(1)}.jsonl:2, bytes …: email 1: car… (21 characters), in message.content, line 1`,
    "",
    "sessions with secrets",
    `  ${uuid(1)} “Log in with [github-token 1]”: 3 (github-token 2, npm-token 1)`,
    `  ${uuid(2)} “Log in with [npm-token 1]”: 1 (npm-token 1)`,
    "",
  ]);
  await doctor.whole(null);
  expect(scans()).toBe(3);
});

test("SARIF has a rule for every kind and a result for every place", async () => {
  const { doctor } = await doctorOfThree();
  const sarif = toSarif(await doctor.whole(null), "1.2.3");
  const [run] = sarif.runs;
  expect(sarif.version).toBe("2.1.0");
  expect(
    run?.tool.driver.rules.map(({ id, defaultConfiguration }) => [id, defaultConfiguration.level]),
  ).toEqual([
    ["github-token", "warning"],
    ["npm-token", "warning"],
    ["email", "note"],
  ]);
  expect(
    run?.results.map(({ ruleId, ruleIndex, locations: [at] }) => [
      ruleId,
      ruleIndex,
      at?.physicalLocation.region.startLine,
    ]),
  ).toEqual([
    ["github-token", 0, 1],
    ["github-token", 0, 2],
    ["npm-token", 1, 2],
    ["npm-token", 1, 1],
    ["email", 2, 2],
  ]);
  expect(run?.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
  const written = JSON.stringify(sarif);
  for (const secret of [GITHUB, NPM, "carla.meyer"]) expect(written).not.toContain(secret);
});

test("SARIF lists what it leaves out, and what was not read", async () => {
  const { doctor } = await doctorOfThree();
  const report = await doctor.whole(null);
  const kinds = report.kinds.map((kind) => ({
    ...kind,
    count: kind.count + 4_000,
    places: kind.places.slice(0, 1),
  }));
  const unread = [{ file: "-home-dev-shop/a.jsonl", message: "Access denied" }];
  const [invocation] = toSarif({ ...report, kinds, unread }, "1.2.3").runs[0]?.invocations ?? [];
  expect(invocation?.executionSuccessful).toBe(false);
  expect(
    invocation?.toolExecutionNotifications.map(({ level, message }) => `${level}: ${message.text}`),
  ).toEqual([
    "error: -home-dev-shop/a.jsonl was not read: Access denied",
    expect.stringMatching(/^note: .*: 1 of 4,002 places are listed\.$/),
    expect.stringMatching(/^note: .*: 1 of 4,002 places are listed\.$/),
  ]);
});

test("a session that is deleted while the others are read is left out, and the rest is reported", async () => {
  const { catalog, doctor } = await doctorOfThree(async (scans) => {
    if (scans > 1) return;
    rmSync(last.main.path);
    await catalog.list();
  });
  // They are read in the order in which they are listed.
  const last = catalog.sessionFiles(catalog.summaries()[2]?.id as SessionId);
  const { sessions } = await doctor.whole(null);
  const rest = [uuid(1), uuid(2)].filter((id) => id !== last.id);
  expect(sessions.map(({ id }) => id).sort()).toEqual(rest);
});

test("one session is reported by itself", async () => {
  const { doctor } = await doctorOfThree();
  const { session, kinds, sessions } = await doctor.whole(uuid(2) as never);
  expect(session?.title).toBe("Log in with [npm-token 1]");
  expect(kinds.map(({ rule, count, files }) => [rule, count, files])).toEqual([["npm-token", 1, 1]]);
  expect(sessions.map(({ count }) => count)).toEqual([1]);
});
