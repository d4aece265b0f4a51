import type { GraphItems, GraphRows, GraphSegment } from "@/lib/wire/graph";
import type { RecordId } from "@/lib/wire/ids";
import { type GraphItem, ITEM_KINDS, ROW_MARKS, type RowMark } from "./graph-item";

/** The items or rows of an opened item, numbered from the turn that it begins with. */
export function readSegment(
  { items, rows, files, startedAtMs }: GraphSegment,
  opened: GraphItem,
): GraphItem[] {
  if (rows) return readRows(rows, files, opened);
  let turn = opened.turn - opened.turns;
  return items
    ? readItems(items, files, startedAtMs).map((item) => {
        turn += item.turns;
        return { ...item, key: `${opened.key}/${item.key}`, turn };
      })
    : [];
}

/** Items as they are worked with, from the columns that are sent. Their turns are counted, not numbered. */
export function readItems(
  columns: GraphItems,
  files: readonly string[],
  startedAtMs: number | null,
): GraphItem[] {
  let offset = 0;
  return columns.kind.map((kind, index) => {
    offset += columns.offset[index] ?? 0;
    const id = `${files[columns.file[index] ?? 0]}~${offset.toString(36)}` as RecordId;
    const number = (name: Exclude<keyof GraphItems, "kind" | "file" | "offset">) => columns[name][index] ?? 0;
    const fromS = number("fromS");
    const tookS = number("tookS");
    return {
      key: `${id}+${number("holds")}`,
      id,
      kind: ITEM_KINDS[kind] ?? "run",
      turn: 0,
      turns: number("turns"),
      rows: number("rows"),
      calls: number("calls"),
      errors: number("errors"),
      denied: number("denied"),
      edits: number("edits"),
      agents: number("agents"),
      holds: number("holds"),
      atMs: startedAtMs === null || fromS < 0 ? null : startedAtMs + fromS * 1000,
      tookS: tookS < 0 ? null : tookS,
      mark: null,
      name: "",
      block: 0,
    };
  });
}

function readRows(rows: GraphRows, files: readonly string[], { key, turn }: GraphItem): GraphItem[] {
  let offset = 0;
  return rows.kind.map((kind, index) => {
    offset += rows.offset[index] ?? 0;
    const mark = ROW_MARKS[kind] ?? "other";
    const block = rows.block[index] ?? 0;
    const one = (of: RowMark) => (mark === of ? 1 : 0);
    const id = `${files[rows.file[index] ?? 0]}~${offset.toString(36)}` as RecordId;
    return {
      key: `${key}/${id}.${block}`,
      id,
      kind: "row",
      turn,
      turns: 0,
      rows: 1,
      calls: (rows.name[index] ?? -1) >= 0 ? 1 : 0,
      errors: one("error") + one("timed-out"),
      denied: one("denied"),
      edits: one("edit"),
      agents: 0,
      holds: 0,
      atMs: null,
      tookS: null,
      mark,
      name: rows.names[rows.name[index] ?? -1] ?? "",
      block,
    };
  });
}
