import { describe, expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openRecording } from "@/lib/testing/recordings";
import { gathered, idOf, openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { SpansQuery } from "@/lib/wire/requests/spans";
import type { Span, SpansPage } from "@/lib/wire/spans";
import { overlapping } from "./session-spans";

const ALL: SpansQuery = { branch: null, turn: null, only: null };

async function spansOf(scenario: string, query: Partial<SpansQuery> = {}): Promise<Span[]> {
  const { folder, scenarios } = await openRecording("2.1.330");
  const { session, sessions } = scenarios[scenario] ?? {};
  const id = idOf(folder, session ?? sessions?.[0] ?? "");
  return settled(() => folder.sessions.spans(id, { ...ALL, ...query }));
}

const named = (spans: readonly Span[]) =>
  spans.map(({ turn, kind, name, subject }) =>
    [turn, kind, name, subject].filter((one) => one !== undefined).join(" "),
  );

describe("spans of a branch", () => {
  it("names models, tools, agents and who was waited for, each with an id of its own", async () => {
    const spans = await spansOf("task-nested");
    expect(named(spans)).toEqual([
      "1 model claude-opus-5-5",
      "1 tool Agent",
      "1 model claude-opus-5-5",
      "1 model claude-opus-5-5",
      "1 agent Outer agent",
      "1 model claude-opus-5-5",
      "1 tool Agent",
      "1 model claude-opus-5-5",
      "1 agent Inner agent",
      "1 model claude-opus-5-5",
      "1 idle agents in the background",
    ]);
    expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
    const ids = new Set(spans.map(({ id }) => id));
    expect(spans.every(({ parentId }) => parentId === null || ids.has(parentId))).toBe(true);
  });

  it("gives the same spans for some turns as for all", async () => {
    const all = await spansOf("tui-basic");
    for (const turn of [1, 2, 3])
      expect(await spansOf("tui-basic", { turn: { from: turn, to: turn } })).toEqual(
        all.filter((span) => span.turn === turn),
      );
    expect(await spansOf("tui-basic", { turn: { from: 2, to: Number.POSITIVE_INFINITY } })).toEqual(
      all.filter((span) => span.turn >= 2),
    );
    expect(await spansOf("tui-basic", { turn: { from: 9, to: 9 } })).toEqual([]);
  });

  it("gives the same spans page by page", async () => {
    const all = await spansOf("tui-basic");
    const { folder, scenarios } = await openRecording("2.1.330");
    const id = idOf(folder, scenarios["tui-basic"]?.session ?? scenarios["tui-basic"]?.sessions?.[0] ?? "");
    const pages: Span[][] = [];
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
      const page: SpansPage = await settled(() =>
        folder.sessions.spansPage(id, { ...ALL, limit: 4, cursor }),
      );
      expect(page.total).toBe(all.length);
      pages.push(page.spans);
      cursor = page.nextCursor;
    }
    expect(pages.length).toBe(Math.ceil(all.length / 4));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toEqual(all);
  });

  it("gives the subjects of named spans", async () => {
    const all = await spansOf("hooked");
    const only = await spansOf("hooked", { only: all.map(({ id }) => id) });
    expect(named(only)).toEqual([
      "0 tool hook SessionStart:startup",
      "0 human you Please do it. SCENARIO:hooked",
      "1 tool hook UserPromptSubmit",
      "1 model claude-opus-5-5 ",
      "1 tool Bash echo hooked",
      "1 tool hook PostToolUse:Bash",
      "1 model claude-opus-5-5 ",
      "1 tool Bash echo forbidden-word",
      "1 model claude-opus-5-5 The hooks ran.",
      "1 tool hook Stop",
      "1 tool hook Stop",
      "1 idle idle ",
      "1 idle idle ",
    ]);
    const basic = await spansOf("tui-basic");
    const waits = basic.filter(({ kind, name }) => kind === "human" || name === "command");
    expect(named(await spansOf("tui-basic", { only: waits.map(({ id }) => id) }))).toEqual([
      "1 tool command ! echo from bash mode; ls nothing-here",
      "1 human you ! echo from bash mode; ls nothing-here",
      "1 human you Look at @hello.py please SCENARIO:hello2",
      "2 human you /greet Bob",
      "2 human you /compact",
      "2 human you After the compaction. SCENARIO:hello3",
    ]);
  });

  it("gives an answer's text without Markdown's marks", async () => {
    const lines = [
      prompt("go", { uuid: uuid(0), parentUuid: null, timestamp: "2026-01-01T00:00:00Z" }),
      answer("## Done\n\n- **two** of `max_retries`", {
        uuid: uuid(1),
        parentUuid: uuid(0),
        timestamp: "2026-01-01T00:00:01Z",
      }),
    ];
    const folder = await openFolder(makeTree({ [`projects/-work/${uuid(1)}.jsonl`]: lines }));
    const id = idOf(folder, uuid(1));
    const [{ id: span } = { id: "" }] = await settled(() => folder.sessions.spans(id, ALL));
    const [named] = await settled(() => folder.sessions.spans(id, { ...ALL, only: [span] }));
    expect(named?.subject).toBe("Done two of max_retries");
  });

  it("gives only the last turns of a branch with too many spans", async () => {
    const turns = 15_010;
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const lines = Array.from({ length: turns }, (_, n) => [
      prompt(`prompt ${n}`, {
        uuid: uuid(2 * n),
        parentUuid: n ? uuid(2 * n - 1) : null,
        timestamp: at(2 * n),
      }),
      answer(`done ${n}`, { uuid: uuid(2 * n + 1), parentUuid: uuid(2 * n), timestamp: at(2 * n + 1) }),
    ]).flat();
    const folder = await openFolder(makeTree({ [`projects/-work/${uuid(1)}.jsonl`]: lines }));
    const id = idOf(folder, uuid(1));
    const spans = await settled(() => folder.sessions.spans(id, ALL));
    // Each turn has an answer, and all but the last the wait for the next prompt.
    expect(spans.length).toBe(29_999);
    expect(spans[0]?.turn).toBe(turns - 15_000 + 1);
    expect(await settled(() => folder.sessions.spans(id, { ...ALL, turn: { from: 3, to: 3 } }))).toHaveLength(
      2,
    );
  });
});

