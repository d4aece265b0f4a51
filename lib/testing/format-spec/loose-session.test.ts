import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { asArray, asObject } from "@/lib/log/records/json";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import {
  detailOf,
  idOf,
  type OpenFolder,
  openFolder,
  rowsOf,
  settled,
  transcriptOf,
} from "@/lib/testing/transcript";
import { fixtureFolder } from "../recorded";
import { blocksOf, type FixtureLine, linesOf } from "./fixture-lines";

/**
 * One session in a loose folder (2.0.76): a main log and its agents, outside any config folder, shown by
 * `lib/testing/fixtures/older/loose`.
 */
describe("a single session's logs", () => {
  const MAIN = "0c000000-0000-4000-8000-00000000ccc1";
  let folder: OpenFolder;
  let told: string[];
  let lines: FixtureLine[];

  beforeAll(async () => {
    const catalog = new Catalog([{ path: join(fixtureFolder("older"), "loose"), kind: "loose" }]);
    await catalog.list();
    folder = { catalog, sessions: createSessions(catalog, { scan }) };
    told = (await transcriptOf(folder, MAIN)).map((line) => line.trim());
    lines = linesOf("older").filter(({ file }) => file.startsWith("loose/"));
  });

  describe("What files belong to one session?", () => {
    it("the main log and every agent-*.jsonl beside it: one session in the list", () => {
      expect(folder.catalog.summaries().map(({ id, title }) => `${id}: ${title}`)).toEqual([
        `${MAIN}: Count the trees`,
      ]);
      expect(folder.catalog.sessionFiles(idOf(folder, MAIN)).agents.map(({ name }) => name)).toEqual([
        "agent-aaaa001.jsonl",
        "agent-aaaa002.jsonl",
      ]);
    });

    it("otherwise: the file decides, not the line's sessionId: forks of 2.0.42 to 2.1.42 copy lines with the old one", async () => {
      const root = makeTree({
        [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
          prompt("copied", { sessionId: uuid(9) }),
          prompt("own", { sessionId: uuid(1), parentUuid: "u-copied" }),
        ],
      });
      const forked = await openFolder(root);
      expect((await detailOf(forked, idOf(forked, uuid(1)))).counts).toMatchObject({ records: 2, turns: 2 });
    });
  });

  describe("Identifier glossary", () => {
    it("one answer's lines share requestId and message.id: they are one message", async () => {
      const answers = lines.filter(({ json }) => json.type === "assistant");
      const ids = new Set(answers.map(({ json }) => asObject(json.message)?.id));
      expect((await detailOf(folder, idOf(folder, MAIN))).counts.messages).toBe(ids.size);
      expect(ids.size).toBeLessThan(answers.length);
    });

    it("an update's messageId differs, its snapshot's stays: the update names the snapshot's line", async () => {
      const updates = linesOf("2.0.76").filter(({ json }) => json.isSnapshotUpdate === true);
      expect(updates.every(({ json }) => json.messageId !== asObject(json.snapshot)?.messageId)).toBe(true);
      const recorded = await openFolder(fixtureFolder("2.0.76"));
      const [update] = updates;
      const { rows } = await rowsOf(recorded, idOf(recorded, uuidIn(update?.file)), "everything");
      const threads = rows.flatMap((row) =>
        row.kind === "bookkeeping" && row.type === "file-history-snapshot"
          ? [row.text.replace(/^update of the snapshot /, "").split(":")[0]]
          : [],
      );
      expect(
        threads.filter((thread) => thread === `for ${String(asObject(update?.json.snapshot)?.messageId)}`)
          .length,
      ).toBeGreaterThan(1);
    });
  });

  describe("Common envelope fields", () => {
    it("thinkingMetadata and todos on prompts are told with the turn", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, MAIN), "prompts");
      const turn = rows.find((row) => row.kind === "turn");
      expect(turn?.kind === "turn" && turn.settings).toEqual({
        plan: "quiet-picking-turing",
        thinking: "high",
        "to do": "0 of 1 done, next: Count the trees",
      });
    });
  });

  describe("assistant records", () => {
    it("several calls before the first result, answered in another order", () => {
      const results = lines
        .filter(({ file }) => !file.includes("agent-"))
        .flatMap(blocksOf)
        .filter(({ type }) => type === "tool_result");
      expect(results.slice(0, 2).map(({ tool_use_id }) => tool_use_id)).toEqual(["toolu_o_t2", "toolu_o_t1"]);
      expect(told.slice(1, 4)).toEqual([
        "thinks: Two of us are faster.",
        "“I ask two helpers.”",
        "Task Count the apples (Explore)",
      ]);
    });

    it("synthetic answers are the client's errors, and explain a call without a result", () => {
      expect(told.slice(-2)).toEqual([
        expect.stringContaining("no result in the log"),
        "[error: API error] Limit reached",
      ]);
    });

    it("otherwise: stop_reason end_turn is recorded as well (2.0.76)", () => {
      const stops = linesOf("2.0.76").flatMap(({ json }) => asObject(json.message)?.stop_reason ?? []);
      expect(stops).toContain("end_turn");
    });
  });

  describe("user records", () => {
    it("A–D: a prompt, results, commands, meta lines: one turn, and a summary that is none", async () => {
      const { counts } = await detailOf(folder, idOf(folder, MAIN));
      expect({ turns: counts.turns, compactions: counts.compactions }).toEqual({ turns: 1, compactions: 1 });
    });
  });

  describe("system records: context compaction boundaries", () => {
    it("stitched: the thread goes on over the boundary, with the summary in it", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, MAIN), "conversation");
      const compaction = rows.find((row) => row.kind === "compaction");
      expect(compaction).toMatchObject({ trigger: "auto", preTokens: 156_953 });
      expect(compaction?.kind === "compaction" && compaction.summary?.text).toContain("Twelve apple trees.");
      expect((await detailOf(folder, idOf(folder, MAIN))).counts.branches).toBe(1);
    });
  });

  describe("file-history-snapshot records; queue-operation records", () => {
    it("have no uuid, and stand where they were written", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, MAIN), "everything");
      expect(rows.flatMap((row) => (row.kind === "bookkeeping" ? [row.type] : []))).toEqual([
        "file-history-snapshot",
        "queue-operation",
        "queue-operation",
      ]);
      expect(
        lines.filter(({ json }) => json.type === "queue-operation").some(({ json }) => "uuid" in json),
      ).toBe(false);
    });

    it("a queued slash command is no turn", () => {
      expect(told.filter((line) => line.includes("rate-limit"))).toEqual([]);
    });
  });

  describe("Sub-agents / sidechains", () => {
    it("are joined to their calls, with type, description and state", async () => {
      const { agents } = await settled(() =>
        folder.sessions.agents(idOf(folder, MAIN), { limit: 10, cursor: null }),
      );
      const said = agents.map(
        ({ agentId, type, description, state }) => `${agentId}: ${type} “${description}” ${state}`,
      );
      expect(said.sort()).toEqual([
        "aaaa001: Plan “Plan the pears” done",
        "aaaa002: Explore “Count the apples” done",
      ]);
    });
  });

  describe("Assistant API error records", () => {
    it("are rows of the conversation, as errors", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, MAIN), "conversation");
      expect(rows.filter((row) => row.kind === "event" && row.level === "error")).toHaveLength(1);
    });
  });

  describe("Reconstructing one session", () => {
    it("otherwise: siblings stand in file order, not by time, which is disordered", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, MAIN), "everything");
      const offsets = rows
        .filter(({ recordId, kind }) => recordId.startsWith("m~") && kind !== "agent-return")
        .map(({ recordId }) => Number.parseInt(recordId.slice(2), 36));
      expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    });

    it("every record is counted, agents included", async () => {
      expect((await detailOf(folder, idOf(folder, MAIN))).counts.records).toBe(lines.length);
    });
  });

  describe("Minimal examples", () => {
    it("A–D in one: chain, chunks, pairing, boundary", () => {
      expect(told.filter((line) => !line.startsWith("agent "))).toEqual([
        "turn 1: Count the trees",
        "thinks: Two of us are faster.",
        "“I ask two helpers.”",
        "Task Count the apples (Explore)",
        "turn 1: Count the apple trees",
        expect.stringMatching(/^Read trees\.txt/),
        "“Twelve.”",
        "Task Plan the pears (Plan)",
        "turn 1: Plan where pears go",
        "“Behind the barn.”",
        "answer: Behind the barn.",
        "answer: Twelve.",
        expect.stringMatching(/^TodoWrite/),
        "── compacted (auto) ──",
        expect.stringMatching(/^Bash wc -l trees/),
        "[error: API error] Limit reached",
      ]);
    });
  });

  describe("Schema summary checklist", () => {
    it("long lines, overloaded users, chunks, late results, boundaries, sidechains: nothing is unreadable or unknown", async () => {
      const { counts } = await detailOf(folder, idOf(folder, MAIN));
      expect({ unreadable: counts.unreadable, unknown: counts.unknown }).toEqual({
        unreadable: 0,
        unknown: 0,
      });
      expect(asArray(folder.catalog.warnings)).toEqual([]);
    });
  });
});

function uuidIn(file: string | undefined): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(file ?? "")?.[1] ?? "";
}
