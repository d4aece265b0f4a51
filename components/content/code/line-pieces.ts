import { type LineSpans, TOKEN_KINDS } from "./highlight-job";

/** A stretch of a line that is drawn alike. */
export type LinePiece = { text: string; kind: (typeof TOKEN_KINDS)[number]; marked: boolean };

/** Characters of a line to set off, `to` not included. In order, not overlapping. */
export type Mark = { from: number; to: number };

/** Cuts a line where its syntax or its marks change. Spans that do not cover the line leave the rest plain. */
export function linePieces(text: string, spans: LineSpans | undefined, marks: readonly Mark[]): LinePiece[] {
  const pieces: LinePiece[] = [];
  let mark = 0;
  let at = 0;
  const put = (to: number, kind: LinePiece["kind"]) => {
    while (at < to) {
      while (mark < marks.length && (marks[mark]?.to ?? 0) <= at) mark++;
      const next = marks[mark];
      const marked = next !== undefined && next.from <= at;
      const end = Math.min(to, next === undefined ? to : marked ? next.to : next.from);
      pieces.push({ text: text.slice(at, end), kind, marked });
      at = end;
    }
  };
  for (let i = 0; spans && i + 1 < spans.length; i += 2) {
    put(Math.min(text.length, at + (spans[i] ?? 0)), TOKEN_KINDS[spans[i + 1] ?? 0] ?? "plain");
  }
  put(text.length, "plain");
  return pieces;
}
