import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

test("prompts that differ behind their first words are not the same", async () => {
  const LONG = "Look at the parser and mend what is wrong with it. ".repeat(20);
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
        prompt("first"),
        answer("one", { parentUuid: "u-first" }),
        prompt(`${LONG}Begin with the strings.`, { uuid: "u-left", parentUuid: "a-one" }),
        answer("left", { parentUuid: "u-left" }),
        prompt("Again.", { uuid: "u-left-again", parentUuid: "a-left" }),
        prompt(`${LONG}Begin with the numbers.`, { uuid: "u-right", parentUuid: "a-one" }),
        answer("right", { parentUuid: "u-right" }),
        prompt("Again.", { uuid: "u-right-again", parentUuid: "a-right" }),
      ],
    }),
  );
  const id = uuid(1) as SessionId;
  const { turns } = await settled(() => folder.sessions.compare(id, { left: null, right: null }));
  expect(turns.map(({ left, right, samePrompt }) => [left?.turn, right?.turn, samePrompt])).toEqual([
    [2, 2, false],
    [3, 3, true],
  ]);
});
