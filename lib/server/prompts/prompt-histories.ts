import { join } from "node:path";
import { parseJson } from "@/lib/format/json-values";
import { comparablePath, textStart } from "@/lib/format/text";
import { elideLine } from "@/lib/log/records/elide";
import { asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { LineSplitter } from "@/lib/log/records/line-splitter";
import { openConfined } from "@/lib/server/disk/confined-file";
import { shortHash } from "@/lib/server/disk/folder-entries";
import { isThere, realPathOf } from "@/lib/server/disk/kept-files";
import type { OpenFileHandle } from "@/lib/server/disk/open-file";
import { readRange } from "@/lib/server/disk/read-range";
import type { RootFolder } from "@/lib/server/runtime/config";
import { nextSlice } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { DoctorHistory } from "@/lib/wire/doctor";
import { MAX_PROMPT_TEXT } from "@/lib/wire/search";
import { promptIdOf } from "./prompt-id";

/** A prompt as the client's history has it. */
export type TypedEntry = {
  /** See `promptIdOf`. */
  id: string;
  /** At most `MAX_PROMPT_TEXT` characters of `length`, with pasted texts where they were pasted. */
  text: string;
  length: number;
  atMs: number | null;
  /** The UUID of its session; `null` before 2.0.42, which wrote none. */
  sessionUuid: string | null;
  /** The folder in which it was typed. */
  project: string | null;
};

const CHUNK_BYTES = 512 << 10;
/** Up to 1.0.128 an entry holds the images that were pasted. What is longer is no entry. */
const MAX_LINE_BYTES = 32 << 20;
/** By these a file that was replaced is told from one that has grown. */
const HEAD_BYTES = 256;

type Counts = Pick<DoctorHistory, "lines" | "prompts" | "commands" | "unknown" | "unreadable">;

type Read = {
  file: string;
  head: string;
  /** Just past the last line that was read whole. */
  offset: number;
  entries: TypedEntry[];
  counts: Counts;
};

/** What one root's file holds. */
export type HistoryOfRoot = { entries: readonly TypedEntry[]; report: DoctorHistory };

/**
 * The client's history of prompts, `history.jsonl`, of all roots: it goes on when logs are cleaned up. Each is read on
 * from where it was read to; one that was cut or replaced is read anew.
 */
export class PromptHistories {
  readonly #roots: readonly string[];
  readonly #read = new Map<string, Read>();
  #reading: Promise<HistoryOfRoot[]> | null = null;

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots.flatMap(({ kind, path }) => (kind === "config" ? [path] : []));
  }

  /** What the files hold now; nothing of a root without one. What is wrong with one is in its report. */
  ofRoots(): Promise<HistoryOfRoot[]> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readAll(): Promise<HistoryOfRoot[]> {
    const found: HistoryOfRoot[] = [];
    for (const root of this.#roots) {
      const folder = realPathOf(root);
      const path = folder === null ? null : join(/*turbopackIgnore: true*/ folder, "history.jsonl");
      if (folder === null || path === null || !isThere(path)) continue;
      try {
        found.push(await this.#readFile(folder, path));
      } catch (error) {
        if (!isViewerError(error)) throw error;
        const { code, message, hint } = error;
        const problem = { code, message, hint: hint ?? "" };
        found.push({ entries: [], report: { path, bytes: 0, ...noCounts(), torn: false, problem } });
      }
    }
    return found;
  }

  async #readFile(folder: string, path: string): Promise<HistoryOfRoot> {
    const handle = await openConfined(folder, path);
    try {
      const { size, dev, ino } = await handle.stat();
      const head = shortHash(Buffer.from(await readRange(handle, 0, HEAD_BYTES)).toString("latin1"), 16);
      const file = `${dev}:${ino}`;
      const known = this.#read.get(path);
      // A file shorter than its head grows into another one.
      const goesOn = known?.file === file && size >= known.offset && known.offset >= HEAD_BYTES;
      const isSame = known !== undefined && goesOn && known.head === head;
      const read = isSame ? known : { file, head, offset: 0, entries: [], counts: noCounts() };
      this.#read.set(path, read);
      const rest = await readLines(handle, read, size);
      const last = rest === null ? null : parseEntry(rest);
      // A line without its end is read again when that is there; what is whole already counts.
      const torn = last?.kind === "unreadable";
      const counts = { ...read.counts };
      const entries = [...read.entries];
      if (last && !torn) note(last, counts, entries);
      return { entries, report: { path, bytes: size, ...counts, torn, problem: null } };
    } finally {
      await handle.close();
    }
  }
}

function noCounts(): Counts {
  return { lines: 0, prompts: 0, commands: 0, unknown: 0, unreadable: 0 };
}

/** Reads the whole lines from `read.offset` on into it. Returns what follows the last of them; null for nothing. */
async function readLines(handle: OpenFileHandle, read: Read, size: number): Promise<Uint8Array | null> {
  const { counts, entries } = read;
  let splitter: LineSplitter | null = new LineSplitter(read.offset);
  const take = (bytes: Uint8Array) => {
    if (bytes.length > 0) note(parseEntry(bytes), counts, entries);
  };
  for (let at = read.offset; at < size; ) {
    let chunk = await readRange(handle, at, Math.min(size, at + CHUNK_BYTES));
    if (chunk.length === 0) break;
    at += chunk.length;
    if (splitter === null) {
      const end = chunk.indexOf(0x0a);
      if (end === -1) continue;
      splitter = new LineSplitter(at - chunk.length + end + 1);
      chunk = chunk.subarray(end + 1);
    }
    splitter.push(chunk, (line) => take(line.bytes));
    read.offset = splitter.consumed;
    if (at - read.offset > MAX_LINE_BYTES) {
      counts.lines += 1;
      counts.unreadable += 1;
      splitter = null;
    }
    await nextSlice();
  }
  return splitter?.rest()?.bytes ?? null;
}

