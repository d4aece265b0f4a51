import { formatPlural } from "@/lib/format/format";
import { parseJson } from "@/lib/format/json-values";
import { addTo } from "@/lib/format/lists";
import { asArray, asObject, type JsonObject } from "@/lib/log/records/json";
import { lineWithoutImages, withoutImages } from "@/lib/log/records/without-images";
import { addBlocks, lastClient } from "@/lib/log/request/assemble";
import { type SentMessage, TOOL_LOADED } from "@/lib/log/request/sent-message";
import { BlockKind } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "@/lib/server/session/open-session";
import { type PartQuery, recordsOfPart, type SessionPart } from "@/lib/server/session/session-part";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { withAgentPlaces } from "@/lib/wire/exported";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { ApiMessage } from "@/lib/wire/model-requests/messages";
import type { Row } from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import type { Span } from "@/lib/wire/spans";
import { agentEntriesOf, eachRow, type PartRows } from "./exported-threads";
import { settled } from "./html/log-reader";
import { ALL_CONTENTS, type Contents, isLeftOut, withoutBlocks } from "./left-out";

/** What is left out, and in a clone how many turns are kept after a digest of all before them. */
type LeftOut = Contents & { digest: number | null };

/** The part of a session that is wanted. */
export type WantedPart = PartQuery & LeftOut;

/** All of a session's active branch. */
export const WHOLE: WantedPart = {
  branch: null,
  turns: null,
  records: null,
  ...ALL_CONTENTS,
  digest: null,
};

/** The same, looked up: a branch and turns that the session has. */
export type Choice = SessionPart & LeftOut & { isWhole: boolean };

/** Looks up the wanted part of a session. Throws ViewerErrors that say which parts there are. */
export async function choose(
  sessions: SessionQueries,
  id: SessionId,
  { branch, turns, records, ...leftOut }: WantedPart,
): Promise<Choice> {
  const part = await settled(() => sessions.part(id, { branch, turns, records }));
  const isThread = branch === null && turns === null && records === null;
  return { ...part, ...leftOut, isWhole: isThread && leftOut.digest === null && hasAllContents(leftOut) };
}

/** Whether nothing is left out of the lines themselves. */
export function hasAllContents({ thinking, tools, agents, images }: Contents): boolean {
  return thinking && tools && agents && images;
}

/**
 * The same queries as if the session were only the chosen part: every format is made from these, so none of them knows
 * of choices. A window of rows may contain fewer than requested. Thinking is there as a whole, with its signature, or
 * not at all; tool calls go with their results and their agents. Rows name images that are left out.
 */
export function chosenPart(sessions: SessionQueries, id: SessionId, choice: Choice): SessionQueries {
  if (choice.isWhole) return sessions;
  const { branch, turns, records } = choice;
  const keptRows = rowsKept(sessions, id, choice);
  let agents: Promise<PartAgents> | null = null;
  const agentsOnce = () => (agents ??= agentsOfPart(sessions, { ...sessions, rows: keptRows }, id, choice));
  return {
    ...sessions,
    rows: async (_, query) => {
      const answer = await keptRows(id, query);
      const isAlone = ({ lanes, passing }: Row) => !lanes && !passing;
      if ("scanning" in answer || answer.rows.every(isAlone)) return answer;
      const { places } = await agentsOnce();
      return { ...answer, rows: answer.rows.map((row) => withAgentPlaces(row, places)) };
    },
    agents: async () => ({ agents: (await agentsOnce()).entries, nextCursor: null }),
    outline: outlineKept(sessions, id, choice),
    spanGroups: spanGroupsKept(sessions, id, choice),
    brief: async (_, turn) => {
      const answer = await sessions.brief(id, turn, branch);
      if ("scanning" in answer) return answer;
      const { agents: called, agentsUsage } = answer;
      const ofAgents = choice.agents ? { agents: called, agentsUsage } : { agents: [], agentsUsage: null };
      if (countsTurns(choice)) return { ...answer, ...ofAgents };
      return { ...answer, tools: [], files: [], commands: [], moreCommands: 0, agents: [] };
    },
    conversation: async function* () {
      const client = lastClient((await sessions.latest(id)).table);
      const part = { branch, turns, records: records && [...records] };
      yield* keptMessages(sessions.conversation(id, part), choice, client);
    },
    call: callsKept(sessions, id, choice),
    blob: blobsKept(sessions, id, choice),
    ...linesKept(sessions, id, choice),
  };
}

