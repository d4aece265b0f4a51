import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { idOf, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import { RowsRequest } from "@/lib/wire/requests/threads";

const SESSION = uuid(1);
const NAMES = ["abc", "abc (1)", "abc copy", "%2e%2e", "a\u202eb", "__proto__", "x,y@z:1", ""];

const line = (id: string, text: string) => ({
  ...prompt(text, { agentId: id, isSidechain: true, sessionId: SESSION, parentUuid: null }),
  uuid: `u-${id}`,
});

test("every agent that is listed can be opened, whatever its file is called: a copy of one, or worse", async () => {
  const folder = `projects/-home-dev-shop/${SESSION}`;
  const root = makeTree({
    [`${folder}.jsonl`]: [prompt("begin"), answer("one", { parentUuid: "u-begin" })],
    ...Object.fromEntries(
      NAMES.map((name) => [`${folder}/subagents/agent-${name}.jsonl`, [line(name, `of <${name}>`)]]),
    ),
  });
  const opened = await openFolder(root);
  const id = idOf(opened, SESSION);
  const { agents } = await settled(() => opened.sessions.agents(id, { limit: 100, cursor: null }));
  const read: string[] = [];
  for (const { agentId } of agents) {
    // As the route reads it of an address.
    const { agent } = RowsRequest.parse({ agent: agentId });
    const { rows } = await rowsOf(opened, id, "everything", { agent: agent ?? undefined });
    read.push(...rows.flatMap((row) => (row.kind === "turn" ? [row.prompt.text] : [])));
  }
  expect(read.toSorted()).toEqual(NAMES.map((name) => `of <${name}>`).toSorted());
  expect(agents.map(({ agentId }) => agentId)).toEqual(expect.arrayContaining(["abc", "__proto__"]));
});
