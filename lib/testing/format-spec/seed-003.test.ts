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
import { fixtureFolder } from "../fixture-folder";
import { blocksOf, kindOf, linesOf, typeOf } from "./fixture-lines";

/**
 * The parser's notes on 2.1.42. What its examples have and the recordings don't is shown by
 * `lib/testing/fixtures/older/projects/-home-dev-beacon`.
 */
describe("seed 003, the session format of 2.1.42", () => {
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

  describe("Message Types", () => {
    it("the six types: all are recorded, and custom-title besides", () => {
      expect(new Set(linesOf(VERSION).map(typeOf))).toEqual(
        new Set([
          "user",
          "assistant",
          "progress",
          "system",
          "file-history-snapshot",
          "queue-operation",
          "custom-title",
        ]),
      );
    });
  });

  describe("Common Fields", () => {
    it("otherwise: not of all types: snapshots have none of them, queue operations only two", () => {
      const snapshot = ofType("file-history-snapshot")[0]?.json ?? {};
      const operation = ofType("queue-operation")[0]?.json ?? {};
      const fields = ["uuid", "parentUuid", "sessionId", "timestamp", "cwd", "version"];
      expect(fields.filter((field) => field in snapshot)).toEqual([]);
      expect(fields.filter((field) => field in operation)).toEqual(["sessionId", "timestamp"]);
    });
  });

  describe("1. User Message", () => {
    it("permissionMode, thinkingMetadata, sourceToolAssistantUUID are where it says", () => {
      const users = ofType("user");
      expect(users.some(({ json }) => typeof json.permissionMode === "string")).toBe(true);
      const results = users.filter(
        (line) =>
          line.json.isSidechain === false && blocksOf(line).some(({ type }) => type === "tool_result"),
      );
      expect(results.every(({ json }) => json.sourceToolAssistantUUID === json.parentUuid)).toBe(true);
    });

    it("the four rules for a human turn: a string, no command, no interruption, not meta", () => {
      expect(told.filter((line) => line.startsWith("turn "))).toEqual(["turn 1: Fix the login"]);
      expect(told.slice(-2)).toEqual(["[warning: Interrupted]", "[/clear]"]);
    });

    it("otherwise: what a person typed while a tool ran is in the queue alone (2.1.42)", () => {
      const texts = new Set(ofType("user").map(({ json }) => asObject(json.message)?.content));
      const queued = ofType("queue-operation").filter(
        ({ json }) => json.operation === "enqueue" && !String(json.content).startsWith("<"),
      );
      expect(queued.some(({ json }) => !texts.has(json.content))).toBe(true);
    });

    it("otherwise: a prompt may be an array: an interruption is one, and not a person's", () => {
      const arrays = ofType("user").filter(
        (line) =>
          kindOf(asObject(line.json.message)?.content) === "array" &&
          blocksOf(line).every(({ type }) => type === "text"),
      );
      expect(arrays.length).toBeGreaterThan(0);
    });
  });

  describe("2. Assistant Message", () => {
    it("lines of one answer, each with a block; stop_reason null", () => {
      const answers = ofType("assistant");
      expect(new Set(answers.map((line) => blocksOf(line).length))).toEqual(new Set([1]));
      expect(new Set(answers.map(({ json }) => asObject(json.message)?.stop_reason))).toEqual(
        new Set([null]),
      );
    });

    it("otherwise: tool_use and end_turn never stand in a line of 2.1.42, also not in the last", () => {
      expect(ofType("assistant").some(({ json }) => asObject(json.message)?.stop_reason !== null)).toBe(
        false,
      );
    });

    it("inputs by tool: Bash, Read, Edit, Write, Task as described", () => {
      const keys = new Map<string, Set<string>>();
      for (const { type, name, input } of ofType("assistant").flatMap(blocksOf)) {
        if (type === "tool_use")
          keys.set(
            String(name),
            new Set([...(keys.get(String(name)) ?? []), ...Object.keys(asObject(input) ?? {})]),
          );
      }
      expect(keys.get("Bash")).toContain("command");
      expect(keys.get("Read")).toContain("file_path");
      expect(keys.get("Edit")).toContain("old_string");
      expect(keys.get("Write")).toContain("content");
      expect(keys.get("Task")).toContain("subagent_type");
    });
  });

  describe("3. Progress Message", () => {
    it("bash, agent and hook progress, joined to their calls", () => {
      const progress = ofType("progress");
      const kinds = new Set(progress.map(({ json }) => asObject(json.data)?.type));
      expect(kinds).toEqual(
        new Set(["bash_progress", "agent_progress", "hook_progress", "waiting_for_task"]),
      );
      const agents = progress.filter(({ json }) => asObject(json.data)?.type === "agent_progress");
      expect(
        agents.every(
          ({ json }) =>
            typeof asObject(json.data)?.agentId === "string" && typeof json.parentToolUseID === "string",
        ),
      ).toBe(true);
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
    it("otherwise: with parallel calls it is no linked list: results hang from their own calls", () => {
      const lines = linesOf(VERSION).filter(({ json }) => json.uuid !== undefined);
      const children = new Map<unknown, number>();
      for (const { json } of lines) children.set(json.parentUuid, (children.get(json.parentUuid) ?? 0) + 1);
      expect([...children].some(([parent, count]) => parent !== null && count > 1)).toBe(true);
    });

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