it("finds whether background work was running in less than linear time", () => {
  const COUNT = 1_000;
  let looks = 0;
  const spans = Array.from({ length: COUNT }, (_, at) => ({
    get startMs() {
      looks += 1;
      return at * 100;
    },
    get endMs() {
      looks += 1;
      return at * 100 + (at % 3 === 0 ? 250 : 20);
    },
  }));
  const isBusy = overlapping(spans);
  const expected = (from: number, to: number) =>
    spans.some(({ startMs, endMs }) => startMs < to && endMs > from);
  const asked = Array.from({ length: COUNT }, (_, at) => [at * 101 + 30, at * 101 + 60] as const);
  const found = asked.map(([from, to]) => isBusy(from, to));
  const seen = looks;
  expect(seen).toBeLessThan(COUNT * 20);
  expect(found).toEqual(asked.map(([from, to]) => expected(from, to)));
  expect(new Set(found).size).toBe(2);
  expect(overlapping([])(0, 9)).toBe(false);
});

/** A session of turns with so many calls. */
async function openTurns(turns: readonly number[]) {
  const lines: Record<string, unknown>[] = [];
  const line = (make: (more: Record<string, unknown>) => Record<string, unknown>, more: object) => {
    const at = lines.length;
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString();
    lines.push(make({ uuid: uuid(at + 10), parentUuid: at === 0 ? null : uuid(at + 9), timestamp, ...more }));
  };
  for (const [turn, calls] of turns.entries()) {
    line((more) => prompt(`go ${turn}`, more), {});
    for (let call = 0; call < calls; call++) {
      const id = `t${turn}-${call}`;
      const use = { type: "tool_use", id, name: "Read", input: { file_path: `/srv/${call}.ts` } };
      const done = { type: "tool_result", tool_use_id: id, content: "" };
      const asks = { id: `m${id}`, role: "assistant", model: "m", content: [use] };
      line((more) => answer("", more), { message: asks });
      line((more) => prompt("", more), { message: { role: "user", content: [done] } });
    }
  }
  const { sessions } = await openFolder(makeTree({ [`projects/-srv/${uuid(1)}.jsonl`]: lines }));
  return { sessions, id: uuid(1) as SessionId };
}

it("page by page, a turn of thousands of calls is there, and how many of the first turns are not is said", async () => {
  const firstPage = async (turns: readonly number[]) => {
    const { sessions, id } = await openTurns(turns);
    const page = await settled(() => sessions.spansPage(id, { ...ALL, limit: 1, cursor: null }));
    return [page.spans[0]?.turn, page.turnsLeftOut];
  };
  expect(await firstPage([2, 17_000, 1])).toEqual([1, 0]);
  expect(await firstPage([2, 17_000, 14_000])).toEqual([3, 2]);
});

it("all spans of a branch come in groups, with what they are about", async () => {
  const { sessions, id } = await openTurns([1_200]);
  const all = await settled(() => sessions.spans(id, ALL));
  const groups = await gathered(sessions.spanGroups(id, { branch: null, turn: null, withSubjects: true }));
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups) expect(group.length).toBeLessThanOrEqual(2_000);
  expect(groups.flat().map((span) => ({ ...span, subject: undefined }))).toEqual(all);
  expect(groups.flat().filter(({ subject }) => subject === "/srv/1199.ts")).toHaveLength(1);
});
