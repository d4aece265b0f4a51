import { compareCalls } from "@/lib/log/table/call-place";
import type { FileEntry } from "@/lib/wire/session";
import type { OpenSession } from "./open-session";
import { turnOfCalls } from "./turn-of-calls";

const NONE = -1;

/** The files that calls changed, most lines first. */
export function fileEntries(session: OpenSession): FileEntry[] {
  const { calls, blocks, paths } = session.table;
  const entries = new Map<string, FileEntry>();
  const turnOf = turnOfCalls(session);
  const changes: number[] = [];
  for (let call = 0; call < calls.size; call++)
    if (calls.get("path", call) !== NONE && calls.get("use", call) !== NONE) changes.push(call);
  for (const call of changes.sort((a, b) => compareCalls(session.table, a, b))) {
    const path = paths.at(calls.get("path", call)) ?? "";
    const use = calls.get("use", call);
    const entry = entries.get(path) ?? {
      path,
      added: 0,
      removed: 0,
      calls: 0,
      recordIds: [],
      blocks: [],
      turns: [],
    };
    entry.added += calls.get("added", call);
    entry.removed += calls.get("removed", call);
    entry.calls += 1;
    entry.recordIds.push(session.recordId(blocks.get("record", use)));
    entry.blocks.push(blocks.get("index", use));
    entry.turns.push(turnOf(call));
    entries.set(path, entry);
  }
  return [...entries.values()].sort(
    (a, b) => b.added + b.removed - (a.added + a.removed) || (a.path < b.path ? -1 : 1),
  );
}
