import { beforeAll, describe, expect, it } from "vitest";
import { asArray, asObject } from "@/lib/log/records/json";
import {
  detailOf,
  idOf,
  type OpenFolder,
  openFolder,
  rowsOf,
  settled,
  transcriptOf,
} from "@/lib/testing/transcript";
import { fixtureFolder } from "../fixture-folder";
import { blocksOf, kindOf, linesOf, tally, typeOf } from "./fixture-lines";

/**
 * The protocol schema of 2.0.76–2.1.29. What its examples have and the recordings don't is shown by
 * `lib/testing/fixtures/older/projects/-home-dev-widgets`.
 */
describe("seed 000, the session protocol of 2.0.76 to 2.1.29", () => {
  const WIDGETS = "0a000000-0000-4000-8000-00000000aaa1";
  const RENAMED = "0a000000-0000-4000-8000-00000000aaa2";
  let folder: OpenFolder;
  let told: string[];
  let everything: string[];

  beforeAll(async () => {
    folder = await openFolder(fixtureFolder("older"));
    told = (await transcriptOf(folder, WIDGETS)).map((line) => line.trim());
    everything = (await transcriptOf(folder, WIDGETS, "everything")).map((line) => line.trim());
  });

  /** The text of the book-keeping rows of a type. */
  async function notes(type: string): Promise<string[]> {
    const { rows } = await rowsOf(folder, idOf(folder, WIDGETS), "everything");
    return rows.flatMap((row) => (row.kind === "bookkeeping" && row.type === type ? [row.text] : []));
  }

  describe("1. Overview", () => {
    it("append-only lines that form a graph by uuid and parentUuid", () => {
      const nodes = linesOf("2.0.76").filter(({ json }) => typeof json.uuid === "string");
      expect(nodes.every(({ json }) => "parentUuid" in json)).toBe(true);
    });

    it("one line a content block, in 2.0.76 and 2.1.29", () => {
      for (const version of ["2.0.76", "2.1.29"]) {
        const answers = linesOf(version).filter((line) => typeOf(line) === "assistant");
        expect(new Set(answers.map((line) => blocksOf(line).length))).toEqual(new Set([1]));
      }
    });

    it("tool results are user messages", () => {
      const results = linesOf("2.1.29").filter((line) =>
        blocksOf(line).some(({ type }) => type === "tool_result"),
      );
      expect(new Set(results.map(typeOf))).toEqual(new Set(["user"]));
    });
  });

  describe("2. File Layout & Naming", () => {
    it("agent-<7 hex>.jsonl beside the session: 2.0.76; the fixture's agent is found there", async () => {
      expect(
        agentFiles("2.0.76").every((file) => /^projects\/[^/]+\/agent-[0-9a-f]{7}\.jsonl$/.test(file)),
      ).toBe(true);
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts.agents).toBe(1);
    });

    it("a main log's name is its lines' sessionId (2.0.76)", () => {
      const mains = linesOf("2.0.76").filter(
        ({ file, json }) => !file.includes("/agent-") && json.sessionId !== undefined,
      );
      expect(mains.every(({ file, json }) => file.endsWith(`/${String(json.sessionId)}.jsonl`))).toBe(true);
    });

    it("otherwise: 8 hex in 2.0.42, below <session>/subagents/ from 2.1.29, 17 characters from 2.1.110", () => {
      expect(agentFiles("2.0.42").every((file) => /\/agent-[0-9a-f]{8}\.jsonl$/.test(file))).toBe(true);
      expect(agentFiles("2.1.29").every((file) => file.includes("/subagents/agent-"))).toBe(true);
      expect(agentFiles("2.1.110").every((file) => /\/agent-a[0-9a-f]{16}\.jsonl$/.test(file))).toBe(true);
    });

    it("otherwise: not only `/` becomes `-` in the folder's name, so the path is read from cwd", () => {
      const [line] = linesOf("2.0.76").filter(
        ({ file, json }) => file.includes("-home-dev-e--x/") && json.cwd,
      );
      expect(String(line?.json.cwd).replace(/[^A-Za-z0-9]/g, "-")).toBe("-home-dev-e--x");
    });
  });

  describe("3. Common Envelope Fields", () => {
    it("hold for every line with a uuid; slug from 2.0.76; agentId on agents' lines", () => {
      const lines = linesOf("2.0.76").filter(({ json }) => json.uuid !== undefined);
      const fields = [
        "parentUuid",
        "sessionId",
        "timestamp",
        "isSidechain",
        "userType",
        "cwd",
        "version",
        "gitBranch",
      ];
      expect(fields.filter((field) => !lines.every(({ json }) => field in json))).toEqual([]);
      expect(lines.some(({ json }) => typeof json.slug === "string")).toBe(true);
      expect(
        lines
          .filter(({ json }) => json.isSidechain === true)
          .every(({ json }) => typeof json.agentId === "string"),
      ).toBe(true);
    });

    it("otherwise: the slug is not in every session, and not in 2.0.50", () => {
      expect(linesOf("2.0.50").some(({ json }) => "slug" in json)).toBe(false);
      expect(linesOf("2.0.76").filter(({ json }) => json.uuid && !json.slug).length).toBeGreaterThan(0);
    });
  });

  describe("4. Message Types Reference", () => {
    it("4.1 user: typed text, an expansion marked isMeta, a tool's result", () => {
      expect(told.slice(0, 2)).toEqual([
        "turn 1: /ship the widget exporter",
        "thinks: The ticket comes first.",
      ]);
      expect(everything).toContain("(Sent with the conversation)");
    });

    it("4.1.3 one line a result, also of parallel calls", () => {
      for (const version of ["2.0.76", "2.1.29"]) {
        const results = linesOf(version).map(
          (line) => blocksOf(line).filter(({ type }) => type === "tool_result").length,
        );
        expect(Math.max(...results)).toBe(1);
      }
    });

    it("4.1.3 otherwise: toolUseResult is absent from agents' lines of 2.1.29", () => {
      const results = linesOf("2.1.29").filter((line) =>
        blocksOf(line).some(({ type }) => type === "tool_result"),
      );
      const without = results.filter(({ json }) => json.toolUseResult === undefined);
      expect(without.length).toBeGreaterThan(0);
      expect(without.every(({ json }) => json.isSidechain === true)).toBe(true);
    });

    it("4.2 assistant: thinking, text and calls of one response are one message", async () => {
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts).toMatchObject({
        messages: 8,
        thinking: 1,
        toolCalls: 6,
      });
    });

    it("4.3 system: compact_boundary, turn_duration, local_command", () => {
      expect(told).toContain("── compacted (auto) ──");
      expect(told).toContain("[/agents create]");
      expect(everything).toContain("· system/turn_duration");
    });

    it("4.4 summary: names a session by its leaf, also from another file", () => {
      expect(folder.catalog.summary(idOf(folder, WIDGETS))).toMatchObject({
        title: "Widget exporter from ticket to pull request",
        titleSource: "summary",
      });
    });

    it("4.5 progress: each kind is there, with what it says", async () => {
      expect(await notes("progress/bash_progress")).toEqual(["Step 1/2"]);
      expect(await notes("progress/query_update")).toEqual(["widget export format"]);
      expect(await notes("progress/search_results_received")).toEqual([
        "10 results for “widget export format”",
      ]);
      expect(await notes("progress/waiting_for_task")).toEqual(["Watch the bridge in the container"]);
      expect(await notes("progress/hook_progress")).toEqual(["SessionStart:startup"]);
    });

    it("4.5 otherwise: progress is part of the graph in 2.1.29 and 2.1.42: answers hang from it", () => {
      for (const version of ["2.1.29", "2.1.42"]) {
        const lines = linesOf(version);
        const progress = new Set(
          lines.filter((line) => typeOf(line) === "progress").map(({ json }) => json.uuid),
        );
        expect(lines.some((line) => typeOf(line) === "assistant" && progress.has(line.json.parentUuid))).toBe(
          true,
        );
      }
    });

    it("4.6 file-history-snapshot: backups that are contents are kept, the update names the snapshot's line", async () => {
      const [first, update] = await notes("file-history-snapshot");
      expect(first).toBe("for 00000100-0000-4000-8000-000000000001: no files yet");
      expect(update).toBe("update of the snapshot for 00000100-0000-4000-8000-000000000001: src/export.ts");
    });

    it("4.6 otherwise: a recorded backup names a file of file-history/ (2.0.42–2.1.330)", () => {
      for (const version of ["2.0.42", "2.1.29", "2.1.330"]) {
        const backups = linesOf(version).flatMap(({ json }) =>
          Object.values(asObject(asObject(json.snapshot)?.trackedFileBackups) ?? {}),
        );
        expect(new Set(backups.map(kindOf))).toEqual(new Set(["object"]));
      }
    });

    it("4.7 queue-operation: also enqueue, with the text, and remove (2.0.76)", () => {
      const operations = linesOf("2.0.76").filter((line) => typeOf(line) === "queue-operation");
      expect(
        tally(operations.map(({ json }) => String(json.operation))).map((entry) => entry.split(" ")[0]),
      ).toEqual(["dequeue", "enqueue", "remove"]);
    });

    it("4.8 pr-link: a row of the conversation, with its address", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, WIDGETS), "conversation");
      const link = rows.find((row) => row.kind === "event" && row.label.startsWith("Pull request"));
      expect(link).toMatchObject({
        label: "Pull request #3",
        text: { text: "https://example.com/dev/widgets/pull/3" },
      });
    });
  });

  describe("5. The Parent Chain", () => {
    it("1. and 2. the first node of a main log has no parent; every other names a node before it (2.0.76)", () => {
      const mains = linesOf("2.0.76").filter(
        ({ file, json }) => !file.includes("/agent-") && json.uuid !== undefined,
      );
      for (const name of new Set(mains.map(({ file }) => file))) {
        const [first, ...others] = mains.filter(
          ({ file, json }) => file === name && json.subtype !== "compact_boundary",
        );
        const seen = new Set(mains.filter(({ file }) => file === name).map(({ json }) => json.uuid));
        expect(first?.json.parentUuid).toBeNull();
        // A rewind to the very start is a second root.
        expect(others.every(({ json }) => json.parentUuid === null || seen.has(json.parentUuid))).toBe(true);
      }
    });

    it("3. a block's parent is the block before it (2.0.76)", () => {
      const answers = linesOf("2.0.76").filter((line) => typeOf(line) === "assistant");
      const messageOf = new Map(answers.map(({ json }) => [json.uuid, asObject(json.message)?.id]));
      const later = answers.filter(
        ({ json }, at) => asObject(answers[at - 1]?.json.message)?.id === asObject(json.message)?.id,
      );
      expect(later.length).toBeGreaterThan(0);
      expect(later.every(({ json }) => messageOf.get(json.parentUuid) === asObject(json.message)?.id)).toBe(
        true,
      );
    });

    it("4. and 5. results form a chain behind the last block: so in 2.0.76", () => {
      expect(ownParents("2.0.76").includes(false)).toBe(true);
    });

    it("otherwise: from 2.1.29 a result hangs from its own call, and a walk from the leaf loses some", () => {
      for (const version of ["2.1.29", "2.1.42", "2.1.110", "2.1.330"])
        expect(new Set(ownParents(version))).toEqual(new Set([true]));
    });

    it("6. agents share the session's id", () => {
      expect(
        linesOf("2.0.76")
          .filter(({ json }) => json.isSidechain)
          .every(({ json }) => typeof json.sessionId === "string"),
      ).toBe(true);
    });
  });

  describe("6. Turn Lifecycle", () => {
    it("prompt, answers and calls, until the next prompt: two turns in the fixture", async () => {
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts.turns).toBe(2);
    });

    it("otherwise: turn_duration ends no turn in 2.0.76 and 2.1.29; 2.1.330 writes it", () => {
      const durations = (version: string) =>
        linesOf(version).filter(({ json }) => json.subtype === "turn_duration").length;
      expect([durations("2.0.76"), durations("2.1.29")]).toEqual([0, 0]);
      expect(durations("2.1.330")).toBeGreaterThan(0);
    });
  });

  describe("7. Tool Use Protocol", () => {
    it("results by tool: Read, Glob, Bash, WebSearch, Task", () => {
      expect(told).toContain("Read ticket.md → 1 line");
      expect(told).toContain("Glob **/*.ts → 1 file");
      expect(told).toContain("Bash docker build . → built");
    });

    it("7.3 structured results: Edit has a patch, Write of a new file an empty one (2.0.76)", () => {
      const results = linesOf("2.0.76")
        .map(({ json }) => asObject(json.toolUseResult))
        .filter((result) => result !== null);
      const edit = results.find((result) => result.oldString !== undefined);
      const create = results.find((result) => result.type === "create");
      expect(asArray(edit?.structuredPatch).length).toBeGreaterThan(0);
      expect(create).toMatchObject({ structuredPatch: [], originalFile: null });
    });
  });

  describe("8. Sub-Agent (Task) Protocol", () => {
    it("the call's result names the agent, and its answer comes back", async () => {
      const { agents } = await settled(() =>
        folder.sessions.agents(idOf(folder, WIDGETS), { limit: 10, cursor: null }),
      );
      expect(
        agents.map(({ agentId, type, description, state }) => `${agentId} ${type} “${description}” ${state}`),
      ).toEqual(["a0b1c2d Explore “Check the bridge” done"]);
      expect(told).toContain("answer: The buffer is too small.");
    });

    it("3. otherwise: in 2.0.42 and 2.0.50 an agent's file does not begin with its prompt", () => {
      for (const version of ["2.0.42", "2.0.50"]) {
        const firsts = linesOf(version).filter(({ file, line }) => file.includes("/agent-") && line === 1);
        expect(new Set(firsts.map(typeOf))).toEqual(new Set(["assistant"]));
      }
    });
  });

  describe("9. Context Compaction", () => {
    it("a summary line, a boundary, and a prompt without a parent: one thread, with the summary in its boundary", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, WIDGETS), "conversation");
      const compaction = rows.find((row) => row.kind === "compaction");
      expect(compaction).toMatchObject({
        trigger: "auto",
        preTokens: 167_503,
        summary: { text: "The widget exporter reads the ticket and writes JSON" },
      });
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts.branches).toBe(1);
      expect(told.slice(told.indexOf("── compacted (auto) ──") + 1)[0]).toBe("turn 2: Now write CSV as well");
    });

    it("a summary that stands alone as the context is the compaction", async () => {
      expect(await transcriptOf(folder, RENAMED)).toEqual([
        "turn 1: Rename the widgets",
        "  “Renamed to gadgets.”",
        "  ── compacted (?) ──",
        "turn 2: And in the docs?",
        "  “There too.”",
      ]);
    });

    it("otherwise: in every recorded version a user line holds the summary, and no summary line is written for it", () => {
      for (const version of ["1.0.128", "2.0.76", "2.1.29", "2.1.330"]) {
        expect(linesOf(version).filter(({ json }) => json.isCompactSummary === true).length).toBeGreaterThan(
          0,
        );
      }
    });
  });

  describe("10. Streaming & Content Block Splitting", () => {
    it("blocks of one response share requestId and message.id (2.0.76)", () => {
      const ids = new Map<unknown, Set<unknown>>();
      for (const { json } of linesOf("2.0.76").filter((line) => typeOf(line) === "assistant")) {
        const id = asObject(json.message)?.id;
        ids.set(id, (ids.get(id) ?? new Set()).add(json.requestId));
      }
      expect([...ids.values()].every((requests) => requests.size === 1)).toBe(true);
    });

    it("stop_reason: null, tool_use, end_turn (2.0.76); stop_sequence where the client speaks itself (2.1.29)", () => {
      const stops = (version: string) =>
        new Set(
          linesOf(version)
            .filter(({ json }) => json.type === "assistant")
            .map(({ json }) => asObject(json.message)?.stop_reason),
        );
      expect(stops("2.0.76")).toEqual(new Set([null, "tool_use", "end_turn"]));
      expect(stops("2.1.29")).toEqual(new Set([null, "stop_sequence"]));
    });

    it("otherwise: stop_reason is null on every line of 2.1.29, also on the last", () => {
      const answers = linesOf("2.1.29").filter(
        ({ json }) => json.type === "assistant" && asObject(json.message)?.model !== "<synthetic>",
      );
      expect(new Set(answers.map(({ json }) => asObject(json.message)?.stop_reason))).toEqual(
        new Set([null]),
      );
    });

    it("otherwise: the lines of one response need not follow one another (2.1.330)", () => {
      const ids = linesOf("2.1.330").map(({ json }) =>
        json.type === "assistant" ? asObject(json.message)?.id : null,
      );
      const reopened = ids.some(
        (id, at) => id !== null && ids[at - 1] !== id && ids.slice(0, at - 1).includes(id),
      );
      expect(reopened).toBe(true);
    });
  });

  describe("11. Full Conversation Example", () => {
    it("reads as it is told", () => {
      expect(told).toEqual([
        "turn 1: /ship the widget exporter",
        "thinks: The ticket comes first.",
        "“I will read the ticket.”",
        "Read ticket.md → 1 line",
        "Glob **/*.ts → 1 file",
        "Bash docker build . → built",
        expect.stringMatching(/^WebSearch widget export format/),
        "Task Check the bridge (Explore)",
        "agent Explore “Check the bridge” done",
        "turn 1: See why the bridge drops packets",
        "Read bridge.ts",
        "“The buffer is too small.”",
        "answer: The buffer is too small.",
        "“The exporter is written.”",
        "[Pull request #3] https://example.com/dev/widgets/pull/3",
        "── compacted (auto) ──",
        "turn 2: Now write CSV as well",
        "“CSV it is.”",
        "[/agents create]",
      ]);
    });
  });

  describe("12. Implementation Checklist; Appendix C", () => {
    it("is for writers, but for resumption: the leaf is the line written last, not the last in a chain by time", async () => {
      const { branches } = await detailOf(folder, idOf(folder, WIDGETS));
      expect(branches.map(({ leafUuid, active }) => `${leafUuid} ${active}`)).toEqual([
        "00000100-0000-4000-8000-000000000026 true",
      ]);
    });
  });

  describe("Appendices A and B", () => {
    it("the ten tools are known by name: each call is told in words of its own", () => {
      const names = new Set(
        ["2.0.76", "2.1.29"].flatMap((version) => linesOf(version).flatMap(blocksOf)).map(({ name }) => name),
      );
      expect(["Read", "Write", "Edit", "Bash", "Task"].filter((name) => !names.has(name))).toEqual([]);
    });
  });

  function agentFiles(version: string): string[] {
    const files = linesOf(version).map(({ file }) => file);
    return [...new Set(files)].filter(
      (file) =>
        file.includes("/agent-") && !file.includes("aprompt_suggestion") && !file.includes("/workflows/"),
    );
  }

  /** For each result, whether its parent is the line of its own call. */
  function ownParents(version: string): boolean[] {
    const lines = linesOf(version);
    const lineOfCall = new Map(
      lines.flatMap((line) =>
        blocksOf(line).flatMap(({ type, id }) =>
          type === "tool_use" && line.json.uuid ? [[id, line.json.uuid] as const] : [],
        ),
      ),
    );
    return lines.flatMap((line) =>
      line.json.uuid === undefined
        ? []
        : blocksOf(line).flatMap((block) =>
            block.type === "tool_result" ? [lineOfCall.get(block.tool_use_id) === line.json.parentUuid] : [],
          ),
    );
  }
});
