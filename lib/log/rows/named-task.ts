import { asObject, asString } from "@/lib/log/records/json";
import type { RowContext } from "./row-context";
import { callBlock, resultOf, resultRecord, resultText } from "./tool-row";

const NONE = -1;
/** A task that more than this many were added after is not named. */
const MOST_TASKS = 64;
/** Tools that say a task by its id alone. */
const BY_ID: ReadonlySet<string> = new Set(["TaskUpdate", "TaskGet"]);

/** The records that may say which task a call means: those that added one before it (2.1.29 and later). */
export function taskRecords(context: RowContext, call: number): number[] {
  return addedBefore(context, call).flatMap((added) => [
    recordOfUse(context, added),
    resultRecord(context, added),
  ]);
}

/** The subject of the task with this id, as the call that added it gave it; `null` if that is not in the log. */
export function taskSubject(context: RowContext, call: number, id: string | null): string | null {
  if (id === null) return null;
  for (const added of addedBefore(context, call)) {
    const result = resultRecord(context, added) === NONE ? null : resultOf(context, added);
    if (!result) continue;
    const said = asString(asObject(asObject(result.record.toolUseResult)?.task)?.id);
    // An agent's results have the words alone.
    if ((said ?? /^Task #(\S+) created/.exec(resultText(result.block))?.[1]) !== id) continue;
    const { blocks, calls } = context.table;
    const use = callBlock(
      context.read(recordOfUse(context, added)),
      blocks.get("index", calls.get("use", added)),
    );
    return asString(use?.input.subject);
  }
  return null;
}

/** The calls that added tasks before this one, the newest first; none for a call that names no task by its id. */
function addedBefore({ table }: RowContext, call: number): number[] {
  const { calls, tools } = table;
  if (call === NONE || !BY_ID.has(tools.at(calls.get("tool", call)) ?? "")) return [];
  const found: number[] = [];
  for (let before = call - 1; before >= 0 && found.length < MOST_TASKS; before--)
    if (tools.at(calls.get("tool", before)) === "TaskCreate" && calls.get("use", before) !== NONE)
      found.push(before);
  return found;
}

function recordOfUse({ table }: RowContext, call: number): number {
  return table.blocks.get("record", table.calls.get("use", call));
}
