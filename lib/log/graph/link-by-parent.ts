import { blocksOf } from "@/lib/log/table/blocks-of";
import { BlockKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { Threads } from "./threads";

const NONE = -1;

/**
 * Joins a sidechain to the call that it hangs from. Before 1.0 its first line, in which Claude is the
 * human, names the line of the call as its parent (`e2e/fixtures/older/conversations`); no later version does.
 */
export function linkByParent(table: SessionTable, parents: Int32Array, { list, of }: Threads): void {
  const claimed = new Set(list.map((thread) => thread.call));
  for (const [index, thread] of list.entries()) {
    if (index === 0 || thread.file !== 0 || thread.call !== NONE) continue;
    const root = of.indexOf(index);
    const above = root === NONE ? NONE : at(parents, root);
    if (above === NONE || at(of, above) === index) continue;
    thread.call = freeCall(table, above, claimed);
    claimed.add(thread.call);
  }
}

/** The first call of a record that gives a prompt and that no other agent answers. */
function freeCall(table: SessionTable, record: number, claimed: ReadonlySet<number>): number {
  for (const block of blocksOf(table, record)) {
    if (table.blocks.get("kind", block) !== BlockKind.call) continue;
    const call = table.blocks.get("call", block);
    if (table.calls.get("prompt", call) !== NONE && !claimed.has(call)) return call;
  }
  return NONE;
}
