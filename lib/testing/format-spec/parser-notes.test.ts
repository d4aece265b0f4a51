import { beforeAll, describe, expect, it } from "vitest";
import { asObject } from "@/lib/log/records/json";
import { listExtras, readTypedHistory } from "@/lib/server/extras/session-extras";
import {
  detailOf,
  idOf,
  type OpenFolder,
  openFolder,
  rowsOf,
  settled,
  transcriptOf,
} from "@/lib/testing/transcript";
import type { ToolRow } from "@/lib/wire/rows";
import { fixtureFolder } from "../recorded";
import { linesOf, typeOf } from "./fixture-lines";

/**
 * The parser's notes on 2.1.42. What its examples have and the recordings don't is shown by
 * `lib/testing/fixtures/older/projects/-home-dev-beacon`.
 */
describe("the session format of 2.1.42", () => {
  const BEACON = "0b000000-0000-4000-8000-00000000bbb1";
  const VERSION = "2.1.42";
  let folder: OpenFolder;
  let told: string[];
  let tools: ToolRow[];

  beforeAll(async () => {
    folder = await openFolder(fixtureFolder("older"));
    told = (await transcriptOf(folder, BEACON)).map((line) => line.trim());
    const { rows } = await rowsOf(folder, idOf(folder, BEACON), "everything");
    tools = rows.flatMap((row) => (row.kind === "tool" ? [row] : []));
  });

  const ofType = (type: string) => linesOf(VERSION).filter((line) => typeOf(line) === type);

  describe("1. User Message", () => {
    it("the four rules for a human turn: a string, no command, no interruption, not meta", () => {
      expect(told.filter((line) => line.startsWith("turn "))).toEqual(["turn 1: Fix the login"]);
      expect(told.slice(-2)).toEqual(["[warning: Interrupted]", "[/clear]"]);
    });
  });

  describe("4. System Message", () => {
    it("api_error: a warning with the attempt; stop_hook_summary: book-keeping", async () => {
      expect(told).toContain("[warning: API error, retry 1 of 10] 529 Overloaded");
      const everything = await transcriptOf(folder, BEACON, "everything");
      expect(everything).toContain("  · system/stop_hook_summary");
    });

    it("microcompact_boundary: the calls that it names are marked as cleared from the context", () => {
      expect(
        tools.map(({ name, subject, cleared }) => `${name} ${subject}${cleared ? ", cleared" : ""}`),
      ).toEqual([
        "Read login.py, cleared",
        "Grep session, cleared",
        "Edit login.py",
        "Bash npm run deploy",
        "Bash npm test",
      ]);
    });

    it("compact_boundary, recorded: the same thread, and its summary", async () => {
      const recorded = await openFolder(fixtureFolder(VERSION));
      const [boundary] = ofType("system").filter(({ json }) => json.subtype === "compact_boundary");
      const { rows } = await rowsOf(recorded, idOf(recorded, uuidIn(boundary?.file)), "conversation");
      expect(rows.some((row) => row.kind === "compaction" && row.summary !== null)).toBe(true);
    });
  });

  describe("5. File History Snapshot", () => {
    it("backups name files of file-history/<session>/, which are linked from the session", async () => {
      const { extras } = await listExtras(folder.catalog.surroundings(idOf(folder, BEACON)));
      expect(extras.filter(({ kind }) => kind === "file-history").map(({ name }) => name)).toEqual([
        `file-history/${BEACON}/094de626321f00d3@v1`,
      ]);
    });
  });

  describe("6. Queue Operation", () => {
    it("enqueue and dequeue, recorded; `complete` is read and shown, though never recorded", async () => {
      expect(new Set(ofType("queue-operation").map(({ json }) => json.operation))).toEqual(
        new Set(["enqueue", "dequeue", "remove"]),
      );
      expect(
        (await transcriptOf(folder, BEACON, "everything")).filter((line) => line.includes("queue-operation")),
      ).toHaveLength(1);
    });
  });

  describe("Conversation Threading Model", () => {
    it("sidechains: files below <session>/subagents/", async () => {
      const recorded = await openFolder(fixtureFolder(VERSION));
      const agents = linesOf(VERSION).filter(({ file }) => file.includes("/subagents/agent-"));
      const session = agents[0]?.file.split("/")[2] ?? "";
      const found = await settled(() =>
        recorded.sessions.agents(idOf(recorded, session), { limit: 100, cursor: null }),
      );
      expect(found.agents).toHaveLength(new Set(agents.map(({ file }) => file)).size);
    });

    it("zero or several results for one call are what they are", async () => {
      const never = tools.find(({ subject }) => subject === "npm run deploy");
      const twice = tools.find(({ subject }) => subject === "npm test");
      const id = idOf(folder, BEACON);
      const call = async (row: ToolRow | undefined) => {
        if (!row) throw new Error("The fixture has lost a call");
        return settled(() => folder.sessions.call(id, row.recordId, row.block));
      };
      expect((await call(never)).results).toEqual([]);
      expect(
        (await call(twice)).results.map(
          ({ isError, blocks }) => `${isError} ${blocks[0]?.kind === "text" ? blocks[0].text.text : ""}`,
        ),
      ).toEqual(["true 1 of 2 passed", "false 2 of 2 passed"]);
    });
  });

  describe(".claude Directory Structure", () => {
    it("plans, todos, tasks, memory, file-history and history are linked from the session, and none is needed", async () => {
      const { extras } = await listExtras(folder.catalog.surroundings(idOf(folder, BEACON)));
      expect(extras.map(({ kind }) => kind)).toEqual([
        "plan",
        "plan",
        "todos",
        "task",
        "memory",
        "file-history",
        "history",
      ]);
      expect(
        (await detailOf(folder, idOf(folder, "0a000000-0000-4000-8000-00000000aaa1"))).counts.unknown,
      ).toBe(0);
    });

    it("history.jsonl: the lines of this session", async () => {
      const history = await readTypedHistory(folder.catalog.surroundings(idOf(folder, BEACON)));
      expect(
        history?.text
          .trim()
          .split("\n")
          .map((line) => asObject(JSON.parse(line))?.display),
      ).toEqual(["Fix the login"]);
    });
  });

  describe("Implications", () => {
    it("what a turn's brief needs is there: intent, calls, changed lines", async () => {
      const outline = await settled(() =>
        folder.sessions.outline(idOf(folder, BEACON), {
          branch: null,
          from: 0,
          count: 10,
          detail: "tools",
          fold: [],
        }),
      );
      expect(outline.turns).toMatchObject([
        { prompt: "Fix the login", toolCalls: 5, errors: 1, added: 1, removed: 1 },
      ]);
    });

    it("otherwise: what it would skip is kept: progress, system lines, thinking and results are all records", async () => {
      const { counts } = await detailOf(folder, idOf(folder, BEACON));
      expect(counts.records).toBe(linesOf("older").filter(({ file }) => file.includes(BEACON)).length);
    });
  });
});

function uuidIn(file: string | undefined): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(file ?? "")?.[1] ?? "";
}
