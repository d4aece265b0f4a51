import { LineSplitter } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import { statOf } from "@/lib/server/disk/kept-files";
import { readRangeSync } from "@/lib/server/disk/read-range";
import type { AgentLog, SessionFiles } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { formatRecordId, type SessionId } from "@/lib/wire/ids";
import type { LiveCall } from "@/lib/wire/live";
import { callsOf, KEEP_BYTES, resultsOf, type SeenCall } from "./read-tail";

/** So many agents of a session may be at work at once. */
const MAX_AT_WORK = 16;
/** Of what an agent wrote since it was looked at last no more is read. */
const MAX_BYTES = 2 << 20;
/** What was written longer ago is no news when it turns up, as a copy does. */
const FRESH_MS = 10 * 60_000;
const NEWLINE = 0x0a;

/** Up to where an agent's log was read, and its calls that may still fail, by their ids. */
type ReadUpTo = { offset: number; open: Map<string, SeenCall> };

/** The calls that agents of running sessions begin. Each log is read on from where it was read last, and never before that. */
export class AgentCalls {
  readonly #logs = new Map<SessionId, Map<string, ReadUpTo>>();

  /**
   * What a session's agents have begun, or failed at, since it was asked for last. At first there is nothing to tell: what
   * is there is taken for known, and not read.
   */
  take(files: SessionFiles): LiveCall[] {
    const known = this.#logs.get(files.id);
    if (!known) {
      const all = files.agents.map(({ path, bytes }) => [path, { offset: bytes, open: new Map() }] as const);
      this.#logs.set(files.id, new Map(all));
      return [];
    }
    const newest = files.agents.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_AT_WORK);
    const unknown = files.agents.filter(({ path }) => !known.has(path));
    return [...new Set([...newest, ...unknown])].flatMap((agent) => readOn(files.root, agent, known));
  }

  forget(id: SessionId): void {
    this.#logs.delete(id);
  }
}

function readOn(root: string, agent: AgentLog, known: Map<string, ReadUpTo>): LiveCall[] {
  try {
    const stats = statOf(agent.path);
    if (!stats) return [];
    const isOld = Date.now() - stats.mtimeMs > FRESH_MS;
    const log = known.get(agent.path) ?? { offset: isOld ? stats.size : 0, open: new Map() };
    known.set(agent.path, log);
    // One that was cut is another log: nothing in it is news.
    if (stats.size < log.offset) known.set(agent.path, { offset: stats.size, open: new Map() });
    return stats.size > log.offset ? callsIn(readRecords(root, agent.path, log), agent, log) : [];
  } catch (error) {
    // Gone, or not to be read: what it says is missing from what is told, and nothing else.
    if (isViewerError(error) || faultCode(error) !== null) return [];
    throw error;
  }
}

/** The whole lines behind what was read. */
function readRecords(root: string, path: string, log: ReadUpTo): SessionRecord[] {
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    const from = Math.max(log.offset, size - MAX_BYTES);
    const bytes = readRangeSync(file, from, size);
    // Where a part was left out, the first line may be half a one.
    const start = from > log.offset ? bytes.indexOf(NEWLINE) + 1 : 0;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    const records: SessionRecord[] = [];
    new LineSplitter(from + start).push(bytes.subarray(start, end), (line) => {
      if (line.length > 0) records.push(...parseLine(line, { keepBytes: KEEP_BYTES }));
    });
    log.offset = from + end;
    return records;
  } finally {
    file.close();
  }
}

function callsIn(
  records: readonly SessionRecord[],
  { key, agentId }: AgentLog,
  { open }: ReadUpTo,
): LiveCall[] {
  const told: LiveCall[] = [];
  const tell = ({ name, subject, text, offset }: SeenCall, of: Pick<LiveCall, "failed" | "isNew">) =>
    told.push({ recordId: formatRecordId(key, offset), agentId, name, subject, text, ...of });
  for (const record of records) {
    if (record.kind === "assistant")
      for (const call of callsOf(record)) {
        open.set(call.id, call);
        tell(call, { failed: false, isNew: true });
      }
    if (record.kind !== "user") continue;
    for (const { id, failed } of resultsOf(record)) {
      const call = open.get(id);
      open.delete(id);
      if (call && failed) tell(call, { failed: true, isNew: false });
    }
  }
  return told;
}
