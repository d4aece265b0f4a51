import { alignLists } from "@/lib/log/compare/align";
import { buildRow, recordsOfRow } from "@/lib/log/rows/build-row";
import { isForkRow, RowKind } from "@/lib/log/rows/flatten";
import { at } from "@/lib/log/table/table";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ComparePairResponse } from "@/lib/wire/compare";
import type { Row } from "@/lib/wire/rows";
import { contextFor, foldsOf, rowList } from "../answers/session-rows";
import type { Compared, OpenSide } from "./align-sides";

/** Rows of a turn beyond these are left out. */
const MAX_ROWS = 400;

/** The rows of two turns that are compared, aligned themselves. Throws `pair-not-found`. */
export async function comparedRows(
  { left, right, pairs }: Compared,
  number: number,
): Promise<ComparePairResponse> {
  const pair = pairs[number];
  if (!pair)
    throw new ViewerError("pair-not-found", "There are no such turns in this comparison", {
      hint: "Pairs are those that the comparison itself lists.",
    });
  const one = await rowsOfTurn(left, pair.left);
  const other = await rowsOfTurn(right, pair.right);
  const said = { left: one.rows.map(whatItSays), right: other.rows.map(whatItSays) };
  const does = { left: one.rows.map(whatItDoes), right: other.rows.map(whatItDoes) };
  const rows = alignLists(does.left, does.right, {
    left: one.rows.map(kindOf),
    right: other.rows.map(kindOf),
  });
  return {
    rows: rows.map((beside) => ({
      left: beside.left === null ? null : (one.rows[beside.left] ?? null),
      right: beside.right === null ? null : (other.rows[beside.right] ?? null),
      same:
        beside.left !== null && beside.right !== null && said.left[beside.left] === said.right[beside.right],
    })),
    more: Math.max(one.more, other.more),
  };
}

/** The rows of a turn below its prompt, as the detail `tools` shows them, without forks. */
async function rowsOfTurn(
  { session, branch }: OpenSide,
  place: number | null,
): Promise<{ rows: Row[]; more: number }> {
  if (place === null || branch === null) return { rows: [], more: 0 };
  const folds = foldsOf([]);
  const list = rowList(session, branch, "tools", folds);
  const indexes: number[] = [];
  for (let row = 0; row < list.count; row++) {
    const kind = at(list.kind, row);
    if (at(list.turn, row) === place + 1 && kind !== RowKind.turn && !isForkRow(kind)) indexes.push(row);
  }
  const shown = indexes.slice(0, MAX_ROWS);
  const context = await contextFor(session, branch, folds, (unread) =>
    shown.flatMap((index) => recordsOfRow(unread, list, index)),
  );
  return {
    rows: shown.map((index) => buildRow(context, list, index)),
    more: indexes.length - shown.length,
  };
}

/** Rows of one kind may be paired even if they do something else. */
function kindOf(row: Row): string {
  return row.kind === "tool" ? `tool ${row.server ?? ""} ${row.name}` : row.kind;
}

/** What a row does: two rows that do the same are paired, even if they ended differently. */
function whatItDoes(row: Row): string {
  return row.kind === "tool" ? JSON.stringify([kindOf(row), row.subject, row.aside]) : whatItSays(row);
}

/** Everything that a row says, except when and where. */
function whatItSays(row: Row): string {
  switch (row.kind) {
    case "tool": {
      const { subject, aside, state, result, added, removed } = row;
      return JSON.stringify([kindOf(row), subject, aside, state, result, added, removed]);
    }
    case "text":
    case "thinking":
    case "event":
    case "context":
    case "agent-return":
    case "unreadable":
      return JSON.stringify([row.kind, row.text.text, row.text.length]);
    case "unknown":
      return JSON.stringify([row.kind, row.type, row.text.text, row.text.length]);
    case "bookkeeping":
      return JSON.stringify([row.kind, row.type, row.text]);
    case "blob": {
      const { kind, mediaType, bytes, name } = row.blob;
      return JSON.stringify([row.kind, kind, mediaType, bytes, name]);
    }
    case "compaction":
      return JSON.stringify([row.kind, row.trigger, row.preTokens, row.summary?.text]);
    // The rows of a turn below its prompt have none of these.
    case "turn":
    case "run":
    case "fork":
      return JSON.stringify([row.kind, row.key]);
  }
}
