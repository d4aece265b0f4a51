import { beforeAll, describe, expect, it } from "vitest";
import { asObject } from "@/lib/log/records/json";
import { detailOf, idOf, openFolder, rowsOf, transcriptOf } from "@/lib/testing/transcript";
import type { DoctorReport } from "@/lib/wire/doctor";
import { fixtureFolder } from "../recorded";
import { examineFixture, type FixtureLine, kindOf, linesOf, typeOf } from "./fixture-lines";

/** The session files of 2.0.36 to 2.0.50, of which 2.0.42 and 2.0.50 are recorded. */
describe("session files of 2.0.36 to 2.0.50", () => {
  const VERSIONS = ["2.0.42", "2.0.50"] as const;
  const reports = new Map<string, DoctorReport>();

  beforeAll(async () => {
    for (const version of VERSIONS) reports.set(version, await examineFixture(version));
  });

  const ofType = (version: string, type: string) => linesOf(version).filter((line) => typeOf(line) === type);
  const stops = (version: string) => (reports.get(version)?.stopReasons ?? []).map(({ name }) => name).sort();

  describe("1. Executive Summary", () => {
    it("six entry types", () => {
      const names = reports.get("2.0.50")?.types.map(({ name }) => name.split("/")[0]);
      expect(new Set(names)).toEqual(
        new Set(["user", "assistant", "queue-operation", "file-history-snapshot", "summary", "system"]),
      );
    });

    it("2.0.42 stores final messages, 2.0.50 intermediate ones with a null stop_reason", () => {
      expect(stops("2.0.42")).toEqual(["end_turn", "tool_use"]);
      expect(stops("2.0.50")).toEqual(["end_turn", "null", "tool_use"]);
    });
  });

  describe("2. Session Inventory", () => {
    it("types, stop reasons and blocks by session: the doctor's tables give the same", () => {
      const blocks = reports.get("2.0.50")?.blocks ?? [];
      const of = (name: string) => blocks.find((block) => block.name === name)?.total;
      expect(of("tool_use")).toBe(of("tool_result"));
      expect(reports.get("2.0.50")?.versions.map(({ version }) => version)).toEqual(["", "2.0.50"]);
    });
  });

  describe("4. Turn Detection Algorithm", () => {
    it("otherwise: a string need not be a person's: commands, their output and reminders are strings", async () => {
      const strings = ofType("2.0.50", "user").filter(
        ({ json }) => kindOf(asObject(json.message)?.content) === "string",
      );
      expect(
        strings.some(({ json }) =>
          /^<(command-name|local-command-stdout|bash-input)>/.test(String(asObject(json.message)?.content)),
        ),
      ).toBe(true);
      const folder = await openFolder(fixtureFolder("2.0.50"));
      const turns = await Promise.all(
        folder.catalog.summaries().map(async ({ id }) => (await detailOf(folder, id)).counts.turns),
      );
      expect(turns.reduce((sum, count) => sum + count, 0)).toBeLessThan(strings.length);
    });

    it("otherwise: a person's text may be in no user line at all: typed while a tool ran, it is only in the queue", async () => {
      const queued = ofType("2.0.50", "queue-operation").filter(
        ({ json }) => json.operation === "enqueue" && typeof json.content === "string",
      );
      const texts = new Set(ofType("2.0.50", "user").map(({ json }) => asObject(json.message)?.content));
      const onlyQueued = queued.filter(({ json }) => !texts.has(json.content));
      expect(onlyQueued.length).toBeGreaterThan(0);
      const [first] = onlyQueued;
      const folder = await openFolder(fixtureFolder("2.0.50"));
      const { rows } = await rowsOf(folder, idOf(folder, uuidOf(first)), "prompts");
      const prompts = rows.flatMap((row) =>
        row.kind === "turn" ? [`${row.source}: ${row.prompt.text}`] : [],
      );
      expect(prompts).toContain(`queued: ${String(first?.json.content)}`);
    });

    it("otherwise: taking only lines with a stop_reason loses answers of 2.0.50, all of 2.1.29", async () => {
      const answers = ofType("2.0.50", "assistant");
      const finished = answers.filter(({ json }) => asObject(json.message)?.stop_reason !== null);
      expect(finished.length).toBeLessThan(answers.length);
      expect((await examineFixture("2.1.29")).stopReasons.map(({ name }) => name)).toEqual([
        "null",
        "stop_sequence",
      ]);
    });
  });

  describe("5. Tool Call Pairing Algorithm", () => {
    it("one result a call, by id: so in every recorded session of the fixtures", () => {
      for (const version of VERSIONS)
        expect(reports.get(version)?.findings.map(({ rule }) => rule)).toEqual([]);
    });

    it("otherwise: a call may have none or two, and both are shown", async () => {
      const told = await transcriptOf(
        await openFolder(fixtureFolder("older")),
        "0b000000-0000-4000-8000-00000000bbb1",
      );
      expect(told).toContain("  Bash npm run deploy → no result in the log");
      expect(told).toContain("  Bash npm test → 1 of 2 passed");
      expect((await examineFixture("older")).findings.map(({ rule, count }) => `${rule} ${count}`)).toEqual([
        "call-without-result 1",
        "several-results 1",
      ]);
    });
  });

  describe("6. Message Deduplication", () => {
    it("usage is counted once a message, at its greatest", async () => {
      const folder = await openFolder(fixtureFolder("2.0.50"));
      const { usage, counts } = await detailOf(folder, idOf(folder, "a6b23972-60eb-44b2-b20c-112b6134b9c9"));
      const own = ofType("2.0.50", "assistant").filter(({ file }) => file.includes("tui-agents"));
      const most = new Map<unknown, number>();
      for (const { json } of own) {
        const message = asObject(json.message);
        const output = Number(asObject(message?.usage)?.output_tokens);
        most.set(message?.id, Math.max(most.get(message?.id) ?? 0, output));
      }
      expect(usage.output).toBe([...most.values()].reduce((sum, output) => sum + output, 0));
      expect(counts.messages).toBe(most.size);
    });
  });

  describe("7. Caveats and Edge Cases", () => {
    it("7.4 and 7.5 lines without a uuid follow the line before them, snapshots name the line they were taken for", async () => {
      const folder = await openFolder(fixtureFolder("2.0.50"));
      const [snapshot] = ofType("2.0.50", "file-history-snapshot");
      const { rows } = await rowsOf(folder, idOf(folder, uuidOf(snapshot)), "everything");
      expect(
        rows.some(
          (row) =>
            row.kind === "bookkeeping" && row.text.startsWith(`for ${String(snapshot?.json.messageId)}`),
        ),
      ).toBe(true);
    });
  });

  describe("8. Raw Data Appendix", () => {
    it("each session's counts: the doctor gives them for one session as for all", () => {
      const { records = 0, types = [] } = reports.get("2.0.42") ?? {};
      expect(types.reduce((sum, { total }) => sum + total, 0)).toBe(records);
    });
  });

  describe("9. Implementation Recommendations", () => {
    it("are for writers; Backscroll never writes where logs lie. A boundary put in by hand reads as one", async () => {
      const folder = await openFolder(fixtureFolder("2.0.50"));
      const told = await transcriptOf(folder, uuidOf(ofType("2.0.50", "system")[0]));
      expect(told.some((line) => line.includes("── compacted (manual) ──"))).toBe(true);
    });
  });
});

/** The uuid in a main log's name. */
function uuidOf(line: FixtureLine | undefined): string {
  return /([0-9a-f-]{36})\.jsonl$/.exec(line?.file ?? "")?.[1] ?? "";
}
