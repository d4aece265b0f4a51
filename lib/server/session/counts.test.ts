import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/e2e/support/recorded";
import type { SessionId } from "@/lib/wire/ids";
import type { Usage } from "@/lib/wire/session";
import { from, isListed, openRecording, type Scenario, sessionsOf, upTo } from "./test-recordings";
import { detailOf, idOf, type OpenFolder } from "./test-transcript";

type Line = { type?: string; uuid?: string; message?: { id?: string; usage?: Record<string, unknown> } };

/** All lines of a session's transcripts, parsed without the reader under test. Every line of the recordings is JSON. */
function linesOf({ catalog }: OpenFolder, id: SessionId): Line[] {
  const { main, agents } = catalog.sessionFiles(id);
  return [main, ...agents].flatMap(({ path }) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line),
  );
}

const FIELDS: [keyof Usage, string, string?][] = [
  ["input", "input_tokens"],
  ["output", "output_tokens"],
  ["cacheWrite", "cache_creation_input_tokens"],
  ["cacheWrite5m", "cache_creation", "ephemeral_5m_input_tokens"],
  ["cacheWrite1h", "cache_creation", "ephemeral_1h_input_tokens"],
  ["cacheRead", "cache_read_input_tokens"],
  ["webSearches", "server_tool_use", "web_search_requests"],
  ["webFetches", "server_tool_use", "web_fetch_requests"],
];

/** The most that any line says, for each message id and field, added up. */
function usageOf(lines: readonly Line[]): Usage {
  const most = new Map<string, number>();
  for (const { type, message } of lines) {
    if (type !== "assistant" || !message?.id) continue;
    for (const [name, field, inner] of FIELDS) {
      const value = inner
        ? (message.usage?.[field] as Record<string, unknown> | undefined)?.[inner]
        : message.usage?.[field];
      const key = `${message.id} ${name}`;
      most.set(key, Math.max(most.get(key) ?? 0, typeof value === "number" ? value : 0));
    }
  }
  const sum = (name: string) =>
    [...most].reduce((total, [key, value]) => (key.endsWith(` ${name}`) ? total + value : total), 0);
  return Object.fromEntries(FIELDS.map(([name]) => [name, sum(name)])) as Usage;
}

test.each(RECORDED_VERSIONS)("%s: tokens are each message's own, whatever repeats it", async (version) => {
  const { folder } = await openRecording(version);
  for (const { id } of folder.catalog.summaries()) {
    const { usage, counts } = await detailOf(folder, id);
    const lines = linesOf(folder, id);
    expect(usage, id).toEqual(usageOf(lines));
    const ids = lines.filter(({ type }) => type === "assistant").map(({ message }) => message?.id);
    expect(counts.messages, id).toBe(new Set(ids).size);
  }
});

test.each(RECORDED_VERSIONS)(
  "%s: every line is a record, and all of their types are known",
  async (version) => {
    const { folder } = await openRecording(version);
    for (const { id } of folder.catalog.summaries()) {
      const { counts, logs } = await detailOf(folder, id);
      const lines = linesOf(folder, id);
      expect([counts.records, counts.unreadable, counts.unknown], id).toEqual([lines.length, 0, 0]);
      expect(logs.reduce((sum, log) => sum + log.records, 0)).toBe(lines.length);
    }
  },
);

test("what /branch wrote a second time counts once", async () => {
  const { folder } = await openRecording("2.1.330");
  const id = idOf(folder, "48467c35-1f59-43e3-9d6c-e5e106380cc4");
  const lines = linesOf(folder, id);
  const uuids = lines.flatMap(({ uuid }) => uuid ?? []);
  expect(uuids.length - new Set(uuids).size).toBe(15);
  const { counts } = await detailOf(folder, id);
  expect([counts.records, counts.turns, counts.branches, counts.thinking]).toEqual([lines.length, 4, 1, 1]);
});

test("the turns of a fork are its own and those it copied", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const { base, forked } = (scenarios.resume as Scenario).steps as { base: string; forked: string };
  const [first, second] = [idOf(folder, base), idOf(folder, forked)];
  const shared = new Set(linesOf(folder, first).map(({ uuid }) => uuid));
  const copied = linesOf(folder, second).filter(({ type, uuid }) => type === "assistant" && shared.has(uuid));
  // "Please do it" and "A branch from the first answer" were answered before the fork; all tokens of the copies are the original's.
  expect(copied.length).toBe(2);
  expect((await detailOf(folder, second)).counts.turns).toBe(4);
});

/** Turns over all branches, branches, agents. */
type Numbers = [turns: number, branches: number, agents: number];

