import { type LogSpan, newSpan } from "./log-span";
import type { PersonsAct } from "./thread-spans";

const NONE = -1;

/** A turn of the thread that is shown: `record` is that of its prompt, times are epoch milliseconds. */
type WaitingTurn = Pick<LogSpan, "turn" | "thread" | "record"> & { fromMs: number; people: PersonsAct[] };

/**
 * Adds the time that no span of the turn's own thread covers: up to something that a person did it is that person's,
 * after that nobody's.
 * @param first index of the turn's first span @param last behind that of the last one of its own thread
 */
export function addWaits(spans: LogSpan[], first: number, last: number, turn: WaitingTurn): void {
  const own: LogSpan[] = [];
  for (let index = first; index < last; index++) {
    const span = spans[index] as LogSpan;
    if (span.parent === NONE && !span.background) own.push(span);
  }
  own.sort((a, b) => a.startMs - b.startMs);
  const people = turn.people.toSorted((a, b) => a.ms - b.ms);
  let coveredMs = turn.fromMs;
  let acted = 0;
  for (const { startMs, endMs, record } of own) {
    while ((people[acted]?.ms ?? Number.POSITIVE_INFINITY) <= startMs) acted += 1;
    if (startMs > coveredMs) {
      const last = people[acted - 1];
      const act = last && last.ms > coveredMs ? last : undefined;
      if (act) addWait(spans, "human", coveredMs, act.ms, { ...turn, record: act.record });
      addWait(spans, "idle", act?.ms ?? coveredMs, startMs, { ...turn, record });
    }
    coveredMs = Math.max(coveredMs, endMs);
  }
}

/** Adds a wait, unless it took no time. */
export function addWait(
  spans: LogSpan[],
  kind: "human" | "idle",
  startMs: number,
  endMs: number,
  { turn, thread, record }: Pick<LogSpan, "turn" | "thread" | "record">,
): void {
  if (!(endMs > startMs)) return;
  spans.push(newSpan({ turn, thread, parent: NONE }, kind, "wait", record, { startMs, endMs }));
}
