import { addTo } from "@/lib/format/lists";
import { comparablePath } from "@/lib/format/text";
import { inputPath } from "@/lib/log/adding/add-assistant";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { FILE_CREATED } from "@/lib/log/rows/calls/describe-files";
import { CallState } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import type { Surroundings } from "@/lib/server/library/session-files";
import type { Replacement } from "@/lib/tools/applied-edits";
import { toolNamed } from "@/lib/tools/tools";
import type { Hunk } from "@/lib/wire/record";
import { turnOfRecords } from "../answers/agent-entries";
import { originalFile, recordedHunks } from "../answers/file-diffs";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { type Backup, backedUp, backupsOf, backupsOfFile, firstOfEach } from "./file-backups";
import { type Seen, seenLines, spliced, wholeText } from "./file-text";
import type { FileChange, FileEvent } from "./file-timeline";
import { cellEditOf } from "./notebook-edit";
import { numberedLines } from "./numbered-lines";

const NONE = -1;
/** Names and paths are shorter than this; longer strings are cut while files are searched. */
const KEEP_BYTES = 4096;

/** The records of a session that mention files. */
export type TouchedFiles = {
  /** A path as it is written here: on Windows calls of one session may write it in several ways. */
  spelled: (path: string) => string;
  /** Path → calls that read or changed it, in the order of the table. */
  calls: ReadonlyMap<string, readonly number[]>;
  /** Path → attachments that show it. */
  attachments: ReadonlyMap<string, readonly number[]>;
  backups: readonly Backup[];
};

const known = new WeakMap<OpenSession, Promise<TouchedFiles>>();

/** The records that mention each file, collected once for each state of a session. */
export function touchedFiles(session: OpenSession): Promise<TouchedFiles> {
  const found = known.get(session) ?? findTouched(session);
  known.set(session, found);
  return found.catch((error: unknown) => {
    known.delete(session);
    throw error;
  });
}

async function findTouched(session: OpenSession): Promise<TouchedFiles> {
  const { table } = session;
  const { calls, blocks, records } = table;
  const asking: { call: number; path: string | null; record: number; index: number }[] = [];
  for (let call = 0; call < calls.size; call++) {
    const use = calls.use.at(call);
    if (use === NONE || calls.state.at(call) !== CallState.ok || table.isCopy(call)) continue;
    if (toolNamed(table.tools.at(calls.tool.at(call)))?.files === undefined) continue;
    const path = table.paths.at(calls.path.at(call)) ?? null;
    asking.push({ call, path, record: blocks.record.at(use), index: blocks.index.at(use) });
  }
  const others: { record: number; type: string }[] = [];
  for (let record = 0; record < records.size; record++) {
    const type = table.types.at(records.type.at(record)) ?? "";
    if (/^(?:file-history-(?:snapshot|delta)|attachment\/(?:edited_text_)?file)$/.test(type))
      others.push({ record, type });
  }
  const read = await readRecords(
    session,
    [...asking.filter(({ path }) => path === null), ...others].map(({ record }) => record),
    KEEP_BYTES,
  );
  const spellings = new Map<string, string>();
  const spelled = (path: string) => spellings.get(comparablePath(path)) ?? path;
  const note = (path: string | null) => {
    if (path !== null && !spellings.has(comparablePath(path))) spellings.set(comparablePath(path), path);
  };
  const named = asking.map(({ call, path, record, index }) => {
    // For a change this is the spelling that the client has recorded.
    note(path);
    return { call, path: path ?? inputPath(inputOf(read(record), index)) };
  });
  const byPath = new Map<string, number[]>();
  for (const { call, path } of named) {
    note(path);
    if (path !== null) addTo(byPath, spelled(path), call);
  }
  const attachments = new Map<string, number[]>();
  const backups: Backup[] = [];
  for (const { record, type } of others) {
    const line = read(record);
    if (line?.kind === "attachment") {
      const path = asString(line.attachment.filename);
      if (path !== null) addTo(attachments, spelled(path), record);
    } else if (line && line.kind !== "unreadable") {
      backups.push(...backupsOf(record, type, line.json));
    }
  }
  return { spelled, calls: byPath, attachments, backups: firstOfEach(backups) };
}

