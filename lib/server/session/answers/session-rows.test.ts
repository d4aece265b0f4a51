import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type Recording, sharedRecording } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { detailOf, idOf, type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import { type BranchId, branchIdOf, parseRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import type { Detail } from "@/lib/wire/rows";
import { rowsOf as rowsAround } from "./session-rows";

/** 1.0.128: rewound to before an edit. */
const REWOUND = "c5797ef5-4f60-4a9f-8ad4-61fc8e9654bb";

let recording: Recording;
let folder: OpenFolder;
beforeAll(async () => {
  recording = sharedRecording("1.0.128");
  folder = await openFolder(recording.claudeDir);
});
afterAll(() => recording[Symbol.dispose]());

const around = (record: RecordId, detail: Detail, branch: BranchId | null = null, fold: number[] = []) =>
  settled(() =>
    folder.sessions.rows(idOf(folder, REWOUND), {
      branch,
      agent: null,
      detail,
      fold,
      runs: null,
      from: 0,
      count: 80,
      around: record,
    }),
  );

describe("the place of a record that a view hides", () => {
  it("is at the last row before it", async () => {
    const { rows } = await rowsOf(folder, idOf(folder, REWOUND), "tools");
    const calls = rows.filter(({ kind }) => kind === "tool");
    expect(calls.length).toBeGreaterThan(0);
    for (const row of calls) {
      const prompts = await around(row.recordId, "prompts");
      expect(prompts.at).toBeNull();
      expect(prompts.rows[(prompts.near ?? -1) - prompts.from]).toMatchObject({
        kind: "turn",
        turn: row.turn,
      });
      const folded = await around(row.recordId, "tools", null, [row.turn]);
      expect(folded.rows[(folded.near ?? -1) - folded.from]).toMatchObject({ kind: "turn", turn: row.turn });
      const shown = await around(row.recordId, "tools");
      expect(shown.near).toBe(shown.at);
    }
  });

  it("is where its branch leaves, for a record on another branch", async () => {
    const { branches } = await detailOf(folder, idOf(folder, REWOUND));
    const other = branches.find(({ active }) => !active);
    const active = branches.find((branch) => branch.active);
    const { rows } = await rowsOf(folder, idOf(folder, REWOUND), "tools");
    const fork = rows.findIndex(({ kind }) => kind === "fork");
    const last = rows.at(-1);
    const answer = await around(last?.recordId as RecordId, "tools", other?.id ?? null);
    expect(answer).toMatchObject({ at: null, branch: other?.id });
    expect(answer.near).toBeLessThanOrEqual(fork);
    expect(answer.near).toBeGreaterThanOrEqual(fork - 1);
    expect([active?.number, other?.number]).toEqual([2, 1]);
  });
});

it("names the branch of a record that is not on the requested one", async () => {
  const { branches } = await detailOf(folder, idOf(folder, REWOUND));
  const other = branches.find(({ active }) => !active)?.id as BranchId;
  const active = await rowsOf(folder, idOf(folder, REWOUND), "tools");
  const left = await rowsOf(folder, idOf(folder, REWOUND), "tools", { branch: other });
  const onActive = active.rows.at(-1)?.recordId as RecordId;
  const onLeft = left.rows.at(-1)?.recordId as RecordId;
  const otherOf = async (record: RecordId, branch: BranchId | null) =>
    (await around(record, "tools", branch)).otherBranch;
  expect(await otherOf(onLeft, null)).toBe(other);
  expect(await otherOf(onLeft, active.branch)).toBe(other);
  expect(await otherOf(onActive, other)).toBeNull();
  for (const [record, branch] of [
    [onActive, null],
    [onActive, active.branch],
    [onLeft, other],
    // Both hold it.
    [active.rows[0]?.recordId as RecordId, other],
  ] as const)
    expect(await otherOf(record, branch)).toBeUndefined();
  // Hidden by the view, and not elsewhere.
  expect(await around(onLeft, "prompts", other)).not.toHaveProperty("otherBranch");
});

describe("a long answer in letters of several bytes", () => {
  it.each([
    ["Japanese", "漢字とかな", 7_000],
    ["Japanese, and longer than a row shows", "漢字とかな", 60_000],
    ["English, and longer than what is read of it", "words of ", 60_000],
    ["emoji", "😀", 6_000],
  ])("is complete, or says how much longer it is: %s", async (_, letters, length) => {
    const text = letters.repeat(Math.ceil(length / letters.length)).slice(0, length);
    const session = uuid(1);
    const root = makeTree({
      [`projects/-home-dev-shop/${session}.jsonl`]: [
        prompt("Say something long."),
        answer("", {
          parentUuid: "u-Say something long.",
          message: { id: "msg-1", role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
        }),
      ],
    });
    const written = await openFolder(root);
    const { rows } = await rowsOf(written, idOf(written, session), "tools");
    const said = rows.find((row) => row.kind === "text");
    const shown = Math.min(length, 8_000);
    expect(said?.text).toEqual({ text: text.slice(0, shown), cut: length > shown, length });
  });
});

describe("a prompt that was taken out of the queue", () => {
  it.each(["2.0.76", "2.1.29", "2.1.42"] as const)(
    "names the line with its text if a note represents it: %s",
    async (version) => {
      const { claudeDir } = sharedRecording(version);
      const queued = await openFolder(claudeDir);
      const prompts: string[] = [];
      for (const { id } of queued.catalog.summaries()) {
        const { rows } = await rowsOf(queued, id, "prompts");
        for (const row of rows) {
          if (row.kind !== "turn" || !row.shows) continue;
          const [key = ""] = row.shows;
          const { stream } = await queued.sessions.rawRecord(id, parseRowKey(key).recordId);
          expect(await new Response(stream).text()).toContain(JSON.stringify(row.prompt.text).slice(1, -1));
          prompts.push(row.prompt.text);
        }
      }
      expect(prompts).not.toEqual([]);
    },
  );
});

describe("a place", () => {
  const time = (n: number) => new Date(Date.parse("2026-01-02T03:04:05.000Z") + n * 1000).toISOString();
  const calls = (uuid: string, parentUuid: string, uses: [id: string, name: string][]) => ({
    type: "assistant",
    uuid,
    parentUuid,
    timestamp: time(1),
    message: {
      id: "m1",
      role: "assistant",
      content: uses.map(([id, name]) => ({
        type: "tool_use",
        id,
        name,
        input: { command: "ls", prompt: "look" },
      })),
    },
  });

  async function open(lines: Record<string, unknown>[], agent: Record<string, unknown>[] = []) {
    const folder = `projects/-home-dev-shop/${uuid(1)}`;
    const { sessions } = await openFolder(
      makeTree({ [`${folder}.jsonl`]: lines, [`${folder}/subagents/agent-a1.jsonl`]: agent }),
    );
    return sessions.latest(uuid(1) as SessionId);
  }

  const query: RowsQuery = {
    ...{ branch: null, agent: null, detail: "tools", fold: [], runs: null },
    ...{ from: 0, count: 80, around: null },
  };

  it("of an agent's answer is its own row, however far below the agent's call", async () => {
    const others = Array.from({ length: 100 }, (_, n): [string, string] => [`t${n}`, "Bash"]);
    const session = await open(
      [
        prompt("go", { parentUuid: null, timestamp: time(0) }),
        calls("c", "u-go", [["t-agent", "Task"], ...others]),
        {
          ...prompt("", { uuid: "r", parentUuid: "c", timestamp: time(9) }),
          message: {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "t-agent", content: [{ type: "text", text: "found" }] },
            ],
          },
          toolUseResult: { status: "completed", agentId: "a1", content: [{ type: "text", text: "found" }] },
        },
      ],
      [{ ...prompt("look", { timestamp: time(2) }), isSidechain: true, agentId: "a1", sessionId: uuid(1) }],
    );
    const { rows } = await rowsAround(session, { ...query, count: 200, around: null });
    const answered = rows.findIndex(({ kind }) => kind === "agent-return");
    expect(answered).toBeGreaterThan(100);
    const around = session.recordId(session.findUuid("r"));
    const { at, near, from, rows: window } = await rowsAround(session, { ...query, around });
    expect([at, near, window[answered - from]?.kind]).toEqual([answered, answered, "agent-return"]);
  });

  it("of a record that another row shows, a summary or a queued prompt, is that row in every view", async () => {
    const missed: string[] = [];
    for (const version of ["2.0.42", "2.1.330"] as const) {
      const { folder: recorded } = await openRecording(version);
      for (const { id } of recorded.catalog.summaries())
        for (const detail of ["prompts", "conversation", "tools"] as const) {
          const { rows } = await rowsOf(recorded, id, detail);
          for (const [index, row] of rows.entries())
            for (const key of row.kind === "tool" ? [] : (row.shows ?? [])) {
              const { recordId } = parseRowKey(key);
              const view = { branch: null, agent: null, detail, fold: [], runs: null, from: 0, count: 1 };
              const { at } = await settled(() => recorded.sessions.rows(id, { ...view, around: recordId }));
              if (at !== index) missed.push(`${version} ${detail} ${row.kind}`);
            }
        }
    }
    expect([...new Set(missed)]).toEqual([]);
  });

  it("on another branch is found, even below a message with hundreds of thousands of lines", async () => {
    const session = await open([
      prompt("go", { parentUuid: null, timestamp: time(0) }),
      calls("c", "u-go", [["t1", "Bash"]]),
      ...Array.from({ length: 150_000 }, (_, n) => ({
        type: "progress",
        uuid: `p${n}`,
        parentUuid: "c",
        parentToolUseID: "t1",
        data: { type: "bash_progress", output: "" },
      })),
      prompt("again", { parentUuid: "u-go", timestamp: time(5) }),
    ]);
    const branch = branchIdOf(session.recordId(session.findUuid("u-again")));
    const around = session.recordId(session.findUuid("p149999"));
    expect(await rowsAround(session, { ...query, branch, around })).toMatchObject({ at: null, near: 0 });
  });
});
