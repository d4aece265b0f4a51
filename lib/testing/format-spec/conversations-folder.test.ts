import { beforeAll, describe, expect, it } from "vitest";

import { detailOf, idOf, type OpenFolder, openFolder, rowsOf, transcriptOf } from "@/lib/testing/transcript";
import { fixtureFolder } from "../recorded";
import { examineFixture, linesOf } from "./fixture-lines";

/**
 * The description of `conversations/`, from before 1.0. No recorded client writes it: what it says is shown by
 * `lib/testing/fixtures/older/conversations`, and where recorded clients differ, by their fixtures.
 */
describe("the message format of conversations/", () => {
  const OLD = "2025-01-29T14-15-30";
  let folder: OpenFolder;
  let told: string[];

  beforeAll(async () => {
    folder = await openFolder(fixtureFolder("older"));
    told = await transcriptOf(folder, OLD);
  });

  describe("File Format", () => {
    it("conversations/<project>, with `_` for `/`: listed, its path guessed and marked so", () => {
      const projects = folder.catalog
        .projects()
        .map(({ path, pathGuessed, sessions }) => `${path}${pathGuessed ? ", guessed" : ""}: ${sessions}`);
      expect(projects).toContain("/home/dev/inventory, guessed: 2");
    });

    it("file names are times: the id is made from the name, since there is no UUID", () => {
      expect(idOf(folder, OLD)).toMatch(/^2025-01-29T14-15-30-[0-9a-f]{6}$/);
    });
  });

  describe("Core Message Structure", () => {
    it("the base fields: a message with them is read whole", async () => {
      const { counts, startedAtMs, versions } = await detailOf(folder, idOf(folder, OLD));
      expect({ records: counts.records, unknown: counts.unknown, versions }).toEqual({
        records: 26,
        unknown: 0,
        versions: { "1.0.128": 26 },
      });
      expect(startedAtMs).toBe(1_738_160_131_123);
    });

    it("isDeleted, isAborted: shown, and marked", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, OLD), "tools");
      const marked = rows.flatMap((row) => (row.marks ? [`${row.kind} ${row.marks.join(", ")}`] : []));
      expect(marked).toEqual(["text aborted", "turn deleted"]);
    });

    it("isError, isAborted on a result: the call has failed, or was interrupted", () => {
      expect(told).toContain("  Bash python stock.py --check → Traceback: no such file: stock.csv");
      expect(told).toContain("  Bash sleep 600 → stopped");
    });

    it("isError on an answer: an error, not words of the model", () => {
      expect(told).toContain("  [error: API error] The service is overloaded");
    });

    it("is_active: the branch of a fork that is called active is the one shown, though another was written last", async () => {
      expect(await transcriptOf(folder, "2025-01-29T18-02-11")).toEqual([
        "turn 1: Name the columns",
        "  “Item, count, shelf.”",
        "fork: 2 branches, reading 1",
        "turn 2: In capitals",
        "  “ITEM, COUNT, SHELF.”",
        "another branch: Name the columns / In French",
      ]);
    });
  });

  describe("Message Types", () => {
    it("human, assistant, tool_result: a prompt, an answer with its calls, the calls' results", () => {
      expect(told.slice(0, 4)).toEqual([
        "turn 1: Write a script that reads the stock list",
        "  “I will write it.”",
        expect.stringMatching(/^ {2}Write .*stock\.py/),
        expect.stringMatching(/^ {2}Bash python stock\.py --check/),
      ]);
    });

    it("no message id: every answer's line is a message of its own", async () => {
      const { counts } = await detailOf(folder, idOf(folder, OLD));
      expect(counts.messages).toBe(
        linesOf("older").filter(({ file, json }) => file.includes(OLD) && json.type === "assistant").length,
      );
    });
  });

  describe("Message Content Structures", () => {
    it("text, mixed blocks, image", () => {
      expect(told).toContain("turn 3: What is on this picture of the shelf? [image]");
    });
  });

  describe("Special Message Patterns", () => {
    it("sidechain: Claude is the human; the agent hangs from the line of its call", () => {
      const at = told.indexOf("  Task Look for mistakes in stock.py (bug-hunter)");
      expect(told.slice(at + 1, at + 6).map((line) => line.trim())).toEqual([
        "agent bug-hunter “” done",
        "turn 1: Examine stock.py and name every mistake",
        "“Reading it.”",
        expect.stringMatching(/^Read .*stock\.py/),
        "“The file is never closed.”",
      ]);
    });

    it("compact_prelude and compact_recap: a compaction with its summary, and the thread goes on", async () => {
      const { rows } = await rowsOf(folder, idOf(folder, OLD), "tools");
      const compaction = rows.find((row) => row.kind === "compaction");
      expect(compaction?.kind === "compaction" && compaction.summary?.text).toMatch(
        /^A script stock\.py reads/,
      );
      expect(told.slice(told.indexOf("  ── compacted (?) ──")).at(1)).toBe("turn 5: Close the file then");
    });
  });

  describe("Tool Correlation", () => {
    it("results name their calls, in every version", async () => {
      for (const version of ["older", "1.0.128", "2.0.76", "2.1.42", "2.1.330"]) {
        const report = await examineFixture(version);
        expect(report.findings.filter(({ rule }) => rule === "result-without-call")).toEqual([]);
      }
    });
  });

  describe("Message Flow Examples", () => {
    it("standard development: prompt, call, result, call, result, words", () => {
      expect(told.slice(-3).map((line) => line.trim())).toEqual([
        "turn 5: Close the file then",
        expect.stringMatching(/^Edit/),
        "“Done.”",
      ]);
    });

    it("delegation: the agent's findings come back where it was called", () => {
      expect(told).toContain("  answer: The file is never closed.");
    });
  });

  describe("Validation Rules", () => {
    it("the doctor counts each of the seven; recorded clients break none in the fixtures", async () => {
      for (const version of [
        "1.0.128",
        "2.0.42",
        "2.0.50",
        "2.0.76",
        "2.1.29",
        "2.1.42",
        "2.1.110",
        "2.1.330",
      ]) {
        expect((await examineFixture(version)).findings.map(({ rule }) => rule)).toEqual([]);
      }
    });

    it("2. a uuid stands once in a session of the fixtures", async () => {
      for (const version of ["1.0.128", "2.0.76", "2.1.330"]) {
        expect((await examineFixture(version)).findings.some(({ rule }) => rule === "duplicate-uuid")).toBe(
          false,
        );
      }
    });
  });

  describe("Compatibility Notes", () => {
    it("unknown fields and types are kept: nothing of the newest recorded version is lost", async () => {
      const report = await examineFixture("2.1.330");
      expect({ lines: report.lines, unreadable: report.unreadable }).toEqual({
        lines: report.records,
        unreadable: 0,
      });
    });
  });
});
