import { asObject, asString } from "@/lib/log/records/json";
import { timeOf } from "@/lib/log/rows/row-context";
import { CallState } from "@/lib/log/table/kinds";
import { toolNamed } from "@/lib/tools/tools";
import type { LineChange } from "@/lib/wire/files";
import type { RecordId } from "@/lib/wire/ids";
import { turnOfRecords } from "../agent-entries";
import { findCallBlock, originalFile } from "../file-diffs";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { inputOf, placeOf, replacementsOf } from "./file-events";
import { promptsOf } from "./session-files";

const NONE = -1;

/** What a call did to a line, indentation apart; `null` for a call that changed no file, or has no such line. */
export async function lineChange(
  session: OpenSession,
  recordId: RecordId,
  block: number,
  line: string,
): Promise<Omit<LineChange, "sessionId" | "title"> | null> {
  const { table } = session;
  const { calls, blocks } = table;
  const record = session.find(recordId);
  const call = blocks.call.at(findCallBlock(session, record, block));
  const tool = table.tools.at(calls.tool.at(call)) ?? "";
  const result = calls.result.at(call);
  const isDone = result !== NONE && calls.state.at(call) === CallState.ok;
  if (!isDone || toolNamed(tool)?.files !== "changes") return null;
  const read = await readRecords(session, [record, blocks.record.at(result)]);
  const answer = read(blocks.record.at(result));
  const structured = answer?.kind === "user" ? asObject(answer.toolUseResult) : null;
  const input = inputOf(read(record), block);
  const path = asString(structured?.filePath) ?? asString(input.file_path) ?? asString(input.notebook_path);
  if (path === null) return null;
  const whole = asString(structured?.content) ?? asString(input.content) ?? asString(input.new_source);
  const edits = whole === null ? replacementsOf(input, structured) : [];
  const original = whole === null ? null : originalFile(structured);
  const had = edits.some(({ from }) => hasLine(from, line)) || (original !== null && hasLine(original, line));
  const has = edits.some(({ to }) => hasLine(to, line)) || (whole !== null && hasLine(whole, line));
  if (!had && !has) return null;
  const place = placeOf(session, record, turnOfRecords(session));
  const prompts = await promptsOf(session, new Set([place.turn]));
  const change = has ? (had ? "kept" : "wrote") : "removed";
  const prompt = prompts.get(place.turn) ?? null;
  return { ...place, block, tool, path, change, prompt, atMs: timeOf(table, record) };
}

/** Whether a text has a line, apart from the white space around it. */
function hasLine(text: string, line: string): boolean {
  let at = text.indexOf(line);
  for (; at !== -1; at = text.indexOf(line, at + 1)) {
    const from = text.lastIndexOf("\n", at - 1) + 1;
    const to = text.indexOf("\n", at);
    if (text.slice(from, to === -1 ? undefined : to).trim() === line) return true;
  }
  return false;
}
