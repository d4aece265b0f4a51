import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findWholeText } from "@/lib/markup/whole-text";
import { type RecordedVersion, sharedRecording } from "@/lib/testing/recorded";
import { sampleOf } from "@/lib/testing/runs";
import { type OpenFolder, openFolder } from "@/lib/testing/transcript";
import { parseRowKey, type SessionId } from "@/lib/wire/ids";
import type { CutText, Row } from "@/lib/wire/rows";
import { agentsOf, eachRow } from "./exported-threads";
import { LogReader } from "./html/log-reader";
import { wholeRow } from "./whole-row";

/** Fields of a line that hold what somebody said, or what a command printed. */
const SAID = new Set([
  "text",
  "content",
  "thinking",
  "summary",
  "prompt",
  "result",
  "stdout",
  "planContent",
  "snippet",
]);
const MORE = " and so on".repeat(2_000);
const END = ", to its end.";

/** A parsed line in which every text is longer than any row shows: its end precedes what a client puts after it. */
function lengthened(value: unknown, name = ""): unknown {
  if (typeof value === "string")
    return !SAID.has(name) || value.length < 15
      ? value
      : value.replace(
          /(<\/result>[^]*|\nagentId: [^]*|<\/[a-z-]+>\s*)?$/,
          (behind) => `${MORE}${END}${behind}`,
        );
  if (Array.isArray(value)) return value.map((one) => lengthened(one, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, lengthened(one, key)]));
}

/** A recording whose texts were made longer, as the client would have written them. */
async function openLengthened(version: RecordedVersion): Promise<OpenFolder> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-long-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(sharedRecording(version).claudeDir, root, { recursive: true });
  for (const { name, parentPath } of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!name.endsWith(".jsonl")) continue;
    const lines = readFileSync(join(parentPath, name), "utf8").split("\n");
    const longer = lines.map((line) => (line.startsWith("{") ? tryToLengthen(line) : line));
    writeFileSync(join(parentPath, name), longer.join("\n"));
  }
  return openFolder(root);
}

/** Some lines are damaged, and stay so. */
function tryToLengthen(line: string): string {
  try {
    return JSON.stringify(lengthened(JSON.parse(line)));
  } catch {
    return line;
  }
}

const textOf = (row: Row): CutText | null =>
  row.kind === "turn"
    ? row.prompt
    : row.kind === "compaction"
      ? row.summary
      : "text" in row
        ? (row.text as CutText)
        : null;

/** The same text as a page reads it, out of the lines that its row names. */
async function wholeOnPage(
  { sessions }: OpenFolder,
  id: SessionId,
  { recordId, shows = [] }: Row,
  text: CutText,
) {
  for (const record of [recordId, ...shows.map((key) => parseRowKey(key).recordId)]) {
    const { stream } = await sessions.rawRecord(id, record);
    const whole = findWholeText(await new Response(stream).json(), text);
    if (whole !== null) return whole.trim();
  }
  return "";
}

/** Of so many sessions `npm test` reads one: among them every kind of row that is expected below is. */
const NTH = 2;

test.each<RecordedVersion>(["1.0.128", "2.0.76", "2.1.330"])(
  "every text of a session of %s is read to its end, whatever kind of row shows it",
  async (version) => {
    const folder = await openLengthened(version);
    const { sessions, catalog } = folder;
    const kinds = new Set<string>();
    const unread: string[] = [];
    for (const { id } of sampleOf(catalog.summaries(), NTH)) {
      const reader = new LogReader(sessions, id);
      for (const agent of [null, ...(await agentsOf(sessions, id)).keys()]) {
        for await (const row of eachRow(sessions, id, agent, "tools")) {
          // A prompt that was taken out of the queue again stands on a line that no row names.
          const cut = textOf(row);
          if (!cut?.cut || (row.kind === "turn" && row.source === "queued")) continue;
          kinds.add(row.kind);
          for (const whole of [
            textOf(await wholeRow(row, reader))?.text ?? "",
            await wholeOnPage(folder, id, row, cut),
          ])
            if (!whole.endsWith(END)) unread.push(`${row.kind} ${whole.slice(0, 50)} … ${whole.slice(-50)}`);
        }
      }
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(["turn", "text", "thinking", "agent-return", "compaction", "event"]),
    );
    expect(unread).toEqual([]);
  },
);

test("a text whose rest cannot be read any more is marked", async () => {
  const reader = { wholeIn: async () => null } as unknown as LogReader;
  const text: CutText = { text: "The beginning", cut: true, length: 9_000 };
  const row = { kind: "text", recordId: "m~1", block: 0, text } as Row;
  const said = "The beginning\n\n[… The rest of this text could not be read.]";
  expect(await wholeRow(row, reader)).toMatchObject({ text: { text: said, cut: true } });
});
