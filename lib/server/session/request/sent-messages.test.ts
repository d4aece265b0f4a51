import { afterAll, describe, expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scan } from "@/lib/server/scan/scanned-session";
import { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { sharedRecording } from "@/lib/testing/recorded";
import { idOf, openFolder, settled } from "@/lib/testing/transcript";
import { requestRef } from "./recorded-request";
import { sentMessages } from "./sent-messages";

describe("the messages of a request that the client logged (2.1.330)", () => {
  const recording = sharedRecording("2.1.330");
  afterAll(() => recording[Symbol.dispose]());

  test("lead to the conversation's records, not to the log of requests", async () => {
    const catalog = new Catalog([{ path: recording.claudeDir, kind: "config" }]);
    await catalog.list();
    const strays: string[] = [];
    let led = 0;
    for (const { id } of catalog.summaries()) {
      const files = catalog.sessionFiles(id);
      const request = await scanRequest(files);
      const session = new OpenSession(files, request.logs, await scan(request, () => undefined), 1);
      const last = await lastRecorded(session);
      if (last === -1) continue;
      const sent = await sentMessages(session, session.recordId(last), {
        findRequest: async () => null,
        findEarlier: async () => null,
      });
      if (sent.source !== "recorded") continue;
      for (const [index, { role, content }] of sent.messages.entries()) {
        for (const recordId of sent.notes[index]?.recordIds ?? []) {
          const { records, types } = session.table;
          const type = types.at(records.type.at(session.find(recordId))) ?? "";
          // What the client added by itself is only in its log of requests.
          const isClients = role === "system" || JSON.stringify(content).includes("<system-reminder>");
          if (!type.startsWith("api-request")) led += 1;
          else if (!isClients) strays.push(`${role} ${JSON.stringify(content).slice(0, 90)}`);
        }
      }
    }
    expect(strays).toEqual([]);
    expect(led).toBeGreaterThan(400);
  });
});

/** The last answer that names its request. */
async function lastRecorded(session: OpenSession): Promise<number> {
  const { records, types } = session.table;
  const answers = Array.from({ length: records.size }, (_, record) => record).filter(
    (record) => types.at(records.type.at(record)) === "assistant",
  );
  const read = await readRecords(session, answers, 256);
  return answers.findLast((record) => requestRef(read(record)) !== null) ?? -1;
}

test("a repeated message counts as new", async () => {
  const session = uuid(9);
  const line = (n: number, type: string, text: string) => ({
    ...{ type, uuid: `l${n}`, parentUuid: n === 0 ? null : `l${n - 1}`, sessionId: session },
    timestamp: `2026-01-02T03:04:0${n}.000Z`,
    message:
      type === "user"
        ? { role: "user", content: text }
        : { id: `m${n}`, role: "assistant", model: "claude-x", content: [{ type: "text", text }] },
  });
  const lines = [
    line(0, "user", "go on"),
    line(1, "assistant", "Done."),
    line(2, "user", "go on"),
    line(3, "assistant", "Done."),
    line(4, "user", "go on"),
    line(5, "assistant", "All done."),
  ];
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${session}.jsonl`]: lines }));
  const sent = await settled(() => folder.sessions.messages(idOf(folder, session), "l5"));
  const { notes, dropped } = sent;
  expect(notes.map(({ isNew }) => isNew)).toEqual([false, false, false, true, true]);
  expect(dropped).toMatchObject({ messages: 0, chars: 0 });
});

test("how long a token is follows from what the conversation has grown by, where one model counted it", async () => {
  const session = uuid(10);
  const words = "x".repeat(3000);
  const line = (n: number, input: number | null, model = "claude-x") => ({
    ...{
      type: input === null ? "user" : "assistant",
      uuid: `l${n}`,
      parentUuid: n === 0 ? null : `l${n - 1}`,
    },
    ...{ sessionId: session, timestamp: `2026-01-02T03:04:0${n}.000Z` },
    message:
      input === null
        ? { role: "user", content: words }
        : {
            ...{ id: `m${n}`, role: "assistant", model, content: [{ type: "text", text: words }] },
            usage: { input_tokens: input, output_tokens: 9 },
          },
  });
  const lines = [
    line(0, null),
    // System prompt and tools are no part of the growth.
    line(1, 21_000),
    line(2, null),
    line(3, 23_000),
    line(4, null),
    line(5, 31_000, "claude-y"),
  ];
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${session}.jsonl`]: lines }));
  const charsAToken = async (at: string) =>
    (await settled(() => folder.sessions.messages(idOf(folder, session), at))).charsAToken;
  // A block is its type and its text: 6,008 characters more in 2,000 tokens.
  expect(await charsAToken("l3")).toBe(3);
  expect(await charsAToken("l1")).toBeNull();
  expect(await charsAToken("l4")).toBeNull();
  expect(await charsAToken("l5")).toBeNull();
});
