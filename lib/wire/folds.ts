const MAX_FOLDED_TURNS = 20_000;
const RANGE = /^(\d{1,7})(?:-(\d{1,7}))?$/;

/**
 * The folded turns that a parameter lists, as `1,4,9` or `1-20,30`: each once, in order, and of more than 20,000 the
 * first. What is no range is passed over. Ranges may overlap: no turn is counted twice, so that the work is bounded by
 * the limit however many there are.
 */
export function foldedTurns(listed: string): number[] {
  const ranges = listed.split(",").flatMap((part) => {
    const [, from, to = from] = RANGE.exec(part) ?? [];
    return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
  });
  const turns: number[] = [];
  let turn = 0;
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    for (turn = Math.max(turn, from); turn <= to && turns.length < MAX_FOLDED_TURNS; turn++) turns.push(turn);
  }
  return turns;
}
