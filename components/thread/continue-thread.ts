import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";
import { type Anchor, findRow, type OpenThread, startAtHeld, toWindow } from "./open-thread";
import { PAGE_ITEMS } from "./thread-pages";

/**
 * The whole of a thread of which the beginning is on screen. Where it begins with the same rows it goes on below them;
 * where a fork now stands among them, or another branch has become the active one, the row that is read stays in its place.
 */
export async function continueThread(
  sessionId: SessionId,
  beginning: OpenThread,
  whole: OpenThread,
  anchor: () => Anchor | null,
  signal: AbortSignal,
): Promise<OpenThread> {
  const shown = [...beginning.windows.loaded()];
  if (shown.every(([index, { key }]) => whole.windows.itemAt(index)?.key === key))
    return { ...whole, start: beginning.start };
  const held = anchor();
  if (!held) return whole;
  const { agent, detail, fold, runs } = whole.choice;
  // Named, or around a record of another branch that one would be answered.
  const { branch } = whole;
  const query = { branch, agent, detail, fold, runs, around: held.recordId, count: PAGE_ITEMS };
  const answer = await api.rows(sessionId, query, { signal });
  const found = findRow(answer, held);
  if (found !== null) {
    whole.windows.accept(toWindow(answer));
    return { ...whole, start: startAtHeld(found, held) };
  }
  toast("The session was continued from an earlier prompt: this is how it went on");
  return whole;
}
