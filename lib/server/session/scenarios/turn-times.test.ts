import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const ID = uuid(1) as SessionId;
const clock = (time: string) => ({ timestamp: `2026-01-02T${time}.000Z` });

/** How long each turn took: by its header, its brief, and a comparison of branches. */
async function timesOf(folder: OpenFolder): Promise<(number | null)[][]> {
  const { rows } = await rowsOf(folder, ID, "tools");
  const turns = rows.flatMap((row) => (row.kind === "turn" ? [row] : []));
  const sides = { left: null, right: null };
  const { turns: pairs } = await settled(() => folder.sessions.compare(ID, sides));
  return Promise.all(
    turns.map(async ({ turn, durationMs }) => {
      const brief = await settled(() => folder.sessions.brief(ID, turn, null));
      const compared = pairs.find(({ right }) => right?.turn === turn)?.right;
      return [durationMs, brief.durationMs, ...(compared ? [compared.durationMs] : [])];
    }),
  );
}

test("a turn took until its last answer, whatever was typed or noted long after that", async () => {
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${ID}.jsonl`]: [
        prompt("stem", clock("09:00:00")),
        answer("stem", { parentUuid: "u-stem", ...clock("09:00:04") }),
        prompt("left", { parentUuid: "a-stem", ...clock("09:01:00") }),
        answer("left", { parentUuid: "u-left", ...clock("09:01:03") }),
        prompt("one", { parentUuid: "a-stem", ...clock("09:02:00") }),
        answer("one", { parentUuid: "u-one", ...clock("09:02:07") }),
        // An SDK queues each prompt (2.0.42 and later), and so in the turn before its own.
        { type: "queue-operation", operation: "enqueue", content: "two", ...clock("12:00:00") },
        { type: "queue-operation", operation: "dequeue", ...clock("12:00:00") },
        prompt("two", { parentUuid: "a-one", ...clock("12:00:00") }),
        answer("two", { parentUuid: "u-two", ...clock("12:00:09") }),
        prompt("<command-name>/exit</command-name>", {
          uuid: "c1",
          parentUuid: "a-two",
          ...clock("18:00:00"),
        }),
        prompt("<local-command-stdout>Bye!</local-command-stdout>", {
          uuid: "c2",
          parentUuid: "c1",
          ...clock("18:00:00"),
        }),
        // Where a session that ended with a line of a user's is resumed.
        answer("No response requested.", {
          uuid: "spacer",
          parentUuid: "c2",
          ...clock("22:00:00"),
          message: {
            id: "spacer",
            role: "assistant",
            model: "<synthetic>",
            content: [{ type: "text", text: "No response requested." }],
          },
        }),
      ],
    }),
  );
  expect(await timesOf(folder)).toEqual([
    [4_000, 4_000],
    [7_000, 7_000, 7_000],
    [9_000, 9_000, 9_000],
  ]);
  const { right } = await settled(() => folder.sessions.compare(ID, { left: null, right: null }));
  expect(right.own.durationMs).toBe(16_000);
});

test("a compaction that is asked for hours behind a turn is none of its time, one in its midst is", async () => {
  const compaction = (parentUuid: string, time: string) => [
    {
      ...{ type: "system", subtype: "compact_boundary", uuid: `b-${time}`, parentUuid: null },
      ...{
        logicalParentUuid: parentUuid,
        compactMetadata: { trigger: "manual", preTokens: 9 },
        ...clock(time),
      },
    },
    prompt("This session is being continued", {
      ...{ uuid: `s-${time}`, parentUuid: `b-${time}`, isCompactSummary: true, ...clock(time) },
    }),
  ];
  const lines = [
    prompt("one", clock("09:00:00")),
    answer("one", { parentUuid: "u-one", ...clock("09:00:04") }),
    ...compaction("a-one", "09:00:30"),
    answer("on", { parentUuid: "s-09:00:30", ...clock("09:00:40") }),
    ...compaction("a-on", "14:00:00"),
  ];
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${ID}.jsonl`]: lines }));
  const { rows } = await rowsOf(folder, ID, "tools");
  expect(rows.flatMap((row) => (row.kind === "turn" ? [row.durationMs] : []))).toEqual([40_000]);
});

/** Who was at work, from and to in seconds after nine. */
async function workOf(lines: Parameters<typeof makeTree>[0][string]): Promise<string[]> {
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${ID}.jsonl`]: lines }));
  const spans = await settled(() => folder.sessions.spans(ID, { branch: null, turn: null, only: null }));
  const seconds = (ms: number) => (ms - Date.parse("2026-01-02T09:00:00.000Z")) / 1000;
  return spans.map(
    ({ turn, kind, startMs, endMs }) => `${turn} ${kind} ${seconds(startMs)}–${seconds(endMs)}`,
  );
}

const synthetic = (text: string, more: Record<string, unknown>) => ({
  message: { id: text, role: "assistant", model: "<synthetic>", content: [{ type: "text", text }] },
  ...more,
});

test("the model was not at work until a session was resumed, but until a request failed", async () => {
  expect(
    await workOf([
      prompt("one", clock("09:00:00")),
      answer("one", { parentUuid: "u-one", ...clock("09:00:05") }),
      answer("spacer", synthetic("No response requested.", { parentUuid: "a-one", ...clock("17:00:00") })),
      prompt("two", { parentUuid: "a-spacer", ...clock("17:00:01") }),
      answer(
        "failed",
        synthetic("API Error", { parentUuid: "u-two", isApiErrorMessage: true, ...clock("17:00:31") }),
      ),
    ]),
  ).toEqual(["1 model 0–5", "1 human 5–28801", "2 model 28801–28831"]);
});

test("a request that was stopped before its answer took until then (up to 2.1.42)", async () => {
  expect(
    await workOf([
      prompt("one", clock("09:00:00")),
      prompt("[Request interrupted by user]", {
        uuid: "stop",
        parentUuid: "u-one",
        message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
        ...clock("09:00:40"),
      }),
      prompt("two", { parentUuid: "stop", ...clock("09:01:00") }),
      answer("two", { parentUuid: "u-two", ...clock("09:01:05") }),
      // The answer was there.
      prompt("[Request interrupted by user]", { uuid: "late", parentUuid: "a-two", ...clock("09:01:09") }),
    ]),
  ).toEqual(["1 model 0–40", "1 human 40–60", "2 model 60–65"]);
});
