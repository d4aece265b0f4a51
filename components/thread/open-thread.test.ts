import { expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { findRow } from "./open-thread";

const row = (kind: Row["kind"], recordId: string, block = 0) => ({ kind, recordId, block }) as Row;

const answer = (rows: Row[], at: number | null) => ({ from: 40, rows, at }) as RowsResponse;

it("leads to the prompt that a link names, not to the fork above it", () => {
  const rows = [row("text", "m~1"), row("fork", "m~2"), row("turn", "m~2"), row("text", "m~3")];
  const place = { recordId: "m~2" as RecordId, block: 0 };
  expect(findRow(answer(rows, 42), place)).toBe(42);
});

it("leads to the block of a record that a link names, else to where the server shows the record", () => {
  const rows = [row("text", "m~1"), row("tool", "m~1", 1), row("tool", "m~1", 2)];
  expect(findRow(answer(rows, 40), { recordId: "m~1" as RecordId, block: 2 })).toBe(42);
  expect(findRow(answer(rows, 40), { recordId: "m~1" as RecordId, block: null })).toBe(40);
  expect(findRow(answer(rows, null), { recordId: "m~9" as RecordId, block: 0 })).toBeNull();
});
