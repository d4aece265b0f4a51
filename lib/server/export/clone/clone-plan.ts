import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import { blocksOf, type SessionTable } from "@/lib/log/table/session-table";
import type { OpenSession } from "@/lib/server/session/open-session";
import { recordsOfPart } from "@/lib/server/session/session-part";
import { type Choice, hasAllContents } from "../chosen-part";

const NONE = -1;

/** The records of a session that a clone contains, and their blocks that it leaves out. */
export type ClonePlan = {
  /** 1 for a record that is kept. */
  kept: Uint8Array;
  /** Blocks, by their numbers in the table, that are left out of records that are kept. */
  left: ReadonlySet<number>;
  /** False: words stand in the places of images and documents. */
  images: boolean;
  /** Nothing was left out. */
  isWhole: boolean;
};

/** What an agent does, which 2.1.29 and 2.1.42 repeat in the main log. */
const AGENT_PROGRESS = "progress/agent_progress";

/** Types of records that give the session a title, wherever in its log they are. */
const TITLES = new Set(["summary", "custom-title", "ai-title", "agent-name"]);

/**
 * Plans a clone of the chosen part. A call is kept or left out together with its results, so that the API accepts what
 * is sent; a record without any block left is left out, and so are the agents of such calls. The client's log of its
 * requests (2.1.330) contains what was sent then, and is left out as soon as anything is.
 */
export function planClone(session: OpenSession, choice: Choice): ClonePlan {
  const { table } = session;
  const size = session.graph.parents.length;
  if (choice.isWhole)
    return { kept: new Uint8Array(size).fill(1), left: new Set(), images: true, isWhole: true };
  const isPart = choice.branch !== null || choice.turns !== null || choice.records !== null;
  const kept = isPart ? recordsIn(session, choice) : new Uint8Array(size).fill(1);
  if (!choice.tools) leaveTools(session, kept);
  else if (!choice.agents) leaveAgents(session, kept);
  if (!hasAllContents(choice)) leaveUnreadable(session, kept);
  for (let record = 0; record < size; record++)
    if (typeOf(table, record).startsWith("api-request")) kept[record] = 0;
  const left = blocksLeft(table, kept, choice);
  for (let record = 0; record < size; record++) {
    if (!kept[record]) continue;
    const blocks = [...blocksOf(table, record)];
    if (blocks.length > 0 && blocks.every((block) => left.has(block))) kept[record] = 0;
  }
  return { kept, left, images: choice.images, isWhole: false };
}

function typeOf({ types, records }: SessionTable, record: number): string {
  return types.at(records.type.at(record)) ?? "";
}

/** The records of a branch or of turns, with the agents whose calls are among them. */
function recordsIn(session: OpenSession, choice: Choice): Uint8Array {
  const { table, graph } = session;
  const kept = new Uint8Array(graph.parents.length);
  for (const { record } of recordsOfPart(session, choice)) kept[record] = 1;
  for (let record = 0; record < kept.length; record++)
    if (graph.threadOf[record] === 0 && TITLES.has(typeOf(table, record))) kept[record] = 1;
  const isCalled = (call: number) => {
    const use = call === NONE ? NONE : table.calls.use.at(call);
    return use !== NONE && kept[table.blocks.record.at(use)] === 1;
  };
  const waiting = new Set(graph.threads.keys());
  waiting.delete(0);
  // An agent may come before the one that started it.
  for (let found = -1; found !== 0; ) {
    const called = new Set(
      [...waiting].filter((thread) => {
        const { call = NONE, resumes = [] } = graph.threads[thread] ?? {};
        return isCalled(call) || resumes.some(isCalled);
      }),
    );
    found = called.size;
    for (const thread of called) waiting.delete(thread);
    if (found > 0)
      for (let record = 0; record < kept.length; record++)
        if (called.has(graph.threadOf[record] ?? 0)) kept[record] = 1;
  }
  return kept;
}

/** Leaves out agents, the progress of calls, and what hooks said about them. */
function leaveTools({ table, graph }: OpenSession, kept: Uint8Array): void {
  for (let record = 0; record < kept.length; record++) {
    const type = typeOf(table, record);
    if (
      graph.threadOf[record] !== 0 ||
      table.records.kind.at(record) === RecordKind.progress ||
      type.startsWith("attachment/hook_") ||
      type === "tools-used"
    )
      kept[record] = 0;
  }
}

/** Leaves out agents' lines, also those that are in the main log (1.0.128) or are repeated there. */
function leaveAgents({ table, graph }: OpenSession, kept: Uint8Array): void {
  for (let record = 0; record < kept.length; record++) {
    if (graph.threadOf[record] !== 0 || typeOf(table, record) === AGENT_PROGRESS) kept[record] = 0;
  }
}

/** What a line holds that cannot be parsed is not known. */
function leaveUnreadable({ table }: OpenSession, kept: Uint8Array): void {
  for (let record = 0; record < kept.length; record++)
    if (table.records.kind.at(record) === RecordKind.unreadable) kept[record] = 0;
}

/**
 * The blocks that are left out: thinking and tools if those were not wanted, and calls and results without their
 * counterpart.
 */
function blocksLeft(table: SessionTable, kept: Uint8Array, { thinking, tools }: Choice): Set<number> {
  const { blocks, calls } = table;
  const left = new Set<number>();
  // Bits of each call: had a use, had a result, keeps a use, keeps a result.
  const state = new Uint8Array(calls.size);
  for (let block = 0; block < blocks.size; block++) {
    const [kind, call] = [blocks.kind.at(block), blocks.call.at(block)];
    const bit = bitOf(kind);
    const isKept = kept[blocks.record.at(block)] === 1;
    if ((kind === BlockKind.thinking && !thinking) || (bit > 0 && !tools)) left.add(block);
    else if (bit > 0 && call !== NONE) state[call] = (state[call] ?? 0) | bit | (isKept ? bit << 2 : 0);
  }
  for (let block = 0; block < blocks.size; block++) {
    const bit = bitOf(blocks.kind.at(block));
    const found = state[blocks.call.at(block)] ?? 0;
    const other = bit ^ (USE | RESULT);
    if (bit > 0 && found & other && !(found & (other << 2))) left.add(block);
  }
  return left;
}

const [USE, RESULT] = [1, 2];

function bitOf(kind: number): number {
  return kind === BlockKind.call ? USE : kind === BlockKind.result ? RESULT : 0;
}
