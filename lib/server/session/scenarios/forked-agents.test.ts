import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { AgentId, SessionId } from "@/lib/wire/ids";

const SESSION = uuid(1) as SessionId;
const AGENT = "a00112233445566aa" as AgentId;
const BOILERPLATE = `<fork-boilerplate>\nYou are a worker fork. ${"Execute one directive, then stop. ".repeat(30)}\n</fork-boilerplate>`;

/** A session whose person sent an agent off with its conversation (`/subtask`, 2.1.332), as its logs say it. */
function forkedTree(): string {
  const own = { sessionId: SESSION, agentId: AGENT, isSidechain: true };
  return makeTree({
    [`projects/-shop/${SESSION}.jsonl`]: [
      prompt("what is this", { sessionId: SESSION, parentUuid: null }),
      answer("a shop", { sessionId: SESSION, parentUuid: "u-what is this" }),
      prompt("go on", { sessionId: SESSION, parentUuid: "a-a shop" }),
      answer("gone on", { sessionId: SESSION, parentUuid: "u-go on" }),
    ],
    [`projects/-shop/${SESSION}/subagents/agent-${AGENT}.jsonl`]: [
      {
        ...{ type: "fork-context-ref", agentId: AGENT, parentSessionId: SESSION },
        ...{ parentLastUuid: "a-a shop", contextLength: 2 },
      },
      prompt(`${BOILERPLATE}\n\nYour directive: look around`, { ...own, uuid: "u-look", parentUuid: null }),
      answer("three files", { ...own, parentUuid: "u-look" }),
    ],
    [`projects/-shop/${SESSION}/subagents/agent-${AGENT}.meta.json`]: [
      { agentType: "fork", isFork: true, description: "look around" },
    ],
  });
}

test("an agent that was given the conversation was sent that, up to where it was sent off", async () => {
  const folder = await openFolder(forkedTree());
  const { messages } = await settled(() => folder.sessions.messages(SESSION, "a-three files"));
  const texts = messages.map(
    ({ role, content }) => `${role}: ${(content as { text?: string }[])[0]?.text?.slice(-11)}`,
  );
  expect(texts).toEqual(["user: hat is this", "assistant: a shop", "user: look around"]);
  // Its session's own next request has none of it.
  const own = await settled(() => folder.sessions.messages(SESSION, "a-gone on"));
  expect(own.messages).toHaveLength(3);
  expect(await settled(() => folder.sessions.requests(SESSION))).toHaveLength(3);
});

test("its prompt is its directive, without the words that it is told ahead of that", async () => {
  const folder = await openFolder(forkedTree());
  const { rows } = await rowsOf(folder, SESSION, "conversation", { agent: AGENT });
  const [turn] = rows;
  expect(turn?.kind === "turn" && turn.prompt.text).toBe("Your directive: look around");
});
