import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { SessionRecord, UserRecord } from "@/lib/log/records/session-record";
import { BlockKind, CallState, Flag, Level, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { noteNotification } from "./add-queued-text";
import { addResult, noteStructuredResult, stoppedCalls } from "./add-result";
import { pushBlock, pushRecord } from "./push-record";
import { compactionBefore, joinSummary, noteSummaryBoundary } from "./summary-boundary";
import { textPrefix } from "./text-prefix";
import { injectedText, isOpenEnded, tagContent, typedText, userTextKind } from "./user-text";

/** Appends a user line (a prompt, results, or text the client writes in the user's name) and returns its index. `whole`: see `addRecord`. */
export function addUser(
  table: SessionTable,
  file: number,
  record: UserRecord,
  whole: () => SessionRecord,
): number {
  const hasResults = record.blocks.some((block) => block.kind === "tool-result");
  // The typed text may follow a reminder that is longer than what was kept of the line.
  const text = textOf(record.elided && holdsInjected(textOf(record)) ? whole() : record);
  const typed = typedText(text);
  const kind = userKind(record, hasResults, typed === "" ? text : typed);
  const index = pushRecord(table, file, record, kind, "user");
  for (const call of stoppedCalls(table, record)) table.calls.state.put(call, CallState.interrupted);
  if (kind === RecordKind.prompt) table.records.link.put(index, table.texts.intern(textPrefix(typed)));
  if (kind === RecordKind.prompt && typed.startsWith(PLAN))
    table.records.flags.put(index, table.records.flags.at(index) | Flag.plan);
  // One of the client's own begins with its name (all versions), and may be run while the model works.
  if (kind === RecordKind.command && /^<(command-message|bash-input)>/.test(text))
    table.records.flags.put(index, table.records.flags.at(index) | Flag.atRest);
  // A command for the shell may have waited as a prompt does.
  const shell = kind === RecordKind.command ? tagContent(text, "bash-input") : null;
  if (shell !== null) table.records.link.put(index, table.texts.intern(textPrefix(shell)));
  // The same number as the prompt of its call.
  if (kind === RecordKind.agentPrompt) table.records.link.put(index, table.texts.intern(textPrefix(text)));
  if (record.isMeta && CAVEAT.test(text)) {
    table.records.flags.put(index, table.records.flags.at(index) | Flag.caveat);
    joinSummary(table, index);
  }
  if (kind === RecordKind.notification)
    noteNotification(table, index, text, record.elided ? () => textOf(whole()) : null);
  if (!hasResults) {
    const isCompaction = record.isCompactSummary && startsAnew(table, index);
    if (isCompaction) table.records.kind.put(index, RecordKind.compactBoundary);
    pushBlock(table, index, BlockKind.record, isCompaction ? Level.prompts : levelOf(kind, text));
    for (const [blockIndex, block] of record.blocks.entries()) {
      if (block.kind === "unknown") pushBlock(table, index, BlockKind.unknown, Level.tools, blockIndex);
      else if (block.kind === "text" && kind === RecordKind.prompt && holdsInjected(block.text))
        pushBlock(table, index, BlockKind.text, Level.everything, blockIndex);
    }
    if (kind === RecordKind.prompt) noteSummaryBoundary(table, index);
    return index;
  }
  for (const [blockIndex, block] of record.blocks.entries()) {
    if (block.kind === "tool-result") addResult(table, index, blockIndex, block, record);
    // Text beside a result: what a person typed when refusing, or a reminder.
    else
      pushBlock(
        table,
        index,
        block.kind === "media" ? BlockKind.media : BlockKind.text,
        Level.tools,
        blockIndex,
      );
  }
  noteStructuredResult(table, index, record, whole);
  return index;
}

/** How such a prompt begins, from 2.1.15 on. */
const PLAN = "Implement the following plan:\n\n";

/** The client's note ahead of a local command: plain text, from 2.1.x on in a tag. */
const CAVEAT = /^(?:<local-command-caveat>|Caveat: )/;

/**
 * True for a summary without a parent and without a boundary before it: 1.0.60 writes no system lines, so this
 * line is the only trace of a compaction. It is then both, and the request starts with it.
 */
function startsAnew(table: SessionTable, summary: number): boolean {
  const { records } = table;
  if (records.parent.at(summary) !== -1) return false;
  const isMainSidechain =
    (records.flags.at(summary) & Flag.sidechain) !== 0 && records.file.at(summary) === 0;
  return !isMainSidechain && compactionBefore(table, summary) === -1;
}

function holdsInjected(text: string): boolean {
  return isOpenEnded(text) || injectedText(text) !== "";
}

function textOf(record: SessionRecord): string {
  if (record.kind !== "user") return "";
  return record.blocks
    .map((block) => (block.kind === "text" ? block.text : ""))
    .join("\n")
    .trim();
}

const LEVELS: ReadonlyMap<number, number> = new Map([
  [RecordKind.prompt, Level.prompts],
  [RecordKind.agentPrompt, Level.prompts],
  [RecordKind.compactSummary, Level.tools],
  [RecordKind.command, Level.conversation],
  [RecordKind.commandOutput, Level.tools],
  [RecordKind.interruption, Level.conversation],
  [RecordKind.notification, Level.tools],
]);

function levelOf(kind: number, text: string): number {
  // `/clear` prints nothing, on a line of its own (all versions).
  if (kind === RecordKind.commandOutput && tagContent(text, "local-command-stdout") === "")
    return Level.everything;
  return LEVELS.get(kind) ?? Level.everything;
}

/**
 * What an agent is told in lines that are marked as if the client had added them: the instructions with which one begins
 * that a skill's command has started (2.1.330), and what a SendMessage brings (2.1.200 and later).
 */
export function isToldToAgent({ isSidechain, agentId, parentUuid, json }: UserRecord): boolean {
  if (!isSidechain || agentId === null) return false;
  return parentUuid === null || originOf(json) === "coordinator";
}

/**
 * Whether a line only notes that `/compact` was typed, beside the conversation: the compaction does not follow it, and its
 * command has a line of its own when it is done (2.1.250, 2.1.300; not in 2.1.332). What is sent to a model says from where
 * it came.
 */
export function isNotedCompaction({ isSidechain, json }: UserRecord, text: string): boolean {
  if (isSidechain || asString(json.promptId) === null || json.promptSource !== undefined) return false;
  return /^\/compact(\s|$)/.test(text);
}

function originOf({ origin }: JsonObject): string | null {
  return asString(asObject(origin)?.kind);
}

function userKind(record: UserRecord, hasResults: boolean, text: string): number {
  if (hasResults) return RecordKind.results;
  if (record.isCompactSummary) return RecordKind.compactSummary;
  if (record.isMeta && !isToldToAgent(record)) return RecordKind.meta;
  if (isNotedCompaction(record, text)) return RecordKind.metadata;
  const { json } = record;
  const what = userTextKind(text);
  if (what === "notification" || originOf(json) === "task-notification") return RecordKind.notification;
  if (what === "command" || what === "bash") return RecordKind.command;
  if (what === "output") return RecordKind.commandOutput;
  if (what === "interruption") return RecordKind.interruption;
  if (what === "summary") return RecordKind.compactSummary;
  if (what === "tagged" || json.isVisibleInTranscriptOnly === true) return RecordKind.meta;
  return record.isSidechain ? RecordKind.agentPrompt : RecordKind.prompt;
}
