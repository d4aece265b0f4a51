import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import type { RequestsQuery } from "@/lib/wire/requests/model-requests";

const ID = uuid(1) as SessionId;
/** A session of so many requests in the main thread, and of three in an agent's. */
async function openThreads(requests: number) {
  const lines = ["first", ...Array.from({ length: requests - 1 }, (_, nth) => `${nth}`)].flatMap(
    (name, nth) => [
      prompt(`Ask ${name}`, { uuid: `p${nth}`, parentUuid: nth === 0 ? null : `a${nth - 1}`, sessionId: ID }),
      answerNamed(`a${nth}`, `p${nth}`, {}),
    ],
  );
  const agent = { isSidechain: true, agentId: "b1", sessionId: ID };
  const own = [0, 1, 2].flatMap((nth) => [
    prompt("Do it", { uuid: `bp${nth}`, parentUuid: nth === 0 ? null : `ba${nth - 1}`, ...agent }),
    answerNamed(`ba${nth}`, `bp${nth}`, agent),
  ]);
  const folder = await openFolder(
    makeTree({
      [`projects/-a/${ID}.jsonl`]: lines,
      [`projects/-a/${ID}/subagents/agent-b1.jsonl`]: own,
    }),
  );
  const page = (query: Partial<RequestsQuery>) =>
    settled(() =>
      folder.sessions.requestsPage(ID, {
        agent: null,
        step: null,
        limit: 5000,
        cursor: null,
        threads: false,
        ...query,
      }),
    );
  return { page, all: await settled(() => folder.sessions.requests(ID)) };
}

function answerNamed(id: string, parentUuid: string, more: object) {
  const line = answer("Yes", { uuid: id, parentUuid, sessionId: ID, ...more });
  const usage = { input_tokens: 10, output_tokens: 1 };
  const model = "claude-opus-4-5-20251101";
  return { ...line, requestId: id, message: { ...(line.message as object), id: `msg-${id}`, model, usage } };
}

test("pages of a thread are together all of its requests, and no page is larger than a megabyte", async () => {
  const { page, all } = await openThreads(4000);
  const main = all.filter(({ agentId }) => agentId === null);
  const read: SessionRequest[] = [];
  let pages = 0;
  for (let cursor: string | null = null; pages === 0 || cursor !== null; pages++) {
    const part = await page({ cursor });
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(1_000_000);
    expect([part.agentId, part.total]).toEqual([null, 4000]);
    // Which threads there are is said once.
    expect(part.threads.length > 0).toBe(cursor === null);
    read.push(...part.requests);
    cursor = part.nextCursor;
  }
  expect(pages).toBe(2);
  expect(read).toEqual(main);
});

test("the thread is that of the request that is named, else the agent's, else the main one", async () => {
  const { page, all } = await openThreads(4);
  const agents = all.filter(({ agentId }) => agentId !== null);
  const last = agents.at(-1)?.recordId ?? null;
  const { threads } = await page({});
  expect(threads).toEqual([
    { agentId: null, first: all.find(({ agentId }) => agentId === null)?.recordId, requests: 4 },
    { agentId: "b1", first: agents[0]?.recordId, requests: 3 },
  ]);
  const shown = async (query: Partial<RequestsQuery>) => (await page(query)).agentId;
  expect(await shown({ step: last })).toBe("b1");
  expect(await shown({ agent: "b1" as AgentId })).toBe("b1");
  expect(await shown({ agent: "b9" as AgentId, step: "m~zz" })).toBeNull();
  expect(await shown({ step: threads[0]?.first ?? null, agent: "b1" as AgentId })).toBeNull();
  const part = await page({ agent: "b1" as AgentId, limit: 2 });
  expect([part.requests, part.nextCursor]).toEqual([agents.slice(0, 2), "2"]);
  await expect(page({ cursor: "x" })).rejects.toMatchObject({ code: "bad-cursor" });
});
