import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { timeOf } from "@/lib/log/rows/row-context";
import { promptOf } from "@/lib/log/rows/turn-row";
import { notificationEvent } from "@/lib/log/rows/user-event";
import type { LaterOutput } from "@/lib/wire/record";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
/** Tools that ask for what a background task has printed, or end it. */
const LOOKS: ReadonlySet<string> = new Set([
  "BashOutput",
  "TaskOutput",
  "AgentOutput",
  "AgentOutputTool",
  "KillShell",
  "KillBash",
  "TaskStop",
]);
/** A task is looked at a few times; more than this are not read for one opened call. */
const MOST_LOOKS = 64;

/**
 * What became of a command or agent that went on in the background: the calls that asked for its output or
 * stopped it, and the notifications that told of it (2.1.29 on), in the order they were written.
 */
export async function laterOutput(
  session: OpenSession,
  record: number,
  structured: JsonObject | null,
): Promise<LaterOutput[]> {
  const task = taskOf(structured);
  if (task === null) return [];
  const { table } = session;
  const looks = looksAfter(session, record);
  const told = table.notices.filter((notice) => notice.brings && notice.agentId === task);
  const read = await readRecords(
    session,
    [...looks, ...told].map((one) => one.record),
  );
  const found: { record: number; later: LaterOutput }[] = [];
  for (const { record: at, place } of looks) {
    const line = read(at);
    const use = line?.kind === "assistant" ? line.blocks[place] : undefined;
    if (use?.kind !== "tool-use" || askedFor(use.input) !== task) continue;
    found.push({
      record: at,
      later: { recordId: session.recordId(at), block: place, told: null, atMs: timeOf(table, at) },
    });
  }
  for (const { record: at } of told) {
    const line = read(at);
    const text =
      line?.kind === "user"
        ? promptOf(line)
        : asString(asObject(line?.kind === "attachment" ? line.attachment : null)?.prompt);
    if (!text) continue;
    const { label } = notificationEvent(text);
    found.push({
      record: at,
      later: { recordId: session.recordId(at), block: 0, told: label, atMs: timeOf(table, at) },
    });
  }
  return found.sort((a, b) => a.record - b.record).map(({ later }) => later);
}

/** The id under which a call's command or agent goes on, if it does. */
function taskOf(structured: JsonObject | null): string | null {
  if (!structured) return null;
  const isAgent = structured.isAsync === true || structured.status === "async_launched";
  return (
    asString(structured.backgroundTaskId) ??
    // Up to 2.0.50 it was called a shell, and the calls that look at it have a `shellId` too.
    (structured.status === undefined ? asString(structured.shellId) : null) ??
    (isAgent ? asString(structured.agentId) : null)
  );
}

function askedFor(input: JsonObject): string | null {
  return (
    asString(input.bash_id) ?? asString(input.shell_id) ?? asString(input.task_id) ?? asString(input.agentId)
  );
}

function looksAfter({ table }: OpenSession, record: number): { record: number; place: number }[] {
  const { calls, blocks, tools } = table;
  const found: { record: number; place: number }[] = [];
  for (let call = 0; call < calls.size && found.length < MOST_LOOKS; call++) {
    if (!LOOKS.has(tools.at(calls.get("tool", call)) ?? "")) continue;
    const use = calls.get("use", call);
    if (use === NONE || blocks.get("record", use) <= record) continue;
    found.push({ record: blocks.get("record", use), place: blocks.get("index", use) });
  }
  return found;
}
