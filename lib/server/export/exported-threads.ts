import type { SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import {
  type Detail,
  LANE_COLUMNS,
  type Row,
  type RowAgent,
  type RowLane,
  type RowsResponse,
  type ToolRow,
} from "@/lib/wire/rows";
import type { AgentEntry } from "@/lib/wire/session";
import type { Cost } from "@/lib/wire/usage";
import { settled } from "./html/log-reader";

const WINDOW = 200;

/** An agent as an export names it. */
export type ExportedAgent = Pick<
  AgentEntry,
  "agentId" | "state" | "toolCalls" | "tokens" | "durationMs" | "parentRecordId"
> & {
  /** Its index among the session's agents, from 1: its anchor in the file. */
  number: number;
  name: string;
  type: string | null;
  /** Of its own requests; null where the log counts no tokens. */
  cost: Cost | null;
};

/**
 * A part of an export, in the order of the file. A call with agents is followed by those inside of it (`inside`: each
 * from `agent` to `agent-end`) and by its `call-end`; `elsewhere` are those earlier in the file, or after the thread.
 * `apart` comes before the first of the agents after the thread, `left-out` at the end.
 */
export type ThreadPart =
  | { part: "row"; row: Row; agent: ExportedAgent | null }
  | { part: "call"; row: ToolRow; inside: ExportedAgent[]; elsewhere: ExportedAgent[] }
  | { part: "call-end" }
  | { part: "apart" }
  | { part: "agent"; agent: ExportedAgent; from: AgentStart | null }
  | { part: "lost"; agent: ExportedAgent }
  | { part: "agent-end"; agent: ExportedAgent }
  | { part: "left-out"; agents: number };

/** Where an agent after the thread was started: in a turn of the session's own thread, or by another agent. */
export type AgentStart = { turn: number; by: ExportedAgent | null };

/** The agents of a session by their ids. */
export type ExportedAgents = Map<AgentId, ExportedAgent>;

/** All agents of a session, in order of appearance. */
export async function agentsOf(sessions: SessionQueries, id: SessionId): Promise<ExportedAgents> {
  const agents: ExportedAgents = new Map();
  for await (const entry of agentEntriesOf(sessions, id)) {
    const { agentId, state, toolCalls, tokens, cost, durationMs, parentRecordId, type, description } = entry;
    const number = agents.size + 1;
    const name = description || type || `Agent ${agentId}`;
    agents.set(agentId, {
      ...{ agentId, number, name, type: description ? type : null },
      ...{ state, toolCalls, tokens, durationMs, parentRecordId },
      cost: tokens > 0 ? cost : null,
    });
  }
  return agents;
}

/** The same agents as the API lists them. */
export async function* agentEntriesOf(sessions: SessionQueries, id: SessionId): AsyncGenerator<AgentEntry> {
  for (let cursor: string | null = null; ; ) {
    const page = await settled(() => sessions.agents(id, { limit: WINDOW, cursor }));
    yield* page.agents;
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

/** A thread that is being written: its remaining rows, and the remaining agents of the call that was written last. */
type Level = {
  agent: ExportedAgent | null;
  rows: AsyncIterator<Row>;
  call: ExportedAgent[] | null;
};

/**
 * The session's active branch with its agents' threads, each once, below the first call that started or resumed it.
 * Agents are placed in calls of agents up to `depth` levels (0: in no call); deeper ones, and those that no known call
 * started, follow the thread. If the session's own log is gone all agents do. Keeps one window of rows a level.
 */
export async function* threadParts(
  sessions: SessionQueries,
  { id, main }: SessionFiles,
  agents: ExportedAgents,
  depth: number,
): AsyncGenerator<ThreadPart> {
  const taken = new Set<AgentId>();
  /** The agents after the thread, the next one last. */
  const behind: { agent: ExportedAgent; from: AgentStart | null }[] = [];
  const levels: Level[] = [];
  const begin = (agent: ExportedAgent | null) =>
    levels.push({
      agent,
      rows: eachRow(sessions, id, agent?.agentId ?? null, "tools")[Symbol.asyncIterator](),
      call: null,
    });

  /** Writes the threads that have begun, with everything in them. */
  async function* untilDone(): AsyncGenerator<ThreadPart> {
    const later: typeof behind = [];
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const inside = level.call?.shift();
      if (inside) {
        yield { part: "agent", agent: inside, from: null };
        begin(inside);
        continue;
      }
      if (level.call) yield { part: "call-end" };
      level.call = null;
      const row = await nextRow(level);
      if (row === "done" || row === "lost") {
        if (level.agent && row === "lost") yield { part: "lost", agent: level.agent };
        if (level.agent) yield { part: "agent-end", agent: level.agent };
        levels.pop();
      } else if (row.kind !== "tool" || row.agent === null) {
        yield { part: "row", row, agent: level.agent };
      } else {
        const called = (row.agents ?? [row.agent]).map((one) => known(agents, one));
        const due = called.filter(({ agentId }) => !taken.has(agentId));
        for (const { agentId } of due) taken.add(agentId);
        const inside = levels.length <= depth ? due : [];
        if (inside.length === 0)
          for (const agent of due) later.push({ agent, from: { turn: row.turn, by: level.agent } });
        yield { part: "call", row, inside, elsewhere: called.filter((one) => !inside.includes(one)) };
        level.call = [...inside];
      }
    }
    behind.push(...later.reverse());
  }

  async function* allBehind(): AsyncGenerator<ThreadPart> {
    for (let next = behind.pop(); next; next = behind.pop()) {
      yield { part: "agent", ...next };
      begin(next.agent);
      yield* untilDone();
    }
  }

  if (!main.gone) begin(null);
  yield* untilDone();
  const orphans = [...agents.values()].filter(
    ({ agentId, parentRecordId }) => parentRecordId === null && !taken.has(agentId),
  );
  for (const agent of orphans) taken.add(agent.agentId);
  behind.unshift(...orphans.reverse().map((agent) => ({ agent, from: null })));
  if (behind.length > 0) yield { part: "apart" };
  yield* allBehind();
  for (const agent of agents.values()) {
    // If there is a thread, these belong to branches that it left.
    if (!main.gone || taken.has(agent.agentId)) continue;
    taken.add(agent.agentId);
    behind.push({ agent, from: null });
    yield* allBehind();
  }
  if (taken.size < agents.size) yield { part: "left-out", agents: agents.size - taken.size };
}

/** The agent of a row; one that appeared after the others were listed is added at the end. */
function known(agents: ExportedAgents, row: RowAgent): ExportedAgent {
  const found = agents.get(row.agentId);
  if (found) return found;
  const { agentId, state, toolCalls, tokens, durationMs } = row;
  const agent: ExportedAgent = {
    ...{ agentId, number: agents.size + 1, name: row.name ?? `Agent ${agentId}`, type: null },
    ...{ state, toolCalls, tokens, durationMs, parentRecordId: null, cost: null },
  };
  agents.set(agentId, agent);
  return agent;
}

/** The next row; `lost` if an agent's log was removed while it was being written. */
async function nextRow({ agent, rows }: Level): Promise<Row | "done" | "lost"> {
  try {
    const { value, done } = await rows.next();
    return done ? "done" : value;
  } catch (error) {
    if (agent && isViewerError(error)) return "lost";
    throw error;
  }
}

/** Rows of a part of a session, with those that are not in it by the index of the row before which they stood. */
export type PartRows = RowsResponse & { leftOut?: ReadonlyMap<number, readonly Row[]> };

/**
 * All rows of a thread, a window at a time, as a file has them.
 * @param isIn whether the file has a row
 */
export async function* eachRow(
  sessions: SessionQueries,
  id: SessionId,
  agent: AgentId | null,
  detail: Detail,
  isIn: (row: Row) => boolean = () => true,
): AsyncGenerator<Row> {
  const query = { branch: null, agent, detail, fold: [], count: WINDOW, around: null };
  const lanes = new PlacedLanes();
  for (let from = 0; ; from += WINDOW) {
    const answer = await settled<PartRows>(() => sessions.rows(id, { ...query, from }));
    const { rows, total, leftOut } = answer;
    for (const [index, row] of rows.entries()) {
      for (const other of leftOut?.get(index) ?? []) lanes.leaveOut(other);
      if (isIn(row)) yield lanes.place(row);
      else lanes.leaveOut(row);
    }
    for (const other of leftOut?.get(rows.length) ?? []) lanes.leaveOut(other);
    if (from + WINDOW >= total) return;
  }
}

/** Phases of a lane at the row of the call that started its agent (`RowLane`). */
const BEGINS: ReadonlySet<RowLane[2]> = new Set([1, 3]);
const LEAVES = 1;
const RETURNS = 2;
/** A row's and an agent's index as one number. */
const MAX_AGENTS = 1 << 16;

/**
 * Given the rows of a thread one after another, makes their lanes name the row of the agent's call by its index in the
 * file, which may lack rows. A lane whose call is not in the file is removed, and its agent not counted as passing.
 */
export class PlacedLanes {
  /** The row of a call among all rows, and its index in the file. */
  readonly #places = new Map<number, number>();
  /** The lanes that are only counted, since the row of their call: by that row and their agent. */
  readonly #counted = new Set<number>();
  #count = 0;

  /** The row as the file has it: the next one there. */
  place(row: Row): Row {
    if (!row.lanes && !row.passing) {
      this.#count += 1;
      return row;
    }
    const { lanes = [], passing: _, ...own } = row;
    this.#endLanes(lanes);
    const passing = this.#counted.size;
    const placed = lanes.flatMap(([lane, column, phase, from, agent]): RowLane[] => {
      if (BEGINS.has(phase)) this.#places.set(from, this.#count);
      if (phase === LEAVES && column >= LANE_COLUMNS) this.#counted.add(from * MAX_AGENTS + agent);
      const at = this.#places.get(from);
      return at === undefined ? [] : [[lane, column, phase, at, agent]];
    });
    this.#count += 1;
    return { ...own, ...(placed.length > 0 && { lanes: placed }), ...(passing > 0 && { passing }) };
  }

  /** A row that the file does not have: agents that return there are out no more. */
  leaveOut({ lanes = [] }: Row): void {
    this.#endLanes(lanes);
  }

  #endLanes(lanes: readonly RowLane[]): void {
    for (const [, , phase, from, agent] of lanes)
      if (phase === RETURNS) this.#counted.delete(from * MAX_AGENTS + agent);
  }
}
