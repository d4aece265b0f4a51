import { findLaterCommands } from "@/lib/log/graph/shared-caveat";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;

/** Look-ups that rebuilding a request needs, made once for a table. */
export type RequestIndex = {
  /** The record of a uuid number as seen from `child`: in its own file, else in another file of the session. */
  find(uuid: number, child: number, ownFileOnly: boolean): number;
  /** A later command of a shared caveat (1.0.60) → the node before it in its file, which the caveat then follows. */
  laterCommands: ReadonlyMap<number, number>;
  /** All lines of a message, in file order. */
  linesOf(message: number): readonly number[];
  /** All calls that a line asks for. */
  callsOf(record: number): readonly number[];
};

/** Makes the look-ups in one pass over records and calls. */
export function buildRequestIndex(table: SessionTable): RequestIndex {
  const { records, blocks, calls } = table;
  const byUuid = new Map<number, number[]>();
  const lines = new Map<number, number[]>();
  const asked = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    append(byUuid, records.get("uuid", record), record);
    const kind = records.get("kind", record);
    if (kind === RecordKind.assistant || kind === RecordKind.synthetic)
      append(lines, records.get("message", record), record);
  }
  for (let call = 0; call < calls.size; call++) {
    const use = calls.get("use", call);
    if (use !== NONE) append(asked, blocks.get("record", use), call);
  }
  const find = (uuid: number, child: number, ownFileOnly: boolean) => {
    const all = uuid === NONE ? [] : (byUuid.get(uuid) ?? []);
    const file = records.get("file", child);
    const own = all.filter((record) => record !== child && records.get("file", record) === file);
    // A uuid twice in a file (2.1.330 after /branch): the copy last written before the child.
    const nearest = own.findLast((record) => record < child) ?? own[0];
    if (nearest !== undefined || ownFileOnly) return nearest ?? NONE;
    return all.find((record) => record !== child) ?? NONE;
  };
  return {
    find,
    laterCommands: findLaterCommands(table, (uuid, child) => find(uuid, child, true)),
    linesOf: (message) => lines.get(message) ?? [],
    callsOf: (record) => asked.get(record) ?? [],
  };
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  if (key === NONE) return;
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
