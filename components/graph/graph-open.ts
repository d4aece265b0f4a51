import { type GraphItem } from "./graph-item";
import { type GraphModel, linesOf } from "./graph-model";

/** What items hold that have been opened, by their keys, and how many rows they had then. */
export type Opened = ReadonlyMap<string, { rows: number; items: readonly GraphItem[] }>;

/** The graph with some items replaced by what they hold, as deep as they have been opened. */
export function withOpened(model: GraphModel, opened: Opened): GraphModel {
  if (opened.size === 0) return model;
  const items: GraphItem[] = [];
  /** Old index → first and last new one. */
  const first = new Int32Array(model.items.length);
  const last = new Int32Array(model.items.length);
  const push = (item: GraphItem) => {
    const held = opened.get(item.key)?.items;
    if (!held || held.length === 0) items.push(item);
    else for (const inner of held) push(inner);
  };
  for (const [index, item] of model.items.entries()) {
    first[index] = items.length;
    push(item);
    last[index] = items.length - 1;
  }
  const lines = model.lines.map((line) => {
    const isAgent = line.agent !== null && line.agent !== model.lines[line.parent]?.agent;
    const place = (index: number, of: Int32Array) => (index === -1 ? -1 : (of[index] ?? -1));
    return {
      ...line,
      from: first[line.from] ?? items.length,
      to: line.to > line.from ? (last[line.to - 1] ?? 0) + 1 : (first[line.from] ?? items.length),
      leaves: place(line.leaves, isAgent ? first : last),
      returns: place(line.returns, last),
    };
  });
  return { ...model, items, lines, lineOf: linesOf(lines, items.length) };
}
