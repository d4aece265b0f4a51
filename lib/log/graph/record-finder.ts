import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;

/**
 * Finds the record of a uuid number (-1: none) as seen from a child: in the child's own file, else in
 * another file of the session. Of several in one file it is the one written last before the child.
 */
export function recordFinder(table: SessionTable): (key: number, child: number) => number {
  const { records } = table;
  const first = new Int32Array(table.uuids.size).fill(NONE);
  const several = new Map<number, number[]>();
  for (let record = 0; record < records.size; record++) {
    const key = records.get("uuid", record);
    if (key === NONE) continue;
    const known = first[key] as number;
    if (known === NONE) {
      first[key] = record;
      continue;
    }
    const all = several.get(key);
    if (all) all.push(record);
    else several.set(key, [known, record]);
  }
  return (key, child) => {
    if (key === NONE) return NONE;
    const all = several.get(key);
    if (!all) return first[key] === child ? NONE : (first[key] as number);
    const file = records.get("file", child);
    let before = NONE;
    let after = NONE;
    let elsewhere = NONE;
    for (const record of all) {
      if (record === child) continue;
      if (records.get("file", record) !== file) elsewhere = elsewhere === NONE ? record : elsewhere;
      else if (record < child) before = record;
      else if (after === NONE) after = record;
    }
    if (before !== NONE) return before;
    return after === NONE ? elsewhere : after;
  };
}
