import { expect, test } from "vitest";
import { linesOf, usageOf } from "@/lib/testing/raw-lines";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { from, isListed, openRecording, type Scenario, sessionsOf, upTo } from "@/lib/testing/recordings";
import { detailOf, idOf } from "@/lib/testing/transcript";

test.each(RECORDED_VERSIONS)("%s: tokens are each message's own, whatever repeats it", async (version) => {
  const { folder } = await openRecording(version);
  for (const { id } of folder.catalog.summaries()) {
    const { usage, counts, serviceTiers } = await detailOf(folder, id);
    const lines = linesOf(folder.catalog, id);
    expect(usage, id).toEqual(usageOf(lines));
    const tiers = new Map(
      lines.flatMap(({ type, message }): [string, string][] => {
        const tier = message?.usage?.service_tier;
        return type === "assistant" && message?.id && typeof tier === "string" ? [[message.id, tier]] : [];
      }),
    );
    expect(serviceTiers, id).toEqual(tiers.size > 0 ? { standard: tiers.size } : {});
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
      const lines = linesOf(folder.catalog, id);
      expect([counts.records, counts.unreadable, counts.unknown], id).toEqual([lines.length, 0, 0]);
      expect(logs.reduce((sum, log) => sum + log.records, 0)).toBe(lines.length);
    }
  },
);

test("a compaction that is nothing but its summary is counted, and parts its session in two (1.0.60)", async () => {
  const { folder } = await openRecording("1.0.60");
  const { counts, phases } = await detailOf(folder, idOf(folder, "4f7e3083-a5de-4e7a-a501-63c19354e0de"));
  expect([counts.compactions, counts.branches, counts.turns]).toEqual([1, 1, 3]);
  expect(phases.map(({ turns }) => turns)).toEqual([2, 1]);
});

test("what /branch wrote a second time counts once", async () => {
  const { folder } = await openRecording("2.1.330");
  const id = idOf(folder, "48467c35-1f59-43e3-9d6c-e5e106380cc4");
  const lines = linesOf(folder.catalog, id);
  const uuids = lines.flatMap(({ uuid }) => uuid ?? []);
  expect(uuids.length - new Set(uuids).size).toBe(15);
  const { counts } = await detailOf(folder, id);
  expect([counts.records, counts.turns, counts.branches, counts.thinking]).toEqual([lines.length, 4, 1, 1]);
});

test("the turns of a fork are its own and those it copied", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const { base, forked } = (scenarios.resume as Scenario).steps as { base: string; forked: string };
  const [first, second] = [idOf(folder, base), idOf(folder, forked)];
  const shared = new Set(linesOf(folder.catalog, first).map(({ uuid }) => uuid));
  const copied = linesOf(folder.catalog, second).filter(
    ({ type, uuid }) => type === "assistant" && shared.has(uuid),
  );
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

/** The same of 1.0.60, which goes on in a new file each time and has no queue. */
const EARLIEST: Record<string, Numbers[]> = {
  "task-one": [[1, 1, 1]],
  "task-parallel": [[1, 1, 3]],
  "task-nested": [[1, 1, 1]],
  "task-background": [[1, 1, 1]],
  "task-resume": [[1, 1, 1]],
  "custom-command": [[0, 1, 0]],
  "cost-command": [[0, 1, 0]],
  resume: [
    [1, 1, 0],
    [2, 1, 0],
    [3, 1, 0],
    [1, 1, 0],
    [2, 1, 0],
  ],
  "compact-print": [
    [1, 1, 0],
    [1, 1, 0],
    [2, 1, 0],
  ],
  "tui-basic": [
    [3, 1, 0],
    [2, 1, 0],
  ],
  "tui-rewind": [[5, 2, 0]],
  "tui-rewind-code": [[5, 2, 0]],
  "tui-interrupt": [[3, 1, 0]],
  "tui-queue": [[2, 1, 0]],
  "tui-resume": [[3, 1, 0]],
  "tui-perm": [[2, 1, 0]],
  "tui-plan-keep": [[2, 1, 0]],
  "tui-agents": [[2, 1, 3]],
  "tui-agent-interrupt": [[2, 1, 0]],
  "tui-todo": [
    [2, 1, 0],
    [3, 1, 0],
  ],
  "tui-image": [[2, 1, 0]],
  "tui-error": [[3, 1, 0]],
};

test.each(RECORDED_VERSIONS)("%s: turns, branches and agents are what the scenarios did", async (version) => {
  const { folder, scenarios } = await openRecording(version);
  for (const [name, scenario] of Object.entries(scenarios)) {
    const uuids = sessionsOf(folder, scenario).filter((uuid) => isListed(folder, uuid));
    const expected =
      (version === "1.0.60" ? EARLIEST[name] : undefined) ??
      NUMBERS[name]?.find(([versions]) => versions.includes(version))?.slice(1) ??
      uuids.map(() => [1, 1, 0]);
    const found: Numbers[] = [];
    for (const uuid of uuids) {
      const { turns, branches, agents } = (await detailOf(folder, idOf(folder, uuid))).counts;
      found.push([turns, branches, agents]);
    }
    expect(found, name).toEqual(expected);
  }
});
