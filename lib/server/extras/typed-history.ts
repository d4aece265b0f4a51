import { join } from "node:path";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { LineSplitter } from "@/lib/log/records/line-splitter";
import { openConfined } from "@/lib/server/disk/confined-file";
import { readRange } from "@/lib/server/disk/read-range";
import type { Surroundings } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";

const CHUNK_BYTES = 512 << 10;
/** The last of a history that has grown for years. */
const MOST_BYTES = 64 << 20;
/** 1.0.128 names no session: what was typed in its folder while it ran, and shortly before its first record. */
const SLACK_MS = 60_000;

/** What a person typed into a session, from `history.jsonl`: its lines as they are, and when the last was typed. */
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
      for (let at = Math.max(0, size - MOST_BYTES); at < size; ) {
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