/** Whether the part has all that its turns did, so that their counts are right. */
function countsTurns({ tools, records }: Choice): boolean {
  return tools && !records;
}

/** The rows of the part, with lanes that name agents by their indexes among all of the session. */
function rowsKept(sessions: SessionQueries, id: SessionId, choice: Choice): SessionQueries["rows"] {
  const { branch, turns, turnsOfBranch, records } = choice;
  const outside = turns ? numbersOutside(turns.from, turns.to, turnsOfBranch) : [];
  const isIn = ({ turn, recordId }: Row) =>
    (!turns || (turn >= turns.from && turn <= turns.to)) && (!records || records.has(recordId));
  const isKept = (row: Row) => {
    if (row.kind === "thinking") return choice.thinking;
    // A notification is a message of its own; an answer that came back as a result is not.
    const isCalled = row.kind === "tool" || (row.kind === "agent-return" && !row.notified);
    return choice.tools || !isCalled;
  };
  return async (_, query) => {
    const isOwn = query.agent === null;
    const answer = await sessions.rows(id, isOwn ? { ...query, branch, fold: outside } : query);
    if ("scanning" in answer) return answer;
    const kept: Row[] = [];
    const leftOut = new Map<number, Row[]>();
    for (const row of answer.rows) {
      if (isKept(row) && (!isOwn || isIn(row))) kept.push(row);
      else addTo(leftOut, kept.length, row);
    }
    const rows = choice.agents ? kept : kept.map(withoutAgents);
    const part: PartRows = { ...answer, rows: countsTurns(choice) ? rows : rows.map(uncounted), leftOut };
    return part;
  };
}

/** A row that leads to no agent. Its lanes go with the agents that they name. */
function withoutAgents(row: Row): Row {
  if (row.kind === "turn") return { ...row, agentsUsage: null };
  if (row.kind !== "tool") return row;
  const { agents: _, ...call } = row;
  return { ...call, agent: null };
}

function outlineKept(sessions: SessionQueries, id: SessionId, choice: Choice): SessionQueries["outline"] {
  const { branch, turns, turnsOfBranch, records } = choice;
  return async (_, query) => {
    // Before the first prompt is turn 0, which no outline has.
    const from = query.from + (turns ? Math.max(1, turns.from) - 1 : 0);
    const left = (turns?.to ?? turnsOfBranch) - from;
    const count = Math.max(0, Math.min(query.count, left));
    const answer = await sessions.outline(id, { ...query, branch, from, count });
    if ("scanning" in answer) return answer;
    if (countsTurns(choice)) {
      if (choice.agents) return answer;
      return { ...answer, turns: answer.turns.map((turn) => ({ ...turn, agents: 0 })) };
    }
    const kept = records ? answer.turns.filter(({ recordId }) => records.has(recordId)) : answer.turns;
    return { ...answer, turns: kept.map((turn) => ({ ...turn, ...NOTHING_COUNTED })) };
  };
}

/** The spans of the part. Agents are left out with their calls, and so is what they did. */
function spanGroupsKept(
  sessions: SessionQueries,
  id: SessionId,
  choice: Choice,
): SessionQueries["spanGroups"] {
  const { branch, turns, turnsOfBranch, records, tools, agents } = choice;
  return async function* (_, { withSubjects }) {
    const turn = { from: turns?.from ?? 0, to: turns?.to ?? turnsOfBranch };
    const isIn = records ? spansOfRecords(records) : () => true;
    for await (const group of sessions.spanGroups(id, { branch, turn, withSubjects }))
      yield group.filter(
        (span) =>
          isIn(span) &&
          ((tools && agents) || span.agentId === undefined) &&
          (tools || !CALLED.has(span.kind)),
      );
  };
}

