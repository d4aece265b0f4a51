import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { openDatabase } from "@/lib/server/index/load-sqlite";
import { Scanner } from "@/lib/server/index/scanner";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { generateTree } from "@/lib/testing/generate/generate-tree";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { costOf, linesOf, usageOf } from "@/lib/testing/raw-lines";
import { RECORDED_VERSIONS, sharedRecording } from "@/lib/testing/recorded";
import { sampleOf } from "@/lib/testing/runs";
import { detailOf, type OpenFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { ProjectsResponse } from "@/lib/wire/library";
import { USAGE_BY } from "@/lib/wire/usage";
import { Catalog } from "./catalog";
import { projectTotals } from "./project-totals";
import { usageOf as addUpUsage } from "./usage";

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-totals-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A library as a start finds it. */
async function start(tree: string, dataDir: string | null) {
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const index = openLibraryIndex(dataDir);
  const reads = vi.spyOn(index, "index");
  const scanner = new Scanner(catalog, index, new RequestActivity());
  onTestFinished(() => index.stop());
  return {
    catalog,
    scanner,
    read: () => reads.mock.calls.length,
    totals: () => projectTotals(catalog, scanner.totals),
    run: async () => {
      await catalog.list();
      await scanner.run();
      return projectTotals(catalog, scanner.totals);
    },
    stop: () => index.stop(),
  };
}

/** By path, in words, with the whole last. */
function told({ projects, totals }: ProjectsResponse): string[] {
  const all = [...projects, { path: "all", totals }];
  return all.map(({ path, totals: one }) =>
    one
      ? `${path}: ${one.turns} turns, ${one.messages} messages, ${one.usage.input} + ${one.usage.output}`
      : `${path}: not known`,
  );
}

/** In `npm test` one for each way in which agents are logged. */
describe.each(sampleOf(RECORDED_VERSIONS, 4))("%s", (version) => {
  const recording = sharedRecording(version);
  afterAll(() => recording[Symbol.dispose]());

  test("the totals of projects and of everything are those of the lines", async () => {
    const dataDir = scratch();
    const library = await start(recording.claudeDir, dataDir);
    expect(library.totals().totals).toBeNull();
    const { projects, totals } = await library.run();
    const folder = { catalog: library.catalog, sessions: createSessions(library.catalog, { scan }) };
    const sessions = [];
    let sum = 0;
    for (const { id, projectId } of folder.catalog.summaries()) {
      sessions.push({ projectId, lines: linesOf(folder.catalog, id), turns: await turnsOf(folder, id) });
      sum += (await detailOf(folder, id)).counts.messages;
    }
    for (const project of [...projects, { id: null, totals }]) {
      const own = sessions.filter(({ projectId }) => project.id === null || projectId === project.id);
      const lines = own.flatMap((one) => one.lines);
      const messages = lines.filter(({ type }) => type === "assistant").map(({ message }) => message?.id);
      expect(project.totals).toEqual({
        turns: new Set(own.flatMap((one) => one.turns)).size,
        messages: new Set(messages).size,
        usage: usageOf(lines),
        cost: costOf(lines),
      });
    }
    // Each of these versions has a fork, so that adding sessions up counts too much.
    expect(sum).toBeGreaterThan(totals?.messages ?? 0);

    library.stop();
    const again = await start(recording.claudeDir, dataDir);
    expect(await again.run()).toEqual({ projects, totals });
    expect(again.read()).toBe(0);
  });
});

test("generated sessions, a fork among them, cost what their lines do, by whatever it is added up", async () => {
  const tree = scratch();
  generateTree({ dir: tree, seed: 11, bytes: 2_500_000 });
  const dataDir = scratch();
  const library = await start(tree, dataDir);
  // A fork: its beginning is another session's, with the ids of its messages.
  const { main } = library.catalog.sessionFiles(library.catalog.summaries()[0]?.id as SessionId);
  const lines = readFileSync(main.path, "utf8").split("\n");
  const half = lines.slice(0, Math.floor(lines.length / 2)).join("\n");
  writeFileSync(join(dirname(main.path), `${uuid(77)}.jsonl`), `${half}\n`);
  const { totals } = await library.run();
  const sessions = library.catalog.summaries();
  const own = sessions.map(({ id }) => linesOf(library.catalog, id));
  const all = costOf(own.flat());
  expect(all.microUsd).toBeGreaterThan(0);
  expect(totals?.cost).toEqual(all);
  expect(sessions.map(({ cost }) => cost?.microUsd)).toEqual(own.map((one) => costOf(one).microUsd));
  const sum = own.reduce((total, one) => total + (costOf(one).microUsd ?? 0), 0);
  expect(sum).toBeGreaterThan(all.microUsd ?? 0);
  for (const by of USAGE_BY) {
    const whole = { by, project: null, fromMs: null, toMs: null, agents: true, zone: null };
    const usage = addUpUsage(library.catalog, library.scanner.totals, whole, "");
    const rows = usage.rows.reduce((total, row) => total + (row.costMicroUsd ?? 0), 0);
    expect([rows, usage.totals.unpricedTokens, usage.totals.requests], by).toEqual([
      all.microUsd,
      all.unpricedTokens,
      totals?.messages,
    ]);
  }
});

/**
 * The turns of a session over all its branches: by the message that answers their line, which copies keep (1.0.60
 * gives them new uuids), else by its uuid, or by its place where there is none.
 */
async function turnsOf(folder: OpenFolder, id: SessionId): Promise<string[]> {
  const text = readFileSync(folder.catalog.sessionFiles(id).main.path);
  const { branches } = await settled(() => folder.sessions.branches(id, { limit: 100, cursor: null }));
  const answers = new Map<string, string>();
  for (const { type, parentUuid, message } of linesOf(folder.catalog, id))
    if (type === "assistant" && parentUuid && message?.id && !answers.has(parentUuid))
      answers.set(parentUuid, message.id);
  const turns: string[] = [];
  for (const branch of branches) {
    const { rows } = await rowsOf(folder, id, "prompts", { branch: branch.id });
    for (const row of rows) {
      if (row.kind !== "turn") continue;
      const from = Number.parseInt(row.recordId.split("~")[1] ?? "", 36);
      const line = JSON.parse(text.subarray(from, text.indexOf(0x0a, from)).toString()) as { uuid?: string };
      turns.push(answers.get(line.uuid ?? "") ?? line.uuid ?? `${id} ${row.recordId}`);
    }
  }
  return turns;
}

const spent = (text: string, tokens: number) =>
  answer(text, { message: { id: `msg-${text}`, usage: { input_tokens: tokens, output_tokens: 1 } } });
const log = (n: number) => `projects/-home-dev-shop/${uuid(n)}.jsonl`;

describe("a project with a fork", () => {
  const BEGUN = [prompt("one"), spent("first", 100)];
  const tree = () =>
    makeTree({
      [log(1)]: [...BEGUN, prompt("two"), spent("second", 20)],
      [log(2)]: [...BEGUN, prompt("other"), spent("third", 3)],
    });

  test("counts common messages once, after appends and deletes and over restarts", async () => {
    const folder = tree();
    const dataDir = scratch();
    const library = await start(folder, dataDir);
    const expectTold = async (line: string) => {
      expect(told(await library.run())).toEqual([`/home/dev/shop: ${line}`, `all: ${line}`]);
      // A copy of the index as it is now gives the same without reading a log.
      const copy = scratch();
      cpSync(dataDir, copy, { recursive: true });
      const restarted = await start(folder, copy);
      expect(told(await restarted.run())).toEqual([`/home/dev/shop: ${line}`, `all: ${line}`]);
      restarted.stop();
      return restarted.read();
    };
    expect(await expectTold("3 turns, 3 messages, 123 + 3")).toBe(0);

    // Another line of a message that is known says more of it; a new one comes.
    appendFileSync(
      join(folder, log(2)),
      toText([{ ...spent("third", 5), uuid: "later" }, prompt("more"), spent("fourth", 1000)]),
    );
    expect(await expectTold("4 turns, 4 messages, 1125 + 4")).toBe(0);

    rmSync(join(folder, log(1)));
    expect(await expectTold("3 turns, 3 messages, 1105 + 3")).toBe(0);
  });

  test("reads a session again whose part of the totals is damaged", async () => {
    const folder = tree();
    const dataDir = scratch();
    const first = await start(folder, dataDir);
    const expected = await first.run();
    first.stop();
    const database = openDatabase(join(dataDir, "index.db"));
    database.exec(
      "UPDATE shares SET body = zeroblob(length(body)) WHERE rowid = (SELECT min(rowid) FROM shares)",
    );
    database.close();
    const second = await start(folder, dataDir);
    expect(await second.run()).toEqual(expected);
    expect(second.read()).toBe(1);
  });

  test("gives each session the part that the other contains", async () => {
    const folder = tree();
    const library = await start(folder, null);
    const sessions = createSessions(library.catalog, { scan }, undefined, () => library.scanner.totals);
    const [one] = library.catalog.summaries();
    const id = one?.id as SessionId;
    expect(await sessions.detail(id)).toMatchObject({ shared: null });
    expect(await sessions.related(id)).toMatchObject({ related: [{ shared: null }] });
    await library.run();
    expect(await sessions.detail(id)).toMatchObject({
      tokens: 122,
      shared: { turns: 1, messages: 1, usage: { input: 100, output: 1 } },
    });
    expect(await sessions.related(id)).toMatchObject({
      related: [{ sharedRecords: 2, shared: { turns: 1, messages: 1, usage: { input: 100, output: 1 } } }],
    });
  });

  test("finds a session that repeats some of another's messages, however both begin", async () => {
    const folder = makeTree({
      [log(1)]: [...BEGUN, prompt("two"), spent("second", 20)],
      [log(2)]: [prompt("elsewhere"), spent("second", 20)],
    });
    const library = await start(folder, null);
    await library.run();
    const sessions = createSessions(library.catalog, { scan }, undefined, () => library.scanner.totals);
    const found = await sessions.related(library.catalog.summaries()[0]?.id as SessionId);
    expect(found).toMatchObject({
      related: [{ relation: "shares-history", shared: { turns: 0, messages: 1 } }],
    });
  });
});
