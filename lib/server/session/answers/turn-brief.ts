import { firstWords } from "@/lib/format/text";
import { turnUsage } from "@/lib/log/graph/session-cost";
import { type Path, turnMs } from "@/lib/log/graph/session-graph";
import { asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { reportedEnds } from "@/lib/log/rows/called-agent";
import { classifyCommand } from "@/lib/log/rows/calls/describe-shell";
import { timeOf } from "@/lib/log/rows/row-context";
import { cwdOf } from "@/lib/log/rows/tool-row";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import { BlockKind, isDenied, isFailure } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import type { BranchId } from "@/lib/wire/ids";
import type { TurnBrief } from "@/lib/wire/session";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { agentEntries, describeAgents } from "./agent-entries";
import { chooseBranch } from "./branch-entries";

const NONE = -1;
const KEEP_BYTES = 2048;
const MAX_INTENT = 240;
const MAX_COMMAND = 200;
const MAX_COMMANDS = 50;

/** A summary of a turn of a branch. Throws `turn-not-found`. */
export async function turnBrief(
  session: OpenSession,
  number: number,
  branchId: BranchId | null,
): Promise<TurnBrief> {
  const branch = chooseBranch(session, { branch: branchId, agent: null }, null);
  const path = branch && session.path(branch);
  const turn = path?.turns[number];
  if (!path || !turn || number < 1) {
    throw new ViewerError("turn-not-found", "This branch has no such turn", {
      hint: "Turns are numbered from 1.",
    });
  }
  const calls = callsOfTurn(session, path, number);
  const shells = calls.filter((call) => toolNamed(toolOf(session, call))?.starts === "shell");
  const shown = shells.slice(0, MAX_COMMANDS);
  const prompt = promptRecord(session, turn.record);
  const { calls: table, blocks } = session.table;
  const recordOf = (call: number) => blocks.record.at(table.use.at(call));
  const read = await readRecords(session, [prompt, ...shown.map(recordOf)], KEEP_BYTES);
  const started = new Set(calls);
  const threads = session.graph.threads
    .filter((thread) => started.has(thread.call))
    .map((thread) => thread.agentId);
  const agents = await describeAgents(
    session,
    agentEntries(session).filter((entry) => threads.includes(entry.agentId)),
  );
  const durationMs = turnMs(turn);
  const usage = turnUsage(session.table, session.graph, path, number, pricesInUse().table);
  return {
    turn: number,
    recordId: session.recordId(turn.record),
    intent: firstWords(promptTitle(read(prompt)), MAX_INTENT),
    cwd: cwdOf(read(prompt)),
    tools: countTools(session, calls),
    files: countFiles(session, calls),
    commands: shown.map((call) => commandOf(session, call, read(recordOf(call)))),
    moreCommands: shells.length - shown.length,
    agents: agents.map(
      ({ agentId, description, type, lane, toolCalls, tokens, cost, state, durationMs: tookMs }) => ({
        agentId,
        description,
        type,
        lane,
        toolCalls,
        tokens,
        cost,
        state,
        durationMs: tookMs,
      }),
    ),
    durationMs: Number.isNaN(durationMs) ? null : durationMs,
    tokens: turn.tokens,
    cost: usage.own?.cost ?? { microUsd: 0, unpricedTokens: 0 },
    usage: usage.own,
    agentsUsage: usage.agents,
  };
}

/** The command of a call to a shell; `line` is the record that asked for it. */
function commandOf(
  session: OpenSession,
  call: number,
  line: SessionRecord | null,
): TurnBrief["commands"][number] {
  const { calls, blocks } = session.table;
  const use = calls.use.at(call);
  const block = line?.kind === "assistant" ? line.blocks[blocks.index.at(use)] : undefined;
  const command = block?.kind === "tool-use" ? (asString(block.input.command) ?? "") : "";
  const state = calls.state.at(call);
  return {
    command: firstWords(command, MAX_COMMAND),
    class: classifyCommand(command),
    failed: isFailure(state),
    ...(isDenied(state) ? { denied: true as const } : {}),
    recordId: session.recordId(blocks.record.at(use)),
    durationMs: callMs(session, call),
  };
}

function callsOfTurn({ table }: OpenSession, path: Path, number: number): number[] {
  const from = path.turns[number]?.from ?? 0;
  const to = path.turns[number + 1]?.from ?? path.records.length;
  const found: number[] = [];
  for (let i = from; i < to; i++) {
    for (const block of blocksOf(table, at(path.records, i))) {
      const call = table.blocks.call.at(block);
      if (table.blocks.kind.at(block) === BlockKind.call && table.calls.use.at(call) === block)
        found.push(call);
    }
  }
  return found;
}

function toolOf({ table }: OpenSession, call: number): string {
  return table.tools.at(table.calls.tool.at(call)) ?? "";
}

function countTools(session: OpenSession, calls: readonly number[]): TurnBrief["tools"] {
  const tools = new Map<string, TurnBrief["tools"][number]>();
  for (const call of calls) {
    const name = toolOf(session, call);
    const tool = tools.get(name) ?? { name, calls: 0, errors: 0, denied: 0 };
    tool.calls += 1;
    const state = session.table.calls.state.at(call);
    if (isFailure(state)) tool.errors += 1;
    if (isDenied(state)) tool.denied += 1;
    tools.set(name, tool);
  }
  return [...tools.values()].sort((a, b) => b.calls - a.calls);
}

function countFiles({ table }: OpenSession, calls: readonly number[]): TurnBrief["files"] {
  const files = new Map<string, { path: string; added: number; removed: number; calls: number }>();
  for (const call of calls) {
    const path = table.paths.at(table.calls.path.at(call));
    if (path === null) continue;
    const file = files.get(path) ?? { path, added: 0, removed: 0, calls: 0 };
    file.added += table.calls.added.at(call);
    file.removed += table.calls.removed.at(call);
    file.calls += 1;
    files.set(path, file);
  }
  return [...files.values()];
}

/** From the call to its result, or to the notification that reports the end of a command in the background. */
function callMs({ table, graph }: OpenSession, call: number): number | null {
  const result = table.calls.result.at(call);
  if (result === NONE) return null;
  const start = timeOf(table, table.blocks.record.at(table.calls.use.at(call)));
  const end = reportedEnds(table, graph).get(call) ?? timeOf(table, table.blocks.record.at(result));
  return start === null || end === null ? null : Math.max(0, end - start);
}
