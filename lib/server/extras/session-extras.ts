import { openConfined } from "@/lib/server/disk/confined-file";
import { readRange } from "@/lib/server/disk/read-range";
import { shortHash } from "@/lib/server/disk/short-hash";
import type { Surroundings } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ExtrasResponse, ExtraText, SessionExtra } from "@/lib/wire/extras";
import { type FoundExtra, findExtras } from "./find-extras";
import { readTypedHistory, type TypedHistory } from "./typed-history";

const TEXT_LIMIT = 1 << 20;
const HISTORY = "history.jsonl";

/** What the config folder holds of a session besides its logs. Nothing of it is ever required. */
export async function listExtras(around: Surroundings): Promise<ExtrasResponse> {
  const [files, history] = await Promise.all([findExtras(around), readTypedHistory(around)]);
  return { extras: [...files.map(toWire), ...(history ? [historyToWire(history)] : [])] };
}

/** The text of one of them, cut at 1 MiB. Throws ViewerError `extra-not-found`, and what `openConfined` throws. */
export async function readExtra(around: Surroundings, id: string): Promise<ExtraText> {
  if (id === idOf(HISTORY)) {
    const history = await readTypedHistory(around);
    if (history) return { ...historyToWire(history), text: cut(Buffer.from(history.text)) };
  }
  const file = (await findExtras(around)).find((one) => idOf(one.name) === id);
  if (!file)
    throw new ViewerError("extra-not-found", "There is no such file beside this session", {
      hint: "It may have been deleted. Reload the page.",
    });
  const handle = await openConfined(file.root, file.path);
  try {
    const { size } = await handle.stat();
    const bytes = await readRange(handle, 0, Math.min(size, TEXT_LIMIT));
    return { ...toWire(file), bytes: size, text: cut(bytes, size) };
  } finally {
    await handle.close();
  }
}

function toWire({ kind, name, bytes, atMs }: FoundExtra): SessionExtra {
  return { id: idOf(name), kind, name, bytes, atMs };
}

function historyToWire({ text, atMs }: TypedHistory): SessionExtra {
  return { id: idOf(HISTORY), kind: "history", name: HISTORY, bytes: Buffer.byteLength(text), atMs };
}

function idOf(name: string): string {
  return shortHash(name, 12);
}

/** As text, without the half character that a cut may leave at its end. */
function cut(bytes: Uint8Array, length = bytes.length): ExtraText["text"] {
  const isCut = length > TEXT_LIMIT;
  const text = new TextDecoder().decode(bytes.subarray(0, TEXT_LIMIT), { stream: isCut });
  return { text, cut: isCut, length };
}
