import { z } from "zod";
import { toPrintableJson } from "@/lib/format/text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { LogReader, settled } from "@/lib/server/export/html/log-reader";
import { textOfRow } from "@/lib/server/export/row-text";
import { wholeRow } from "@/lib/server/export/whole-row";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { parseRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { CallDetail, FileDiff, OutputBlock } from "@/lib/wire/record";
import type { CutText, Row } from "@/lib/wire/rows";
import { agentInput, askedSession, recordInput, sessionInput } from "../asked";
import { tellingOf } from "../mcp-world";
import { readSavedOutputs, type SavedOutput } from "../saved-outputs";
import { tool } from "../tool";
import { facts, formatMomentOrNone, linkTo, pageOf } from "../words";

/** Shows one record whole. */
export const readRecord = tool({
  name: "read_record",
  title: "Read a record",
  description:
    "Shows one record of a Claude Code session whole: of a tool call its input, its output and the diffs of the files that it changed, of a prompt or answer its text, of anything else its JSON. Long ones in parts.",
  input: z.object({
    session: sessionInput,
    record: recordInput,
    agent: agentInput,
    offset: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe("Begin with this character, as an earlier answer said"),
  }),
  answer: async (world, { session, record, offset }) => {
    const { summary } = await askedSession(world.catalog, session);
    const { id } = summary;
    const { sessions } = await tellingOf(world, id);
    const { recordId, block } = parseRowKey(record);
    const row = await rowOf(sessions, id, recordId, Number.isNaN(block) ? null : block);
    const whole = await textOf(sessions, id, recordId, row);
    const { part, note } = pageOf(stripAnsi(whole), offset);
    const head = facts(
      row?.kind ?? "record",
      row && formatMomentOrNone(row.atMs),
      linkTo(world, id, { recordId, ...(row && { block: row.block }) }),
    );
    return { recorded: `${head}\n\n${part}`, note };
  },
});

/** The row that shows a record, in any thread; `null` if none does. */
async function rowOf(
  sessions: SessionQueries,
  id: SessionId,
  recordId: RecordId,
  block: number | null,
): Promise<Row | null> {
  const query = {
    branch: null,
    detail: "everything" as const,
    fold: [],
    from: 0,
    count: 50,
    around: recordId,
  };
  const main = await settled(() => sessions.rows(id, { ...query, agent: null }));
  const { elsewhere } = main;
  const { rows } = elsewhere
    ? await settled(() => sessions.rows(id, { ...query, agent: elsewhere.agent }))
    : main;
  const own = rows.filter((row) => row.recordId === recordId);
  return own.find((row) => block === null || row.block === block) ?? own[0] ?? null;
}

/** Throws ViewerError `record-not-found`. */
async function textOf(
  sessions: SessionQueries,
  id: SessionId,
  recordId: RecordId,
  row: Row | null,
): Promise<string> {
  if (row?.kind === "tool") {
    const call = await settled(() => sessions.call(id, recordId, row.block));
    const blobs = call.results.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === "blob" ? [block.blob] : [])),
    );
    return withSaved(callText(call), await readSavedOutputs(sessions, id, blobs));
  }
  // Of a record that is not known, as of a line that cannot be read, the line itself is told.
  const isLine = !row || row.kind === "unknown" || row.kind === "unreadable";
  const text = isLine ? null : textOfRow(await wholeRow(row, new LogReader(sessions, id, false)));
  if (text) return text.text;
  const detail = await settled(() => sessions.record(id, recordId));
  if (detail.recordId !== recordId)
    throw new ViewerError("record-not-found", `The session has no record ${recordId}`, {
      hint: "read_session gives the records’ ids.",
    });
  const line =
    detail.json !== null
      ? toPrintableJson(detail.json, 1)
      : detail.raw.cut
        ? await wholeLine(sessions, id, recordId)
        : detail.raw.text;
  return withSaved(line, await readSavedOutputs(sessions, id, detail.blobs));
}

/** The line of a record that is longer than an answer of the API, which has the beginning of it. */
async function wholeLine(sessions: SessionQueries, id: SessionId, recordId: RecordId): Promise<string> {
  const { stream } = await sessions.rawRecord(id, recordId);
  return new Response(stream).text();
}

/** A text, and behind it the outputs that were saved beside the log, of which the text has the beginning at most. */
function withSaved(text: string, saved: readonly SavedOutput[]): string {
  return [text, ...saved.map((one) => `Saved output (${one.name}):\n${one.text}`)].join("\n\n");
}

function callText({ name, input, results, diffs, partial, cwd }: CallDetail): string {
  return [
    facts(name, cwd && `in ${cwd}`),
    `Input:\n${toPrintableJson(input, 1)}`,
    ...diffs.filter(({ hunks }) => hunks.length > 0).map(diffText),
    ...results.map(
      ({ recordId, isError, blocks }) =>
        `${isError ? "Failed" : "Output"}:\n${blocks.map((block) => blockText(block, recordId)).join("\n")}`,
    ),
    partial && `Written so far:\n${cutText(partial)}`,
    results.length === 0 && !partial && "No result is recorded.",
  ]
    .filter(Boolean)
    .join("\n\n");
}

function diffText({ path, change, hunks }: FileDiff): string {
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...changed,
  ]);
  return `${path} (${change}):\n${lines.join("\n")}`;
}

/** @param recordId the line that has all of it */
function blockText(block: OutputBlock, recordId: RecordId): string {
  switch (block.kind) {
    case "text":
      return cutText(block.text, `: record ${recordId} has all ${block.text.length} characters`);
    case "blob":
      return `[${block.blob.kind} ${block.blob.name ?? block.blob.mediaType ?? ""}]`;
    case "other":
      return toPrintableJson(block.json, 1);
  }
}

function cutText({ text, cut, tail }: CutText, rest = ""): string {
  return cut ? `${text}\n[…${rest}]\n${tail ?? ""}` : text;
}
