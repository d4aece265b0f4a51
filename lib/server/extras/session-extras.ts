import { join } from "node:path";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { LineSplitter } from "@/lib/log/records/line-splitter";
import { openConfined } from "@/lib/server/disk/confined-file";
import { shortHash } from "@/lib/server/disk/folder-entries";
import { readRange } from "@/lib/server/disk/read-range";
import type { Surroundings } from "@/lib/server/library/session-files";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type { ExtrasResponse, ExtraText, SessionExtra } from "@/lib/wire/session";
import { type FoundExtra, findExtras } from "./find-extras";

const MAX_TEXT_BYTES = 1 << 20;
const HISTORY = "history.jsonl";

/** The session's files in the config folder other than its logs. All of them are optional. */
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
    const bytes = await readRange(handle, 0, Math.min(size, MAX_TEXT_BYTES));
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

/** As text, without the partial character that a cut may leave at its end. */
function cut(bytes: Uint8Array, length = bytes.length): ExtraText["text"] {
  const isCut = length > MAX_TEXT_BYTES;
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES), { stream: isCut });
  return { text, cut: isCut, length };
}

const CHUNK_BYTES = 512 << 10;
/** Only the end of a history that has grown for years is read. */
const MAX_BYTES = 64 << 20;
/**
 * 1.0.128 records no session: entries count if typed in its folder while it ran, or shortly before its first record.
 */
const SLACK_MS = 60_000;

/** What a person typed into a session, from `history.jsonl`: its unchanged lines, and the time of the last one. */
export type TypedHistory = { text: string; atMs: number | null };

/** The history's lines of one session; `null` without a history, or without a line of this session. */
export async function readTypedHistory(around: Surroundings): Promise<TypedHistory | null> {
  if (around.configRoot === null) return null;
  const lines: string[] = [];
  let atMs: number | null = null;
  const decoder = new TextDecoder();
  try {
    const handle = await openConfined(around.configRoot, join(around.configRoot, "history.jsonl"));
    try {
      const { size } = await handle.stat();
      const splitter = new LineSplitter();
      const take = (bytes: Uint8Array) => {
        const text = decoder.decode(bytes);
        const json = parse(text);
        if (!json || !belongs(json, around)) return;
        lines.push(text);
        atMs = asNumber(json.timestamp) ?? atMs;
      };
      for (let at = Math.max(0, size - MAX_BYTES); at < size; ) {
        const chunk = await readRange(handle, at, Math.min(size, at + CHUNK_BYTES));
        if (chunk.length === 0) break;
        splitter.push(chunk, (line) => take(line.bytes));
        at += chunk.length;
      }
      const rest = splitter.rest();
      if (rest) take(rest.bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!isViewerError(error)) throw error;
    return null; // never required
  }
  return lines.length === 0 ? null : { text: `${lines.join("\n")}\n`, atMs };
}

function parse(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null; // half a line, or one that is damaged: the history is not a log of ours to judge
  }
}

function belongs(
  json: JsonObject,
  { stem, projectPath, startedAtMs, lastActiveAtMs }: Surroundings,
): boolean {
  const session = asString(json.sessionId);
  if (session !== null) return session === stem;
  const ms = asNumber(json.timestamp);
  if (json.project !== projectPath || ms === null || startedAtMs === null || lastActiveAtMs === null)
    return false;
  return ms >= startedAtMs - SLACK_MS && ms <= lastActiveAtMs;
}
