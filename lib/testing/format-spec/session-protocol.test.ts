import { beforeAll, describe, expect, it } from "vitest";
import { asObject } from "@/lib/log/records/json";
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
import { linesOf } from "./fixture-lines";

/**
 * The protocol schema of 2.0.76–2.1.29. What its examples have and the recordings don't is shown by
 * `lib/testing/fixtures/older/projects/-home-dev-widgets`.
 */
describe("the session protocol of 2.0.76 to 2.1.29", () => {
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

  describe("2. File Layout & Naming", () => {
    it("agent-<7 hex>.jsonl beside the session: 2.0.76; the fixture's agent is found there", async () => {
      expect(
        agentFiles("2.0.76").every((file) => /^projects\/[^/]+\/agent-[0-9a-f]{7}\.jsonl$/.test(file)),
      ).toBe(true);
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts.agents).toBe(1);
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

    it("4.6 file-history-snapshot: backups that are contents are kept, the update names the snapshot's line", async () => {
      const [first, update] = await notes("file-history-snapshot");
      expect(first).toBe("for 00000100-0000-4000-8000-000000000001: no files yet");
      expect(update).toBe("update of the snapshot for 00000100-0000-4000-8000-000000000001: src/export.ts");
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

  describe("6. Turn Lifecycle", () => {
    it("prompt, answers and calls, until the next prompt: two turns in the fixture", async () => {
      expect((await detailOf(folder, idOf(folder, WIDGETS))).counts.turns).toBe(2);
    });
  });

  describe("7. Tool Use Protocol", () => {
    it("results by tool: Read, Glob, Bash, WebSearch, Task", () => {
      expect(told).toContain("Read ticket.md → 1 line");
      expect(told).toContain("Glob **/*.ts → 1 file");
      expect(told).toContain("Bash docker build . → built");
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
  });

  describe("10. Streaming & Content Block Splitting", () => {
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

  function agentFiles(version: string): string[] {
    const files = linesOf(version).map(({ file }) => file);
    return [...new Set(files)].filter(
      (file) =>
        file.includes("/agent-") && !file.includes("aprompt_suggestion") && !file.includes("/workflows/"),
    );
  }
});
