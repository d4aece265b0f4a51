import { z } from "zod";
import { formatFullTime, formatLength, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { settled } from "@/lib/server/export/html/log-reader";
import { rowToMarkdown } from "@/lib/server/export/markdown";
import { textOfRow, withText } from "@/lib/server/export/row-text";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { type AgentId, type BranchId, formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import { type CutText, DETAILS, type Detail, type Row, type RowsResponse } from "@/lib/wire/rows";
import { agentInput, askedSession, recordInput, sessionInput } from "../asked";
import { tellingOf } from "../mcp-world";
import { tool } from "../tool";
import { facts, linkTo, MAX_ANSWER } from "../words";

const WINDOW = 100;
/** Rows shown above the requested one. */
const ABOVE = 3;
/** Longer texts are cut; read_record shows them whole. */
const MAX_TEXT = 6_000;

type Thread = { branch: BranchId | null; agent: AgentId | null; detail: Detail };

/** Reads a thread, row by row. */
export const readSession = tool({
  name: "read_session",
  title: "Read a session",
  description:
    "Reads the conversation of a Claude Code session, or of one of its agents, in order: prompts, answers, thinking, and each tool call as one line. Begins at a turn, at a record that search or get_session named, or at the place of a pasted Backscroll address. Each row begins with the record that read_record shows whole, with the inputs and outputs of calls.",
  input: z.object({
    session: sessionInput,
    turn: z.number().int().min(1).optional().describe("Begin with this turn of the main thread"),
    record: recordInput.optional(),
    from_row: z.number().int().min(0).optional().describe("Begin with this row, as an earlier answer said"),
    agent: agentInput,
    branch: z.string().max(60).optional().describe("A branch that was left, by the record in get_session"),
    detail: z
      .enum(DETAILS)
      .default("tools")
      .describe("prompts; conversation: with answers; tools: with thinking and calls; everything"),
  }),
  answer: async (world, asked) => {
    const place = await askedSession(world.catalog, asked.session);
    const { id } = place.summary;
    const { sessions, said } = await tellingOf(world, id);
    const thread: Thread = {
      branch: (asked.branch as BranchId | undefined) ?? place.branch,
      agent: (asked.agent as AgentId | undefined) ?? place.agentId,
      detail: asked.detail,
    };
    const hasPlace = asked.turn !== undefined || asked.from_row !== undefined;
    const given = asked.record?.split(".")[0] as RecordId | undefined;
    const record = given ?? (hasPlace ? null : place.recordId);
    const from = await firstRow(sessions, id, thread, { ...asked, record });
    const read = { ...thread, ...from.thread };
    const { recorded, next, total } = await readOn(sessions, id, read, from.row);
    const link = linkTo(world, id, { ...(record && { recordId: record }), agentId: read.agent });
    const again = [
      read.agent !== null && `agent ${read.agent}`,
      read.branch !== null && `branch ${read.branch}`,
      `from_row ${next}`,
    ];
    return {
      recorded: `${said(place.summary.title)}\n${link ?? `session ${id}`}\n\n${recorded}`,
      note: facts(
        next > from.row
          ? `rows ${from.row} to ${next - 1} of ${total}`
          : `this thread has ${formatPlural(total, "row")}, counted from 0`,
        next < total && `ask again with ${again.filter(Boolean).join(", ")} for more`,
        from.isHidden && `the record itself needs detail "everything"`,
        from.thread.agent !== undefined &&
          `the record is ${from.thread.agent === null ? "in the main thread" : `of agent ${from.thread.agent}`}`,
      ),
    };
  },
});

type Begin = { row: number; thread: Partial<Pick<Thread, "agent" | "branch">>; isHidden: boolean };

/** The row at which reading begins. Throws ViewerErrors: `turn-not-found`, and what the queries throw. */
async function firstRow(
  sessions: SessionQueries,
  id: SessionId,
  thread: Thread,
  {
    turn,
    from_row: row,
    record,
  }: { turn?: number | undefined; from_row?: number | undefined; record: RecordId | null },
): Promise<Begin> {
  if (row !== undefined) return { row, thread: {}, isHidden: false };
  if (record !== null) return rowOfRecord(sessions, id, thread, record);
  if (turn === undefined) return { row: 0, thread: {}, isHidden: false };
  const { branch, detail } = thread;
  const outline = await settled(() =>
    sessions.outline(id, { branch, detail, fold: [], from: turn - 1, count: 1 }),
  );
  const [entry] = outline.turns;
  if (entry) return { row: entry.row, thread: {}, isHidden: false };
  throw new ViewerError("turn-not-found", `There is no turn ${turn}`, {
    hint: `The session has ${outline.total} on this branch.`,
  });
}

/** The row a few above a record, in the thread that contains it. */
async function rowOfRecord(
  sessions: SessionQueries,
  id: SessionId,
  thread: Thread,
  record: RecordId,
): Promise<Begin> {
  const around = (of: Thread) =>
    settled(() => sessions.rows(id, { ...of, ...NO_FOLDS, count: 1, around: record }));
  const found = await around(thread);
  const elsewhere = found.at === null ? found.elsewhere : undefined;
  const at = elsewhere ? await around({ ...thread, agent: elsewhere.agent, branch: null }) : found;
  const row = Math.max(0, (at.at ?? at.near ?? 0) - ABOVE);
  const other = at.otherBranch === undefined ? {} : { branch: at.otherBranch };
  return {
    row,
    thread: { ...(elsewhere && { agent: elsewhere.agent }), ...other },
    isHidden: at.at === null,
  };
}

const NO_FOLDS = { fold: [], from: 0 };

/** As many rows from `first` on as fit in an answer, at least one. */
async function readOn(
  sessions: SessionQueries,
  id: SessionId,
  thread: Thread,
  first: number,
): Promise<{ recorded: string; next: number; total: number }> {
  const told: string[] = [];
  let length = 0;
  for (let next = first; ; ) {
    const query = { ...thread, fold: [], from: next, count: WINDOW, around: null };
    const { rows, total } = await settled<RowsResponse>(() => sessions.rows(id, query));
    for (const row of rows) {
      const text = tell(row);
      if (told.length > 0 && length + text.length > MAX_ANSWER)
        return { recorded: told.join("\n"), next, total };
      told.push(text);
      length += text.length;
      next += 1;
    }
    if (rows.length === 0 || next >= total) return { recorded: told.join("\n"), next, total };
  }
}

/** A row after its record, or below it if it has several lines. */
function tell(row: Row): string {
  const text = stripAnsi(wordsOf(clipped(row))).trim();
  return `[${formatRowKey(row.recordId, row.block)}]${text.includes("\n") ? "\n" : " "}${text || row.kind}`;
}

function wordsOf(row: Row): string {
  if (row.kind === "fork")
    return [
      "The session goes on in several branches from here; this thread is the marked one:",
      ...row.branches.map(
        ({ id, prompt, current }) => `${current ? "*" : "-"} ${facts(prompt, `branch ${id}`)}`,
      ),
    ].join("\n");
  if (row.kind !== "turn") return rowToMarkdown(row).replace(/^- (?=\*\*)/, "");
  const time = row.atMs === null ? "" : `, ${formatFullTime(row.atMs)}`;
  return `${row.source === "agent" ? "Prompt of the agent" : `Turn ${row.turn}`}${time}\n${row.prompt.text}`;
}

/** The row with its text cut to the maximum, which the text then says. */
function clipped(row: Row): Row {
  const text = textOfRow(row);
  return text === null ? row : withText(row, clippedText(text, row));
}

function clippedText(cut: CutText, { key }: Row): CutText {
  const text = textStart(cut.text, MAX_TEXT);
  if (!cut.cut && text.length === cut.text.length) return cut;
  return { ...cut, text: `${text}\n[… ${formatLength(cut.length)} in all: read_record ${key} shows them]` };
}
