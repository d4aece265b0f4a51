import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { LogWriter } from "@/lib/testing/log-writer";
import { idOf, openFolder } from "@/lib/testing/transcript";
import type { LiveState } from "@/lib/wire/live";
import type { Live } from "./live";
import { hasEndedLately, nowTiles, readQuestions } from "./now-tiles";

const NOW = new Date(2026, 10, 21, 14, 58).getTime();

test.each([
  ["half an hour ago", -30, true],
  ["by a clock a minute ahead", 1, true],
  ["two hours ago", -120, false],
  ["tomorrow", 24 * 60, false],
])("whether a session whose last line is of %s has ended lately", (_, minutes, ended) => {
  const lastActiveAtMs = NOW + minutes * 60_000;
  expect(hasEndedLately({ state: "ended", lastActiveAtMs }, NOW)).toBe(ended);
  expect(hasEndedLately({ state: "running", lastActiveAtMs }, NOW)).toBe(false);
});

test("a question is read with its options, in whatever shape they come", () => {
  const input = {
    questions: [
      {
        header: "Colour",
        question: "Which?",
        multiSelect: true,
        options: [{ label: "Red", description: "as the logo" }, "Blue", { description: "no label" }],
      },
      { header: "No question" },
    ],
  };
  expect(readQuestions(input)).toEqual([
    {
      header: "Colour",
      question: "Which?",
      multiple: true,
      options: [
        { label: "Red", description: "as the logo" },
        { label: "Blue", description: null },
      ],
    },
  ]);
  for (const unknown of [null, {}, { questions: "none" }, { questions: [null, 3] }])
    expect(readQuestions(unknown)).toBeNull();
});

test("a tile has the question that its person is asked, as long as it is not answered", async () => {
  const log = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
  const root = makeTree({ [log]: [prompt("Mend it", { sessionId: uuid(1), parentUuid: null })] });
  const writer = new LogWriter(join(root, log));
  const asked = writer.call("AskUserQuestion", { questions: [{ question: "Which one?", options: [] }] });
  const questions = async () => {
    const folder = await openFolder(root);
    const state = { sessionId: idOf(folder, uuid(1)), state: "waiting", gone: false } as LiveState;
    const live = { recent: () => [state], state: () => state } as unknown as Live;
    const { tiles } = await nowTiles({ ...folder, live, config: { flags: [] } });
    return tiles.map((tile) => tile.questions?.map(({ question }) => question) ?? null);
  };
  expect(await questions()).toEqual([["Which one?"]]);
  writer.result(asked, "The first");
  expect(await questions()).toEqual([null]);
});

test("a tile says what resuming its session needs, as its page does, where its folder is gone", async () => {
  const log = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
  const root = makeTree({
    [log]: [prompt("Mend it", { sessionId: uuid(1), parentUuid: null, cwd: "/nowhere/dev/shop" })],
  });
  const folder = await openFolder(root);
  const state = { sessionId: idOf(folder, uuid(1)), state: "waiting", gone: false } as LiveState;
  const live = { recent: () => [state], state: () => state } as unknown as Live;
  const { tiles } = await nowTiles({ ...folder, live, config: { flags: [] } });
  expect(tiles.map(({ resumeProblem }) => resumeProblem?.message)).toEqual([
    "The folder /nowhere/dev/shop is not there",
  ]);
});