function note(parsed: ParsedEntry, counts: Counts, entries: TypedEntry[]): void {
  counts.lines += 1;
  counts[COUNTED[parsed.kind]] += 1;
  if (parsed.kind === "prompt") entries.push(parsed.entry);
}

const COUNTED = {
  prompt: "prompts",
  command: "commands",
  unknown: "unknown",
  unreadable: "unreadable",
} as const;

type ParsedEntry = { kind: "prompt"; entry: TypedEntry } | { kind: "command" | "unknown" | "unreadable" };

const decoder = new TextDecoder();

function parseEntry(bytes: Uint8Array): ParsedEntry {
  const json = parseJson(decoder.decode(bytes.length > MAX_PROMPT_TEXT ? elided(bytes) : bytes));
  const fields = asObject(json);
  if (fields === null) return { kind: json === undefined ? "unreadable" : "unknown" };
  const display = asString(fields.display)?.trim();
  if (display === undefined) return { kind: "unknown" };
  if (isOfClient(display)) return { kind: "command" };
  const text = withPastes(display, asObject(fields.pastedContents));
  return {
    kind: "prompt",
    entry: {
      id: promptIdOf(textStart(text, MAX_PROMPT_TEXT), text.length),
      text: textStart(text, MAX_PROMPT_TEXT),
      length: text.length,
      atMs: asNumber(fields.timestamp),
      sessionUuid: asString(fields.sessionId),
      project: asString(fields.project),
    },
  };
}

const encoder = new TextEncoder();

/** Without most of what is long: an image, a pasted log. */
function elided(bytes: Uint8Array): Uint8Array {
  return encoder.encode(elideLine(bytes, 4 * MAX_PROMPT_TEXT).text);
}

/** `[Pasted text #2 +29 lines]`, `[...Truncated text #1 +80 lines...]`: the text that was pasted there. */
const PASTED = /\[(?:\.\.\.)?(?:Pasted|Truncated) text #(\d+)[^\]\n]*\]/g;

function withPastes(display: string, pasted: JsonObject | null): string {
  if (pasted === null) return display;
  return display.replace(PASTED, (mark, nth: string) => asString(asObject(pasted[nth])?.content) ?? mark);
}

/** Commands that the client itself answers: nobody looks for those to use them again. */
const CLIENTS_COMMANDS = new Set(
  (
    "add-dir agents allowed-tools bashes branch bug btw checkpoint chrome clear color compact config context " +
    "continue copy cost desktop diff doctor effort exit export extra-usage fast feedback fork help hooks ide insights " +
    "install-github-app install-slack-app keybindings login logout mcp memory migrate-installer mobile model new " +
    "output-style passes permissions plan plugin privacy-settings quit rate-limit-options release-notes " +
    "reload-plugins remote-control remote-env rename reset resume rewind sandbox session settings skills stats " +
    "status statusline stickers tag tasks terminal-setup theme think-back todos undo upgrade usage vim voice"
  ).split(" "),
);

/** A command of the client's own, one for the shell, or nothing at all. */
function isOfClient(text: string): boolean {
  if (text === "" || text.startsWith("!")) return true;
  const command = /^\/([a-z][a-z-]*)(?=\s|$)/.exec(text)?.[1];
  return command !== undefined && CLIENTS_COMMANDS.has(command);
}

/** Of entries that name no session (up to 2.0.41), one is taken to be of a session that ran then, in its folder. */
const SLACK_MS = 60_000;

/** Where and when a session ran, for entries that name none. */
export type RanAt = {
  projectPath: string;
  startedAtMs: number | null;
  lastActiveAtMs: number | null;
};

/**
 * The entries whose session is gone: no session has its UUID, or none ran in its folder when it was typed. One of the
 * last minute may be on its way into a log.
 */
export function goneEntries(
  entries: readonly TypedEntry[],
  uuids: ReadonlySet<string>,
  ran: readonly RanAt[],
  nowMs: number,
): TypedEntry[] {
  const byFolder = new Map<string, { fromMs: number; toMs: number }[]>();
  for (const { projectPath, startedAtMs, lastActiveAtMs } of ran) {
    if (startedAtMs === null || lastActiveAtMs === null) continue;
    const folder = comparablePath(projectPath);
    const times = byFolder.get(folder) ?? [];
    byFolder.set(folder, times);
    times.push({ fromMs: startedAtMs - SLACK_MS, toMs: lastActiveAtMs + SLACK_MS });
  }
  return entries.filter(({ sessionUuid, atMs, project }) => {
    if (atMs !== null && atMs > nowMs - SLACK_MS) return false;
    if (sessionUuid !== null) return !uuids.has(sessionUuid);
    const times = project === null ? [] : (byFolder.get(comparablePath(project)) ?? []);
    return !times.some(({ fromMs, toMs }) => atMs !== null && atMs >= fromMs && atMs <= toMs);
  });
}
