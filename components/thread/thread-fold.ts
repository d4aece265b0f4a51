/** Reads folded turns, `1-20,30`. What is no number is left out. */
export function parseFold(text: string): Set<number> {
  const turns = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
    if (!match) continue;
    const from = Number(match[1]);
    const to = Math.min(Number(match[2] ?? from), from + 20_000);
    for (let turn = from; turn <= to; turn++) turns.add(turn);
  }
  return turns;
}

/** The inverse, as short as ranges make it; `null` for none. */
export function formatFold(turns: ReadonlySet<number>): string | null {
  const sorted = [...turns].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i];
    while (sorted[i + 1] === (sorted[i] ?? 0) + 1) i++;
    parts.push(from === sorted[i] ? `${from}` : `${from}-${sorted[i]}`);
  }
  return parts.length > 0 ? parts.join(",") : null;
}