/** What a person counts who reads the manifest's description; all other scenarios have one turn and nothing else. */
const NUMBERS: Record<string, [versions: readonly RecordedVersion[], ...sessions: Numbers[]][]> = {
  "task-one": [[upTo("2.1.330"), [1, 1, 1]]],
  "task-foreground": [[from("2.1.110"), [1, 1, 1]]],
  "task-parallel": [[upTo("2.1.330"), [1, 1, 3]]],
  "task-nested": [
    [upTo("2.1.110"), [1, 1, 1]],
    [["2.1.330"], [1, 1, 2]],
  ],
  "task-explore-type": [
    [["1.0.128"], [1, 1, 0]],
    [from("2.0.42"), [1, 1, 1]],
  ],
  "task-background": [[upTo("2.1.330"), [1, 1, 1]]],
  "task-resume": [
    [
      ["1.0.128", "2.1.110"],
      [1, 1, 2],
    ],
    [
      ["2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.330"],
      [1, 1, 1],
    ],
  ],
  workflow: [
    [["2.1.110"], [1, 1, 0]],
    [["2.1.330"], [1, 1, 3]],
  ],
  "custom-command": [[upTo("2.1.330"), [0, 1, 0]]],
  "cost-command": [[upTo("2.1.330"), [0, 1, 0]]],
  "skill-direct": [
    [["2.0.76"], [1, 1, 0]],
    [
      ["1.0.128", "2.0.42", "2.0.50", "2.1.29", "2.1.42", "2.1.110", "2.1.330"],
      [0, 1, 0],
    ],
  ],
  // Four questions; `--resume-session-at` branched the first answer from 2.0.50 on, and the fork copies the active way.
  resume: [
    [
      ["1.0.128", "2.0.42"],
      [4, 1, 0],
      [5, 1, 0],
    ],
    [from("2.0.50"), [5, 2, 0], [4, 1, 0]],
  ],
  "compact-print": [[upTo("2.1.330"), [2, 1, 0]]],
  "stream-json": [[upTo("2.1.330"), [3, 1, 0]]],
  "tui-basic": [[upTo("2.1.330"), [3, 1, 0], [1, 1, 0]]],
  "tui-rewind": [
    [["1.0.128"], [5, 2, 0]],
    [from("2.0.42"), [4, 2, 0]],
  ],
  "tui-rewind-code": [
    [["1.0.128"], [5, 2, 0]],
    [from("2.0.42"), [4, 2, 0]],
  ],
  "tui-interrupt": [[upTo("2.1.330"), [3, 1, 0]]],
  "tui-queue": [
    [["1.0.128"], [3, 1, 0]],
    [from("2.0.42"), [5, 1, 0]],
  ],
  "tui-perm": [[upTo("2.1.330"), [2, 1, 0]]],
  "tui-plan": [
    [
      ["2.1.29", "2.1.42"],
      [1, 1, 0],
      [1, 1, 0],
    ],
  ],
  "tui-plan-keep": [[upTo("2.1.330"), [2, 1, 0]]],
  "tui-agents": [[upTo("2.1.330"), [2, 1, 3]]],
  "tui-agent-interrupt": [
    [["2.0.76"], [2, 1, 2], [2, 1, 2]],
    [
      ["1.0.128", "2.0.42", "2.0.50", "2.1.29", "2.1.42", "2.1.110", "2.1.330"],
      [2, 1, 2],
    ],
  ],
  "tui-todo": [
    [upTo("2.0.50"), [5, 1, 0]],
    [from("2.0.76"), [4, 1, 0]],
  ],
  "tui-image": [[upTo("2.1.330"), [2, 1, 0]]],
  "tui-error": [[upTo("2.1.330"), [3, 1, 0]]],
  "tui-extra": [
    [["2.1.110"], [5, 2, 0], [6, 2, 0]],
    [["2.1.330"], [5, 2, 0], [4, 1, 0]],
  ],
};

test.each(RECORDED_VERSIONS)("%s: turns, branches and agents are what the scenarios did", async (version) => {
  const { folder, scenarios } = await openRecording(version);
  for (const [name, scenario] of Object.entries(scenarios)) {
    const uuids = sessionsOf(folder, scenario).filter((uuid) => isListed(folder, uuid));
    const expected =
      NUMBERS[name]?.find(([versions]) => versions.includes(version))?.slice(1) ?? uuids.map(() => [1, 1, 0]);
    const found: Numbers[] = [];
    for (const uuid of uuids) {
      const { turns, branches, agents } = (await detailOf(folder, idOf(folder, uuid))).counts;
      found.push([turns, branches, agents]);
    }
    expect(found, name).toEqual(expected);
  }
});
