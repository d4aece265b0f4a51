import { useMemo, useState } from "react";
import { formatPermalink, parsePermalink } from "@/lib/client/address/session-url";
import type { RecordId } from "@/lib/wire/ids";
import { useSessionPage } from "../session-store";
import { spanToGo, type WaterfallRow } from "./waterfall-model";

/**
 * The line that is selected, and how to select another (false where that is no step). By key, which survives another
 * layout; the address has the record alone. At first it is the last turn of a session that is at work then, else the first
 * one, and stays so as turns come and the work ends.
 */
export function useSelectedRow(
  rows: readonly WaterfallRow[],
  isAtWork: boolean,
): [selected: number, select: (index: number) => boolean] {
  const { url, setUrl } = useSessionPage();
  const [key, setKey] = useState<string | null>(null);
  const [begun] = useState(() => (isAtWork ? rows.findLast(({ kind }) => kind === "turn")?.key : undefined));
  const selected = useMemo(() => {
    const kept = key === null ? -1 : rows.findIndex((row) => row.key === key);
    if (kept !== -1 && stepOfRow(rows, kept) === url.step) return kept;
    const atFirst = rows.findIndex((row) => row.key === begun);
    return rowOfPlace(rows, url.step ?? url.at) ?? Math.max(0, atFirst);
  }, [rows, key, url.step, url.at, begun]);
  const select = (index: number) => {
    const next = rows[index];
    const step = stepOfRow(rows, index);
    if (!next || step === null) return false;
    setKey(next.key);
    setUrl({ step });
    return true;
  };
  return [selected, select];
}

/** The place of a line, as the address has it; several lines can have one. */
function stepOfRow(rows: readonly WaterfallRow[], index: number): string | null {
  const span = spanToGo(rows, index);
  return span && formatPermalink({ recordId: span.recordId, block: span.block, lines: null, hunk: null });
}

/** The line of a place in the thread: that of the call there, or of anything of its record; `null` without one. */
function rowOfPlace(rows: readonly WaterfallRow[], at: string | null): number | null {
  const place = parsePermalink(at);
  const isOf = (row: WaterfallRow, recordId: RecordId, block: number | null) => {
    if (row.kind === "turn") return false;
    const span = row.call ?? row.span;
    return span.recordId === recordId && (block === null || (span.block === block && span.kind !== "model"));
  };
  if (place) {
    const exact = rows.findIndex((row) => isOf(row, place.recordId, place.block ?? 0));
    const near = exact === -1 ? rows.findIndex((row) => isOf(row, place.recordId, null)) : exact;
    if (near !== -1) return near;
  }
  return null;
}
