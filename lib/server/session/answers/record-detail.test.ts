import { expect, it } from "vitest";
import { Redaction } from "@/lib/redact/redaction";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { READINGS } from "@/lib/testing/readings";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { recordDetail } from "./record-detail";

it.each([0, 1, 2])("the raw text of a long line ends with a whole character: %d", async (shift) => {
  const text = "x".repeat(shift) + "漢".repeat(400_000);
  const said = answer("long", { parentUuid: "u-go" });
  const message = { ...(said.message as object), content: [{ type: "text", text }] };
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt("go", { parentUuid: null }), { ...said, message }],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const { raw } = await recordDetail(session, session.recordId(session.findUuid("a-long")));
  expect([raw.text.slice(-2), raw.cut]).toEqual(["漢漢", true]);
});

it("a line does not count as cut because its secrets were replaced by shorter placeholders", async () => {
  const secret = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [prompt(`use ${secret}`, { uuid: "u", parentUuid: null })],
  });
  const { sessions } = await openFolder(root);
  const session = await sessions.latest(uuid(1) as SessionId);
  const { raw } = await recordDetail(session.redactedBy(new Redaction()), session.recordId(0));
  expect([raw.text.includes("use [github-token 1]"), raw.cut]).toEqual([true, false]);
});

it("a line's children are in the order of the logs, however the session was opened", async () => {
  const at = (seconds: number) => `2026-01-02T03:04:0${seconds}.000Z`;
  const folder = `projects/-home-dev-shop/${uuid(1)}`;
  const { catalog } = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: [
        prompt("go", { parentUuid: null, timestamp: at(1) }),
        answer("one", { parentUuid: "u-go", timestamp: at(3) }),
      ],
      [`${folder}/subagents/agent-a1.jsonl`]: [
        prompt("look", { parentUuid: "u-go", timestamp: at(2), isSidechain: true, agentId: "a1" }),
      ],
    }),
  );
  for (const open of Object.values(READINGS)) {
    const session = await open(catalog.sessionFiles(uuid(1) as SessionId));
    const id = (of: string) => session.recordId(session.findUuid(of));
    expect((await recordDetail(session, id("u-go"))).children).toEqual([id("a-one"), id("u-look")]);
  }
});
