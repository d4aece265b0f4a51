/** Room kept free beside a line, for the strokes that lead to it and back. */
const BESIDE_PX = 26;

/** A line with all that leaves it, as its parent stacks it. All places are relative to the parent's beginning. */
export type GraphBlock = {
  line: number;
  /** From where to where it needs room, its way back to the parent included. */
  left: number;
  right: number;
  /** Rows that it takes on the side of the parent and on the other side, itself not counted. */
  near: number;
  far: number;
};

/**
 * Stacks blocks away from their parent, each in the nearest rows that are free over its whole width: answers
 * the row of each block's line, 1 beside the parent, and how many rows all of them take. Agents (`leftFirst`)
 * are stacked from the left, branches from the right, so that the strokes to them cross as little as can be.
 */
export function stackBlocks(
  blocks: readonly GraphBlock[],
  leftFirst: boolean,
): { rowOf: ReadonlyMap<number, number>; rows: number } {
  const start = ({ left }: GraphBlock) => left - BESIDE_PX;
  const end = ({ right }: GraphBlock) => right + BESIDE_PX;
  const sorted = [...blocks].sort((a, b) =>
    leftFirst ? start(a) - start(b) || end(a) - end(b) : start(b) - start(a) || a.line - b.line,
  );
  /** Row → how far it is taken: to the right of what is there, or to the left. */
  const taken: number[] = [];
  const isFree = (row: number, block: GraphBlock) => {
    const edge = taken[row];
    return edge === undefined || (leftFirst ? edge <= start(block) : edge >= end(block));
  };
  const rowOf = new Map<number, number>();
  for (const block of sorted) {
    const high = 1 + block.near + block.far;
    let row = 0;
    for (let free = 0; free < high; ) {
      if (isFree(row + free, block)) free++;
      else {
        row += free + 1;
        free = 0;
      }
    }
    for (let i = row; i < row + high; i++) taken[i] = leftFirst ? end(block) : start(block);
    rowOf.set(block.line, row + 1 + block.near);
  }
  return { rowOf, rows: taken.length };
}
