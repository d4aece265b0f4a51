import { join } from "node:path";
import { parseJson } from "@/lib/format/json-values";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import { realPathOf } from "@/lib/server/disk/kept-files";
import { readRangeSync } from "@/lib/server/disk/read-range";
import type { RootFolder } from "@/lib/server/runtime/config";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { typedWords } from "./tail-facts";

/**
 * What a person typed last into a session: a prompt, `/compact` and no other command, or a command for the shell (`!`), of
 * which `shell` is the text. `words`: how it begins, as `typedWords` has it.
 */
export type TypedPrompt = { atMs: number; compacts: boolean; shell: string | null; words: string };

/** What was typed before is of no interest: it is in the log. */
const TAIL_BYTES = 16 << 10;
const NEWLINE = 0x0a;

/**
 * The end of the client's history of prompts, `history.jsonl`, which names the session since 2.0.42. A prompt stands there
 * 50–300 ms before it stands in the log, or only when its turn is over (2.0.42). A compaction stands there before it begins, and a command for the shell: the log
 * has those once they are done.
 */
export class PromptHistory {
  readonly #roots: readonly string[];
  /** By root. */
  readonly #offsets = new Map<string, number>();
  readonly #last = new Map<string, TypedPrompt>();

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots.flatMap(({ kind, path }) => (kind === "config" ? [path] : []));
  }

  /** By the main log's UUID. */
  lastOf(sessionUuid: string): TypedPrompt | null {
    return this.#last.get(sessionUuid) ?? null;
  }

  /** Reads on. Returns the sessions into which something was typed since. */
  read(): ReadonlySet<string> {
    const typed = new Set<string>();
    for (const root of this.#roots) {
      for (const line of this.#newLines(root)) {
        const entry = parseTyped(line);
        if (!entry) continue;
        this.#last.set(entry.sessionUuid, entry);
        typed.add(entry.sessionUuid);
      }
    }
    return typed;
  }

  #newLines(root: string): string[] {
    try {
      // The folder may be a link, and on Windows be written in other capitals.
      const folder = realPathOf(root);
      if (folder === null) return [];
      const file = openConfinedSync(folder, join(/*turbopackIgnore: true*/ folder, "history.jsonl"));
      try {
        const { size } = file.stat();
        const known = this.#offsets.get(root) ?? 0;
        const from = Math.max(size < known ? 0 : known, size - TAIL_BYTES);
        const bytes = Buffer.from(readRangeSync(file, from, size));
        // A line that is still being written is read when it is whole.
        const end = bytes.lastIndexOf(NEWLINE) + 1;
        this.#offsets.set(root, from + end);
        // Where a part was left out, the first may be half a line: then it parses as nothing.
        return bytes.toString("utf8", 0, end).split("\n");
      } finally {
        file.close();
      }
    } catch (error) {
      if (isViewerError(error) || faultCode(error) !== null) return []; // there is none, or it cannot be read
      throw error;
    }
  }
}

function parseTyped(line: string): (TypedPrompt & { sessionUuid: string }) | null {
  const entry = asObject(parseJson(line));
  const text = asString(entry?.display)?.trim();
  const atMs = asNumber(entry?.timestamp);
  const sessionUuid = asString(entry?.sessionId);
  if (!text || atMs === null || sessionUuid === null) return null;
  const compacts = /^\/compact\b/.test(text);
  const shell = text.startsWith("!") ? text.slice(1).trim() : null;
  // Most commands the client answers itself; one of the user's own is in the log in a moment.
  if (shell === "" || (!compacts && /^[/#]/.test(text))) return null;
  const words = compacts ? "/compact" : shell === null ? typedWords(text) : typedWords(`!${shell}`);
  return { atMs, compacts, shell, words, sessionUuid };
}
