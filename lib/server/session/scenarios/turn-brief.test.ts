import { expect, test } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const ID = uuid(1) as SessionId;
// As 2.0.42 writes it for a command that its person refused.
const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

/** A command after a record, and what came of it. */
function shell(name: string, result: string, parentUuid: string) {
  const call = { type: "tool_use", id: `t-${name}`, name: "Bash", input: { command: name } };
  const back = { type: "tool_result", tool_use_id: `t-${name}`, content: result, is_error: true };
  return [
    {
      type: "assistant",
      uuid: `a-${name}`,
      parentUuid,
      message: { id: `m-${name}`, role: "assistant", content: [call] },
    },
    {
      type: "user",
      uuid: `r-${name}`,
      parentUuid: `a-${name}`,
      message: { role: "user", content: [back] },
    },
  ];
}

test("a brief says which commands were refused: they did not fail, since they never ran", async () => {
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${ID}.jsonl`]: [
        prompt("one"),
        ...shell("rm -rf build", REFUSED, "u-one"),
        ...shell("npm test", "Exit code 1", "r-rm -rf build"),
      ],
    }),
  );
  const { commands } = await settled(() => folder.sessions.brief(ID, 1, null));
  const ended = commands.map(({ command, failed, denied = false }) => [command, failed, denied]);
  expect(ended).toEqual([
    ["rm -rf build", true, true],
    ["npm test", true, false],
  ]);
});
