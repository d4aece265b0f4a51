import type { GraphModel } from "./graph-model";

/**
 * The colour of a line behind each of its items: its own, until a branch leaves. From there it is one way
 * among others, and has the number that is left when the ways that leave have theirs.
 */
export function lanesBehind({ items, lines }: GraphModel): Uint8Array {
  const leaving = new Map<number, number[]>();
  for (const { agent, parent, leaves, lane } of lines) {
    if (leaves === -1 || (agent !== null && agent !== lines[parent]?.agent)) continue;
    leaving.set(leaves, [...(leaving.get(leaves) ?? []), lane]);
  }
  const behind = new Uint8Array(items.length);
  for (const { from, to, lane } of lines) {
    let own = lane;
    for (let item = from; item < to; item++) {
      const others = leaving.get(item);
      if (others) {
        own = 1;
        while (others.includes(own)) own++;
      }
      behind[item] = own;
    }
  }
  return behind;
}
