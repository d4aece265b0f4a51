import { threadUsages, UsageSum } from "@/lib/log/graph/session-cost";
import { turnMs } from "@/lib/log/graph/session-graph";
import { answeredTurns, answerKey } from "@/lib/log/graph/session-share";
import { threadsStartedBy } from "@/lib/log/graph/thread-totals";
import { cutText, longestOf, timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, typedPrompt } from "@/lib/log/rows/turn-row";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import type { RecordId } from "@/lib/wire/ids";
import { MAX_PROMPT_TEXT } from "@/lib/wire/search";
import type { RequestUsage } from "@/lib/wire/usage";
import { promptIdOf } from "./prompt-id";

const NONE = -1;

/** A prompt of a session's main thread, with what came of it until the next one. */
export type SessionPrompt = {
  /** See `promptIdOf`. */
  id: string;
  recordId: RecordId;
  /** What copies of it in other sessions share: any of these. */
  keys: string[];
  atMs: number | null;
  /** At most `MAX_PROMPT_TEXT` characters of `length`; empty where it was an image alone. */
  text: string;
  length: number;
  durationMs: number | null;
  /** What its own requests used, and those of the agents that it started; null where the log counts no tokens. */
  own: RequestUsage | null;
  agents: RequestUsage | null;
};

type Turn = { record: number; sum: UsageSum; durationMs: number; startsAgents: boolean };

/**
 * The prompts of a session, over all branches of its main thread. A request counts in the turn in which its answer
 * begins, on the active branch where it is on several. Throws what `readRecords` throws.
 */
export async function listPrompts(session: OpenSession): Promise<SessionPrompt[]> {
  const { table, graph } = session;
  const { turnOf, turns } = turnsOf(session);
  const answers = answeredTurns(table, graph);
  const prompts = turns.map(({ record }) => promptRecord(session, record));
  const read = await readRecords(session, prompts, MAX_PROMPT_TEXT, MAX_PROMPT_TEXT);
  return turns.map(({ record, sum, durationMs, startsAgents }, turn): SessionPrompt => {
    const prompt = prompts[turn] ?? record;
    const line = read(prompt);
    const { text, length } = cutText(typedPrompt(line).trim(), MAX_PROMPT_TEXT, longestOf(line));
    const answer = answers.get(record);
    return {
      id: promptIdOf(text, length),
      recordId: session.recordId(record),
      keys: [ownKey(session, prompt), ...(answer === undefined ? [] : [answerKey(table, prompt, answer)])],
      atMs: timeOf(table, record),
      text,
      length,
      durationMs: Number.isNaN(durationMs) ? null : durationMs,
      own: sum.usage,
      agents: startsAgents ? agentsUsage(session, (one) => at(turnOf, one) === turn) : null,
    };
  });
}

/** The turns of the main thread over all of its branches, and record → its turn there. */
function turnsOf(session: OpenSession): { turnOf: Int32Array; turns: Turn[] } {
  const { table, graph } = session;
  const prices = pricesInUse().table;
  const turnOf = new Int32Array(graph.parents.length).fill(NONE);
  const counted = new Uint8Array(table.messages.size);
  const turns: Turn[] = [];
  const known = new Map<number, number>();
  for (const branch of graph.branches[0] ?? []) {
    const path = session.path(branch);
    for (const [number, turn] of path.turns.entries()) {
      // What precedes the first prompt is nobody's.
      if (number === 0) continue;
      const nth = known.get(turn.record) ?? turns.length;
      known.set(turn.record, nth);
      const kept = (turns[nth] ??= {
        record: turn.record,
        sum: new UsageSum(),
        durationMs: turnMs(turn),
        startsAgents: false,
      });
      kept.startsAgents ||= turn.agents > 0;
      const to = path.turns[number + 1]?.from ?? path.records.length;
      for (let position = turn.from; position < to; position++) {
        const record = at(path.records, position);
        if (at(turnOf, record) !== NONE) continue;
        turnOf[record] = nth;
        const message = table.records.message.at(record);
        if (message === NONE || counted[message] === 1) continue;
        counted[message] = 1;
        kept.sum.addMessage(table, message, prices);
      }
    }
  }
  return { turnOf, turns };
}

function agentsUsage(
  { table, graph }: OpenSession,
  isOfTurn: (record: number) => boolean,
): RequestUsage | null {
  const sum = new UsageSum();
  const started = threadsStartedBy(table, graph, isOfTurn);
  for (const [thread, usage] of threadUsages(table, graph, pricesInUse().table).entries())
    if (at(started, thread) === 1) sum.addAll(usage);
  return sum.usage;
}

/** A prompt that was only queued has no uuid (2.0.42–2.1.42): its text and time identify it. */
function ownKey({ table }: OpenSession, prompt: number): string {
  const { records, uuids, texts } = table;
  const uuid = records.uuid.at(prompt);
  if (uuid !== NONE) return uuids.wordsOf(uuid);
  const text = records.link.at(prompt);
  return `${records.atMs.at(prompt)} ${text === NONE ? records.offset.at(prompt) : texts.wordsOf(text)}`;
}