/** Calls, with what was said of them later as far as that is in the part. */
function callsKept(sessions: SessionQueries, id: SessionId, choice: Choice): SessionQueries["call"] {
  let held: Promise<(record: RecordId) => boolean> | null = null;
  return async (_, recordId, block) => {
    const whole = await sessions.call(id, recordId, block);
    const answer = choice.images ? whole : withoutImages(whole);
    const isAll = !choice.turns && !choice.records;
    if ("scanning" in answer || answer.later.length === 0 || isAll) return answer;
    held ??= sessions.latest(id).then((session) => recordsHeld(session, choice));
    const isHeld = await held;
    return { ...answer, later: answer.later.filter((one) => isHeld(one.recordId)) };
  };
}

/** The bytes of images, documents and outputs. */
function blobsKept(sessions: SessionQueries, id: SessionId, { images }: Choice): SessionQueries["blob"] {
  return async (_, recordId, n) => {
    if (images) return sessions.blob(id, recordId, n);
    const { blobs } = await settled(() => sessions.record(id, recordId));
    if (blobs.find((blob) => blob.n === n)?.kind === "output") return sessions.blob(id, recordId, n);
    throw new ViewerError("record-left-out", "Images and documents are not in the chosen part", {
      hint: "Export it with images.",
    });
  };
}

/** Lines of the log, as records and as bytes, without the blocks that the part does not have. */
function linesKept(
  sessions: SessionQueries,
  id: SessionId,
  choice: Choice,
): Pick<SessionQueries, "record" | "rawRecord"> {
  const { records } = choice;
  const hasAllBlocks = choice.thinking && choice.tools && choice.images && !records;

  /** Null for what is no record. */
  async function keptOf(recordId: RecordId, json: unknown): Promise<JsonObject | null> {
    const record = asObject(json);
    if (record === null) return null;
    const isOther = records ? blocksOfOthers(await sessions.latest(id), records, recordId) : () => false;
    const kept = withoutBlocks(record, (block, place) => isLeftOut(block, choice) || isOther(place));
    return choice.images ? kept : lineWithoutImages(kept);
  }

  return {
    record: async (_, recordId) => {
      const answer = await sessions.record(id, recordId);
      if ("scanning" in answer || hasAllBlocks) return answer;
      const kept = await keptOf(recordId, answer.json);
      if (kept === answer.json && kept !== null) return answer;
      const text = kept === null ? "" : JSON.stringify(kept);
      return { ...answer, json: kept, raw: { text, cut: kept === null, length: text.length }, blobs: [] };
    },
    rawRecord: async (_, recordId) => {
      const answer = await sessions.rawRecord(id, recordId);
      if (hasAllBlocks) return answer;
      const line = await new Response(answer.stream).text();
      const json = parseJson(line);
      const kept = await keptOf(recordId, json);
      // It is not known what an unparsable line contains.
      if (kept === null)
        throw new ViewerError("record-left-out", "This line is not in the chosen part", {
          hint: "Export the whole session: what a line holds that cannot be read is not known.",
        });
      const bytes = new TextEncoder().encode(kept === json ? line : JSON.stringify(kept));
      return { stream: new Blob([bytes]).stream(), bytes: bytes.length };
    },
  };
}

const NOTHING_COUNTED = { toolCalls: 0, errors: 0, denied: 0, added: 0, removed: 0, agents: 0 };

/** A turn that is only partly in the part: its counts would include more than that. */
function uncounted(row: Row): Row {
  return row.kind === "turn" ? { ...row, ...NOTHING_COUNTED, agentsUsage: null, partial: true } : row;
}

/** Whether a record is in the part: one of its own thread, or any of an agent's. */
function recordsHeld(session: OpenSession, choice: Choice): (record: RecordId) => boolean {
  const own = new Set(Array.from(recordsOfPart(session, choice), ({ record }) => session.recordId(record)));
  return (record) => own.has(record) || session.graph.threadOf[session.find(record)] !== 0;
}

/**
 * The indexes of a line's blocks that belong to none of the chosen records: results of other calls, and, if the line
 * itself was not chosen, everything except results of chosen calls. Agents' lines are chosen with their calls.
 */
function blocksOfOthers(
  session: OpenSession,
  chosen: ReadonlySet<RecordId>,
  recordId: RecordId,
): (place: number) => boolean {
  const { table, graph } = session;
  const record = session.find(recordId);
  if (graph.threadOf[record] !== 0) return () => false;
  const { blocks, calls } = table;
  const isOther = (block: number) => {
    if (blocks.kind.at(block) !== BlockKind.result) return !chosen.has(recordId);
    const call = blocks.call.at(block);
    const use = call === -1 ? -1 : calls.use.at(call);
    return use === -1 || !chosen.has(session.recordId(blocks.record.at(use)));
  };
  const others = new Set([...blocksOf(table, record)].filter(isOther).map((block) => blocks.index.at(block)));
  return (place) => others.has(place);
}

