import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mergeParts } from "@/lib/log/request/assemble";
import { Catalog } from "@/lib/server/library/catalog";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { READINGS } from "@/lib/testing/readings";
import { type RecordedVersion, sharedRecording } from "@/lib/testing/recorded";
import { rebuildRequest } from "./rebuild-request";
import { deriveMessages, recordedRequest, requestLog } from "./recorded-request";

/** A message as the oracle names it: `[role, [block…]]`. */
type Named = [string, string[]];
type Oracle = { calls: Record<string, string>; prefixes: Record<string, Named[]> };

/** Every call of these files, fork copies included: figures of the recordings themselves. */
const CALLS: [RecordedVersion, number][] = [
  ["1.0.60", 138],
  ["2.0.42", 149],
  ["2.0.50", 149],
  ["2.0.76", 179],
  ["2.1.29", 170],
  ["2.1.42", 161],
  ["2.1.330", 212],
];

async function* sessionsOf(
  claudeDir: string,
  read = READINGS["read at once"] as (typeof READINGS)[string],
): AsyncGenerator<OpenSession> {
  const catalog = new Catalog([{ path: claudeDir, kind: "config" }]);
  await catalog.list();
  for (const { id } of catalog.summaries()) yield read(catalog.sessionFiles(id));
}

/**
 * As the oracle was normalised: reminders, system messages and thinking left out, neighbours of one role merged, and the
 * newlines left out with which the client ends a text that it merges (`assemble.test.ts`).
 */
async function prefixOf(session: OpenSession, record: number): Promise<Named[]> {
  const named: Named[] = [];
  for (const { message } of mergeParts(await rebuildRequest(session, record))) {
    const blocks =
      message.role === "system" ? [] : message.content.map(blockName).filter((name) => name !== null);
    if (blocks.length === 0) continue;
    const last = named.at(-1);
    if (last?.[0] === message.role) last[1].push(...blocks);
    else named.push([message.role, blocks]);
  }
  return named;
}

function blockName(block: Record<string, unknown>): string | null {
  switch (block.type) {
    case "text": {
      const text = String(block.text);
      // The recordings hold the client's own long texts as placeholders of this form.
      const isReminder =
        text.startsWith("<system-reminder>") ||
        /^\s*\[\d+ characters of the client's own text\]\s*$/.test(text);
      return isReminder ? null : `text:${text.slice(0, 80).replace(/\n$/, "")}`;
    }
    case "tool_use":
      return `tool_use:${String(block.id)}`;
    case "tool_result":
      return `tool_result:${String(block.tool_use_id)}`;
    case "image":
    case "document":
      return block.type;
    default:
      return null;
  }
}

/** The first message that differs, in words. */
function difference(id: string, want: Named[], got: Named[]): string | null {
  for (let i = 0; i < Math.max(want.length, got.length); i++) {
    const [sent, rebuilt] = [JSON.stringify(want[i]), JSON.stringify(got[i])];
    if (sent !== rebuilt) return `${id}, message ${i}\n  sent    ${sent}\n  rebuilt ${rebuilt}`;
  }
  return null;
}

describe.each(CALLS)("%s", (version, calls) => {
  const recording = sharedRecording(version);
  afterAll(() => recording[Symbol.dispose]());

  test.each(Object.entries(READINGS))(
    `all ${calls} tool calls, %s: the rebuilt messages are those that the client sent`,
    async (_, read) => {
      const oracle = JSON.parse(readFileSync(join(recording.dir, "requests.json"), "utf8")) as Oracle;
      const differences: string[] = [];
      let compared = 0;
      for await (const session of sessionsOf(recording.claudeDir, read)) {
        for (const { id, record } of await callsOf(session)) {
          const want = oracle.prefixes[oracle.calls[id] ?? ""];
          if (!want) continue;
          compared += 1;
          const found = difference(id, want, await prefixOf(session, record));
          if (found) differences.push(found);
        }
      }
      expect(differences.join("\n")).toBe("");
      expect(compared).toBe(calls);
    },
  );
});

async function callsOf(session: OpenSession): Promise<{ id: string; record: number }[]> {
  const { calls, blocks } = session.table;
  const uses = Array.from({ length: calls.size }, (_, call) => calls.use.at(call)).filter(
    (use) => use !== -1,
  );
  const read = await readRecords(
    session,
    uses.map((use) => blocks.record.at(use)),
    256,
  );
  return uses.map((use) => {
    const record = blocks.record.at(use);
    const line = read(record);
    const block = line?.kind === "assistant" ? line.blocks[blocks.index.at(use)] : undefined;
    return { id: block?.kind === "tool-use" ? (block.id ?? "") : "", record };
  });
}

describe("the request log of 2.1.330", () => {
  const recording = sharedRecording("2.1.330");
  afterAll(() => recording[Symbol.dispose]());

  test("every request resolves, and every hash of a message or shape is that of what it names", async () => {
    const figures = { requests: 0, resolved: 0, matched: 0, total: 0, underivable: 0 };
    for await (const session of sessionsOf(recording.claudeDir)) {
      const log = await requestLog(session);
      const derived = await deriveMessages(session);
      for (const { id, tail } of log.requests.values()) {
        figures.requests += 1;
        figures.underivable += tail.filter((hash) => !log.blobs.has(hash) && !derived.has(hash)).length;
        const request = await recordedRequest(session, id);
        if (!request) continue;
        figures.resolved += 1;
        figures.matched += request.verified.matched;
        figures.total += request.verified.total;
      }
    }
    expect(figures).toEqual({ requests: 357, resolved: 357, matched: 2494, total: 2494, underivable: 0 });
  });
});
