import type { RecordId } from "@/lib/wire/ids";

/** What `?at=` points at: a record, a block in it, and lines or a hunk inside the block. */
export type ThreadPlace = {
  recordId: RecordId;
  block: number | null;
  lines: { from: number; to: number } | null;
  hunk: number | null;
};

const PLACE = /^([^.:\s]+)(?:\.(\d{1,6}))?(?::(?:L(\d{1,9})(?:-(\d{1,9}))?|h(\d{1,6})))?$/;

/** Reads `<recordId>[.block][:L12-20|:h2]`; anything else is `null`. */
export function parsePlace(at: string | null): ThreadPlace | null {
  const match = at === null ? null : PLACE.exec(at);
  if (!match?.[1]) return null;
  const [, recordId, block, from, to, hunk] = match;
  const first = from === undefined ? null : Number(from);
  const last = to === undefined ? first : Number(to);
  return {
    recordId: recordId as RecordId,
    block: block === undefined ? null : Number(block),
    lines:
      first === null || last === null ? null : { from: Math.min(first, last), to: Math.max(first, last) },
    hunk: hunk === undefined ? null : Number(hunk),
  };
}

/** The inverse of `parsePlace`. */
export function formatPlace({ recordId, block, lines, hunk }: ThreadPlace): string {
  const inBlock = block === null ? "" : `.${block}`;
  if (lines) return `${recordId}${inBlock}:L${lines.from}${lines.to > lines.from ? `-${lines.to}` : ""}`;
  return hunk === null ? `${recordId}${inBlock}` : `${recordId}${inBlock}:h${hunk}`;
}

/** The keys of the rows that `at` opens: a link to lines or a hunk is a link into an opened row. */
export function openedBy(at: string | null): ReadonlySet<string> {
  const place = parsePlace(at);
  const inside = place !== null && (place.lines !== null || place.hunk !== null);
  return new Set(inside ? [`${place.recordId}.${place.block ?? 0}`] : []);
}
