import { Flag } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { LIVE_MAIN } from "./live-steps";
import type { Steps } from "./steps";

const NONE = -1;
const MAIN_LOG = 0;

/** Where the client stands in the main thread. `exactly`: what hangs below was left behind. */
export type NamedLeaf = { step: number; exactly: boolean };

/**
 * The leaf that the main log's last `last-prompt` names (2.1.330), where nothing was written behind it: a
 * rewind that nobody has typed after leaves no other trace. Most of these lines only repeat how far the
 * client was, some steps late; an `explicit` one means the very line. With the uuid of noughts, as a rewind
 * writes it once a prompt stands in the new branch, it names none.
 */
export function namedLeaf(table: SessionTable, steps: Steps): NamedLeaf | null {
  const { records } = table;
  const lastPrompt = table.types.list.indexOf("last-prompt");
  if (lastPrompt === NONE) return null;
  for (let record = records.size - 1; record >= 0; record--) {
    if (records.get("file", record) !== MAIN_LOG) continue;
    const flags = records.get("flags", record);
    if (records.get("type", record) !== lastPrompt) {
      if (flags & Flag.node && !(flags & Flag.sidechain)) return null;
      continue;
    }
    const step = stepOf(table, steps, records.get("link", record), record);
    return step === NONE ? null : { step, exactly: (flags & Flag.explicitLeaf) !== 0 };
  }
  return null;
}

/** The step of the main thread that holds the last line with this uuid, -1 for none. */
function stepOf({ records }: SessionTable, steps: Steps, uuid: number, before: number): number {
  if (uuid === NONE) return NONE;
  for (let record = before - 1; record >= 0; record--) {
    if (records.get("uuid", record) !== uuid || records.get("file", record) !== MAIN_LOG) continue;
    const step = at(steps.of, record);
    return at(steps.thread, step) === 0 && at(steps.live, step) & LIVE_MAIN ? step : NONE;
  }
  return NONE;
}
