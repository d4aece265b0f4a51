import { asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { timeOf } from "@/lib/log/rows/row-context";
import { CallState } from "@/lib/log/table/kinds";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import type { LineChange } from "@/lib/wire/files";
import type { RecordId } from "@/lib/wire/ids";
import { turnOfRecords } from "../answers/agent-entries";
import { findCallBlock, originalFile } from "../answers/file-diffs";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { inputOf, placeOf, replacementsOf } from "./file-events";
import { promptsOf } from "./session-files";

const NONE = -1;

/** A call, as found by a search. */
export type FoundCall = { recordId: RecordId; block: number };

/** A change, as described by its session. */
export type OwnLineChange = Omit<LineChange, "sessionId" | "title">;

/**
 * What calls of a session did to a line, ignoring indentation, in the order of the calls; `null` for a call that is
 * gone, changed no file, or has no such line. Throws what `readRecords` throws.
 */
export async function lineChanges(
  session: OpenSession,
  found: readonly FoundCall[],
  line: string,
): Promise<(OwnLineChange | null)[]> {
  const { table } = session;
  const done = found.map((one) => changeAt(session, one));
  const read = await readRecords(
    session,
    done.flatMap((one) => (one ? [one.record, one.result] : [])),
  );
  const turnOf = turnOfRecords(session);
  const told = done.map((one): Omit<OwnLineChange, "prompt"> | null => {
    const said = one && saidOfLine(read(one.record), read(one.result), one.block, line);
    if (!said) return null;
    const { record, block, tool } = one;
    return { ...placeOf(session, record, turnOf), ...said, block, tool, atMs: timeOf(table, record) };
  });
  const prompts = await promptsOf(session, new Set(told.flatMap((one) => (one ? [one.turn] : []))));
  return told.map((one) => one && { ...one, prompt: prompts.get(one.turn) ?? null });
}

type DoneChange = { record: number; result: number; block: number; tool: string };

/** The records of a completed call that changed a file; `null` for any other. */
function changeAt(session: OpenSession, { recordId, block }: FoundCall): DoneChange | null {
  const { calls, blocks, tools } = session.table;
  try {
    const record = session.find(recordId);
    const call = blocks.call.at(findCallBlock(session, record, block));
    const tool = tools.at(calls.tool.at(call)) ?? "";
    const result = calls.result.at(call);
    const isDone = result !== NONE && calls.state.at(call) === CallState.ok;
    if (!isDone || toolNamed(tool)?.files !== "changes") return null;
    return { record, result: blocks.record.at(result), block, tool };
  } catch (error) {
    // The log has been rewritten since it was searched.
    if (isViewerError(error)) return null;
    throw error;
  }
}

/** What a call did to a line, according to the call's line in the log and that of its result. */
function saidOfLine(
  use: SessionRecord | null,
  answer: SessionRecord | null,
  block: number,
  line: string,
): Pick<LineChange, "path" | "change"> | null {
  const structured = answer?.kind === "user" ? asObject(answer.toolUseResult) : null;
  const input = inputOf(use, block);
  const path = asString(structured?.filePath) ?? asString(input.file_path) ?? asString(input.notebook_path);
  if (path === null) return null;
  const whole = asString(structured?.content) ?? asString(input.content) ?? asString(input.new_source);
  const edits = whole === null ? replacementsOf(input, structured) : [];
  const original = whole === null ? null : originalFile(structured);
  const had = edits.some(({ from }) => hasLine(from, line)) || (original !== null && hasLine(original, line));
  const has = edits.some(({ to }) => hasLine(to, line)) || (whole !== null && hasLine(whole, line));
  if (!had && !has) return null;
  return { path, change: has ? (had ? "kept" : "wrote") : "removed" };
}

/** Whether a text contains a line, ignoring the white space around it. */
function hasLine(text: string, line: string): boolean {
  let at = text.indexOf(line);
  for (; at !== -1; at = text.indexOf(line, at + 1)) {
    const from = text.lastIndexOf("\n", at - 1) + 1;
    const to = text.indexOf("\n", at);
    if (text.slice(from, to === -1 ? undefined : to).trim() === line) return true;
  }
  return false;
}
