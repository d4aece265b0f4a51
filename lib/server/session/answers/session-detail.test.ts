import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { scanSecrets } from "@/lib/server/secrets/scan-secrets";
import { SessionSecrets } from "@/lib/server/secrets/session-secrets";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { createSessions, type SessionQueries } from "../sessions";

/** Scenario (`--fork-session`, `/branch`, "Clear context") → what each of its sessions is to the other. */
const RELATIONS: [RecordedVersion, string, string[]][] = [
  // Whatever goes on in print mode is a new file with new uuids. All five begin with two records of the first, and the
  // two that were resumed one after the other share a second turn.
  [
    "1.0.60",
    "resume",
    [...Array<string>(18).fill("shares-history 2"), ...Array<string>(2).fill("shares-history 4")],
  ],
  ["1.0.60", "compacted", Array<string>(6).fill("shares-history 14")],
  // In the terminal the uuids stay, and a person's lines keep the old session's id.
  ["1.0.60", "tui-queue", ["fork 7", "forked-from 7"]],
  ["1.0.128", "resume", ["shares-history 6", "shares-history 6"]],
  ["2.0.42", "resume", ["fork 6", "forked-from 6"]],
  ["2.0.76", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.29", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.42", "resume", ["fork 4", "forked-from 4"]],
  ["2.1.330", "resume", ["shares-history 16", "shares-history 16"]],
  ["2.1.29", "tui-plan", ["continued-in 0", "continues 0"]],
  ["2.1.42", "tui-plan", ["continued-in 0", "continues 0"]],
  // After "summarize from here" the copy writes what was kept once more: it holds 15 uuids twice.
  ["2.1.330", "tui-extra", ["fork 41", "forked-from 56"]],
];

test.each(RELATIONS)("%s, %s: the sessions link to each other", async (version, project, expected) => {
  const { catalog, sessions } = (await openRecording(version)).folder;
  const found: string[] = [];
  for (const { id } of catalog.summaries()) {
    if (!catalog.sessionFiles(id).projectPath.endsWith(`/${project}`)) continue;
    const { related } = await settled(() => sessions.related(id));
    for (const { relation, sharedRecords } of related) found.push(`${relation} ${sharedRecords}`);
  }
  expect(found.sort()).toEqual(expected);
});

const SHOP = "projects/-home-dev-shop";

test("the owner reads a session unredacted, also after a guest has read it", async () => {
  const secret = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
  const left = `use ${secret}`;
  const root = makeTree({
    [`${SHOP}/${uuid(1)}.jsonl`]: [
      prompt("first", { uuid: uuid(10), parentUuid: null }),
      answer("hi", { uuid: uuid(11), parentUuid: uuid(10) }),
      prompt(left, { uuid: uuid(12), parentUuid: uuid(11) }),
      answer("left", { uuid: uuid(13), parentUuid: uuid(12) }),
      prompt("active", { uuid: uuid(14), parentUuid: uuid(11) }),
      answer("end", { uuid: uuid(15), parentUuid: uuid(14) }),
    ],
  });
  const { catalog, sessions } = await openFolder(root);
  const id = uuid(1) as SessionId;
  const redacted = sessions.redactedBy(await new SessionSecrets(catalog, scanSecrets).redaction(id));
  const prompts = async (seen: SessionQueries) => {
    const { branches } = await settled(() => seen.detail(id));
    const { lines } = await settled(() => seen.graph(id));
    return JSON.stringify([branches.map((branch) => branch.prompt), lines]);
  };
  expect(await prompts(redacted)).not.toContain(secret);
  expect(await prompts(sessions)).toContain(`["first","${left}"]`);
  expect((await settled(() => sessions.graph(id))).lines.label).toContain(left);
  expect(await prompts(redacted)).not.toContain(secret);
  expect(await prompts(redacted)).toContain("[github-token 1]");
});

/** Two sessions that begin with the same lines, of which the log of the second one is gone since they were listed. */
async function withLostNeighbour() {
  const same = [
    prompt("one", { uuid: uuid(10), parentUuid: null, version: "2.1.330" }),
    answer("first", {
      ...{ uuid: uuid(11), parentUuid: uuid(10), version: "2.1.330", requestRef: "req_of_another" },
    }),
  ];
  const neighbour = `${SHOP}/${uuid(2)}.jsonl`;
  const root = makeTree({
    [`${SHOP}/${uuid(1)}.jsonl`]: [...same, prompt("a", { uuid: uuid(12), parentUuid: uuid(11) })],
    [neighbour]: [...same, prompt("b", { uuid: uuid(13), parentUuid: uuid(11) })],
    [`${SHOP}/${uuid(3)}.jsonl`]: [...same, prompt("c", { uuid: uuid(14), parentUuid: uuid(11) })],
  });
  const { sessions } = await openFolder(root);
  rmSync(join(root, neighbour));
  return { sessions, id: uuid(1) as SessionId };
}

test("related sessions are listed if their logs exist", async () => {
  const { sessions, id } = await withLostNeighbour();
  const { related } = await settled(() => sessions.related(id));
  expect(related.map((one) => [one.id, one.sharedRecords])).toEqual([[uuid(3), 2]]);
});

test("the sent messages are found although another log of the project is gone", async () => {
  const { sessions, id } = await withLostNeighbour();
  const { source } = await settled(() => sessions.messages(id, uuid(11)));
  expect(source).toBe("rebuilt");
});

test("a request for some of many copies waits for no others, and all can be reached", async () => {
  const line = prompt("same", { uuid: uuid(10), parentUuid: null });
  const at = (n: number) => ({ timestamp: `2026-01-02T1${n}:00:00.000Z` });
  const copies = Array.from({ length: 6 }, (_, n) => [
    `${SHOP}/${uuid(n + 1)}.jsonl`,
    [line, prompt(`own ${n}`, { uuid: uuid(20 + n), parentUuid: uuid(10), ...at(n) })],
  ]);
  const catalog = new Catalog([{ path: makeTree(Object.fromEntries(copies)), kind: "config" }]);
  await catalog.list();
  let read = 0;
  const sessions = createSessions(catalog, {
    scan: (request, onProgress) => {
      read += 1;
      return scan(request, onProgress);
    },
  });
  const id = uuid(1) as SessionId;
  const page = (cursor: string | null) => settled(() => sessions.related(id, { limit: 2, cursor }));
  const first = await page(null);
  expect(first.related.map((one) => one.id)).toEqual([uuid(6), uuid(5)]);
  expect(read).toBe(3);
  const second = await page(first.nextCursor);
  const third = await page(second.nextCursor);
  expect([...second.related, ...third.related].map((one) => one.id)).toEqual([uuid(4), uuid(3), uuid(2)]);
  expect(third.nextCursor).toBeNull();
  expect((await settled(() => sessions.related(id))).related).toHaveLength(5);
});
