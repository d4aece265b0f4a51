import { formatCompact, formatCount } from "@/lib/format/format-count";

/** `+3 −2`; nothing where nothing is known or nothing changed. */
export function ChangedLines({ added, removed }: { added: number | null; removed: number | null }) {
  if (!added && !removed) return null;
  return (
    <span className="tabular-nums">
      {added ? <span className="text-add-fg">+{inFew(added)}</span> : null}
      {added && removed ? " " : null}
      {removed ? <span className="text-del-fg">−{inFew(removed)}</span> : null}
    </span>
  );
}

function inFew(lines: number): string {
  return lines < 10_000 ? formatCount(lines) : formatCompact(lines);
}