/** Everything that a session's logs and backups say about a file, in the order of time. */
export async function fileEvents(
  session: OpenSession,
  around: Surroundings,
  named: string,
): Promise<FileEvent[]> {
  const touched = await touchedFiles(session);
  const path = touched.spelled(named);
  const calls = touched.calls.get(path) ?? [];
  const attachments = touched.attachments.get(path) ?? [];
  const { table } = session;
  const wanted = calls.flatMap((call) => callRecords(session, call));
  const read = await readRecords(session, [...wanted, ...attachments]);
  const turnOf = turnOfRecords(session);
  const events: FileEvent[] = [];
  for (const call of calls) {
    const use = table.calls.use.at(call);
    const record = table.blocks.record.at(use);
    const result = table.calls.result.at(call);
    const answer = read(table.blocks.record.at(result));
    const block = table.blocks.index.at(use);
    const base = {
      ...placeOf(session, record, turnOf),
      block,
      records: callRecords(session, call),
      tool: table.tools.at(table.calls.tool.at(call)),
      atMs: timeAt(session, table.blocks.record.at(result)),
    };
    const said = saidOfCall(
      inputOf(read(record), block),
      answer,
      table.blocks.index.at(result),
      base.tool ?? "",
    );
    if (said) events.push({ ...base, ...said });
  }
  for (const record of attachments) {
    const line = read(record);
    const seen = line?.kind === "attachment" ? attachedLines(line.attachment) : null;
    if (seen) {
      const base = { ...placeOf(session, record, turnOf), block: 0, records: [record], tool: null };
      const atMs = timeAt(session, record);
      events.push({ ...base, atMs, before: null, change: null, after: seen, source: "read" });
    }
  }
  for (const backup of backupsOfFile(touched.backups, around, path)) {
    const seen = await backedUp(session, around, backup);
    if (seen === null) continue;
    const { record, atMs } = backup;
    const base = { ...placeOf(session, record, turnOf), block: 0, records: [record], tool: null };
    events.push({ ...base, atMs, before: null, change: null, after: seen, source: "backup" });
  }
  const isBackup = (event: FileEvent) => Number(event.source !== "backup");
  const last = (event: FileEvent) => event.records.at(-1) ?? NONE;
  // The client backs a file up before it changes it, and logs the change when it is done.
  return events.sort((a, b) => a.atMs - b.atMs || isBackup(a) - isBackup(b) || last(a) - last(b));
}

/** Where a record stands: its id, the agent whose thread it is in, and its turn, which `turnOf` tells. */
export function placeOf(session: OpenSession, record: number, turnOf: (record: number) => number) {
  const { graph } = session;
  const agentId = graph.threads[at(graph.threadOf, record)]?.agentId ?? null;
  return { recordId: session.recordId(record), agentId, turn: turnOf(record) };
}

function callRecords({ table }: OpenSession, call: number): number[] {
  const { calls, blocks } = table;
  return [blocks.record.at(calls.use.at(call)), blocks.record.at(calls.result.at(call))];
}

/** The time of a record, or of the last one before it in its file that has one. */
export function timeAt({ table: { records } }: OpenSession, record: number): number {
  const file = records.file.at(record);
  for (let up = record; up >= 0; up--) {
    // While a session grows, lines of other files may be in between.
    if (records.file.at(up) !== file) continue;
    const atMs = records.atMs.at(up);
    if (!Number.isNaN(atMs)) return atMs;
  }
  return 0;
}

/** The input of the call at this place among the blocks of an answer; empty where there is none. */
export function inputOf(line: SessionRecord | null, index: number): JsonObject {
  const block = line?.kind === "assistant" ? line.blocks[index] : undefined;
  return block?.kind === "tool-use" ? block.input : {};
}

type Said = Pick<FileEvent, "before" | "change" | "after" | "source">;