const CALLED: ReadonlySet<Span["kind"]> = new Set(["tool", "agent", "permission"]);

/** Whether spans, given in order, are of these records, or in one that is. Parents come before their children. */
function spansOfRecords(records: ReadonlySet<RecordId>): (span: Span) => boolean {
  const kept = new Set<string>();
  return ({ id, parentId, recordId }) => {
    const isKept = parentId === null ? records.has(recordId) : kept.has(parentId);
    if (isKept) kept.add(id);
    return isKept;
  };
}

function numbersOutside(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1).filter((turn) => turn < from || turn > to);
}

/** The agents of a part, and the index of each among them by its index among all of the session. */
type PartAgents = { entries: AgentEntry[]; places: ReadonlyMap<number, number> };

/**
 * The agents whose calls a chosen part contains in its rows (`kept`). On the active branch also those that no known
 * call started.
 */
async function agentsOfPart(
  sessions: SessionQueries,
  kept: SessionQueries,
  id: SessionId,
  { branch, tools, agents, turns }: Choice,
): Promise<PartAgents> {
  const entries: AgentEntry[] = [];
  if (tools && agents) for await (const entry of agentEntriesOf(sessions, id)) entries.push(entry);
  const isWholeBranch = branch === null && turns === null;
  const called = tools && agents && !isWholeBranch ? await agentsCalled(kept, id) : null;
  const places = new Map<number, number>();
  const held = entries.filter(({ agentId }, place) => {
    if (called && !called.has(agentId)) return false;
    places.set(place, places.size);
    return true;
  });
  return { entries: held, places };
}

/** The agents that calls in these rows started, and the agents that those started. */
async function agentsCalled(sessions: SessionQueries, id: SessionId): Promise<ReadonlySet<AgentId>> {
  const found = new Set<AgentId>();
  const threads: (AgentId | null)[] = [null];
  for (const thread of threads)
    for await (const row of eachRow(sessions, id, thread, "tools")) {
      if (row.kind !== "tool" || row.agent === null) continue;
      for (const { agentId } of row.agents ?? [row.agent]) {
        if (!found.has(agentId)) threads.push(agentId);
        found.add(agentId);
      }
    }
  return found;
}

/** Messages without blocks that were left out. Neighbours of one role become one message, as this client sends them. */
async function* keptMessages(
  messages: AsyncIterable<ApiMessage>,
  choice: Choice,
  client: string,
): AsyncGenerator<ApiMessage> {
  let last = null as SentMessage | null;
  for await (const { role, content } of messages) {
    const blocks = asArray(content).filter(
      (block) => !isLeftOut(block, choice) && (choice.tools || asObject(block)?.text !== TOOL_LOADED),
    );
    if (blocks.length === 0) continue;
    const shown = (choice.images ? blocks : withoutImages(blocks))
      .map(asObject)
      .filter((block) => block !== null);
    if (last?.role === role) {
      addBlocks(last, shown, client);
      continue;
    }
    if (last) yield last;
    last = { role, content: shown };
  }
  if (last) yield last;
}

/** A choice in words, like `turns 3–7 of 12 · without thinking`; "" for the whole session. */
export function formatChoice({
  isWhole,
  number,
  branch,
  turns,
  turnsOfBranch,
  records,
  ...contents
}: Choice): string {
  if (isWhole) return "";
  const which = turns && (turns.from === turns.to ? `turn ${turns.from}` : `turns ${turns.from}–${turns.to}`);
  const without = (["thinking", "tools", "agents", "images"] as const)
    // Agents go with the calls that start them.
    .filter((one) => !contents[one] && (one !== "agents" || contents.tools))
    .map((one) => (one === "tools" ? "tool calls" : one))
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ");
  return [
    branch !== null && number > 0 ? `branch ${number}` : null,
    records && formatPlural(records.size, "chosen record"),
    which && `${which} of ${turnsOfBranch}`,
    without && `without ${without}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
