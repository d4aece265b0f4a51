import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { listMisses } from "./find-misses";

/** More than a call can have arguments. */
const LINES = 130_000;

test("a request that missed is found, however many lines the first one sent", async () => {
  const said = (text: string, parentUuid: string, cacheWrite: number) =>
    answer(text, {
      parentUuid,
      message: {
        id: `m-${text}`,
        role: "assistant",
        model: "claude-opus-4-5-20251101",
        content: [{ type: "text", text }],
        usage: { input_tokens: 3, output_tokens: 5, cache_creation_input_tokens: cacheWrite },
      },
    });
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      ...Array.from({ length: LINES }, (_, n) =>
        prompt("more", { uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}` }),
      ),
      said("one", `u${LINES - 1}`, 100_000),
      prompt("again", { parentUuid: "a-one" }),
      said("two", "u-again", 100_100),
    ],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const missed = (await listMisses(session)).map(({ recordId }) => recordId);
  expect(missed).toEqual([session.recordId(session.findUuid("a-two"))]);
});