/** What a successful call says about its file, `null` for nothing: an image, or only a cell. */
function saidOfCall(
  input: JsonObject,
  answer: SessionRecord | null,
  block: number,
  tool: string,
): Said | null {
  const result = answer?.kind === "user" ? answer.blocks[block] : undefined;
  if (result?.kind !== "tool-result" || result.isError) return null;
  const line = answer?.kind === "user" ? answer : null;
  const structured = asObject(line?.toolUseResult);
  const text = result.content.map((one) => (one.kind === "text" ? one.text : "")).join("");
  if (toolNamed(tool)?.files === "reads") {
    const after = structured === null ? readText(text, input) : readLines(structured);
    return after && { before: null, change: null, after, source: "read" };
  }
  const patch = recordedHunks(structured);
  const recorded = originalFile(structured);
  const original = recorded === null ? null : wholeText(recorded);
  if (tool === "Write") {
    const content = asString(structured?.content) ?? asString(input.content);
    if (content === null) return null;
    const isNew = structured?.type === "create" || (structured === null && text.startsWith(FILE_CREATED));
    const before = isNew ? "absent" : (original ?? beforePatch(content, patch));
    return { before, change: { kind: "write", content, patch }, after: null, source: "original" };
  }
  if (tool === "NotebookEdit") {
    const before = asString(structured?.original_file);
    const content = asString(structured?.updated_file);
    // Agents' lines of 2.1.29 and later have no structured result; earlier logs do not record how outputs were cleared.
    const isKnown = structured === null && line?.isSidechain === true;
    const change: FileChange =
      content === null
        ? { kind: "cell", cell: isKnown ? cellEditOf(input) : null, patch: [] }
        : { kind: "write", content, patch: [] };
    return { before: before === null ? null : wholeText(before), change, after: null, source: "original" };
  }
  const edits = replacementsOf(input, structured);
  const isFirst = edits[0]?.from === "" && (recorded ?? "") === "";
  return {
    before: isFirst ? "empty" : original,
    change: { kind: "edit", edits, patch },
    after: editedSnippet(text),
    source: "original",
  };
}

/** The replacements that were made, which a person may have altered before; none where one of them names no text. */
export function replacementsOf(input: JsonObject, structured: JsonObject | null): Replacement[] {
  const listed = asArray(structured?.edits ?? input.edits).map(asObject);
  const [from, to] = [asString(structured?.oldString), asString(structured?.newString)];
  if (from !== null && to !== null) return [{ from, to, all: structured?.replaceAll === true }];
  const edits: Replacement[] = [];
  for (const edit of listed.length > 0 ? listed : [input]) {
    const old = asString(edit?.old_string);
    if (old === null) return [];
    const made = asString(edit?.new_string) ?? "";
    edits.push({ from: withoutReturns(old), to: withoutReturns(made), all: edit?.replace_all === true });
  }
  return edits;
}

function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** A file's content before a patch; `null` if the patch does not fit this text. */
function beforePatch(content: string, patch: readonly Hunk[]): Seen | null {
  if (patch.length === 0) return null;
  let lines = [...wholeText(content).lines];
  for (const { newStart, lines: marked } of patch.toReversed()) {
    const made = marked.filter((line) => line[0] === " " || line[0] === "+").map((line) => line.slice(1));
    const from = Math.max(0, newStart - 1);
    if (made.some((line, index) => lines[from + index] !== line)) return null;
    const old = marked.filter((line) => line[0] === " " || line[0] === "-").map((line) => line.slice(1));
    lines = spliced(lines, from, made.length, old);
  }
  return wholeText(lines.join("\n"));
}

/** The lines that a Read's structured result shows; an unchanged file, a picture or a notebook has none. */
function readLines(structured: JsonObject): Seen | null {
  const file = asObject(structured.file);
  const content = asString(file?.content);
  if (structured.type !== "text" || content === null) return null;
  const from = asNumber(file?.startLine) ?? 1;
  const lines = content.replaceAll("\r\n", "\n").split("\n");
  return seenLines(from, lines, asNumber(file?.totalLines));
}

/** The number of lines that a Read without a limit shows. */
const MAX_READ_LINES = 2000;

/** The lines that a Read's text shows: from 2.1.29 on agents' reads have no structured result. */
function readText(text: string, input: JsonObject): Seen | null {
  const found = numberedLines(text);
  if (found === null) return null;
  const isWhole = input.offset === undefined && input.limit === undefined && found.ends;
  const total =
    isWhole && found.from === 1 && found.lines.length < MAX_READ_LINES ? found.lines.length : null;
  return seenLines(found.from, found.lines, total);
}

/** The lines around an edit that its result shows, up to 2.1.29. */
function editedSnippet(text: string): Seen | null {
  const at = text.indexOf("`cat -n`");
  const found = at === -1 ? null : numberedLines(text.slice(text.indexOf("\n", at) + 1));
  return found && seenLines(found.from, found.lines, null);
}

/** What an attachment shows: a file that a prompt named, or one that was changed outside, with the lines around it. */
function attachedLines(attachment: JsonObject): Seen | null {
  const content = asObject(attachment.content);
  if (content) return readLines(content);
  const found = numberedLines(asString(attachment.snippet) ?? "");
  return found && seenLines(found.from, found.lines, null);
}
