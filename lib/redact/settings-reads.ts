import { namesEnvFile } from "./env-lines";
import { decodeString, eachString } from "./json-strings";

/** Fields of a result, or of a file that a prompt mentions, that name the file from which their text comes. */
const FILE_NAME = /^(?:filePath|file_path|filename)$/;
const TOOL_USE_ID = /"tool_use_id"\s*:\s*"([^"]{1,200})"/g;
/** The path at which the client stored an output that is too long for the log, also in nested JSON. */
const OUTPUT_FILE = /tool-results(?:\/|\\+\/?)([^\s"'\\/<>]{0,200}[^\s"'\\/<>.,;:)\]])/g;
/** Backups of one file are named by its path's hash and a number of their own. */
const VERSION = /@v\d+$/;

/** The ids of calls that read a settings file, and the names of files beside the logs that hold the text of one. */
export type LearnedReads = { envCalls: string[]; envFiles: string[] };

/**
 * Tracks which calls of a session read a settings file like `.env`, and which files beside its logs contain the text of
 * one: a call's output, and the client's backups.
 */
export class SettingsReads {
  readonly #calls: Set<string>;
  readonly #files: Set<string>;

  constructor(learned: LearnedReads = { envCalls: [], envFiles: [] }) {
    this.#calls = new Set(learned.envCalls);
    this.#files = new Set(learned.envFiles);
  }

  get learned(): LearnedReads {
    return { envCalls: [...this.#calls], envFiles: [...this.#files] };
  }

  /**
   * Whether a line of a log contains text that was read from a settings file, or is written to one; remembers what it
   * says about files.
   */
  learn(line: string): boolean {
    const holds = this.#isOfCall(line) || (line.includes(".env") && this.#names(line));
    if (holds && line.includes("tool-results"))
      for (const [, name = ""] of line.matchAll(OUTPUT_FILE)) this.#files.add(name);
    return holds;
  }

  /** Whether a file beside the logs, of this name, contains the text of a settings file. */
  isSettings(name: string): boolean {
    return (
      namesEnvFile(name) ||
      this.#files.has(name.replace(VERSION, "")) ||
      this.#calls.has(name.replace(/\.[a-z]{2,5}$/, ""))
    );
  }

  #isOfCall(line: string): boolean {
    for (const [, id = ""] of this.#calls.size > 0 ? line.matchAll(TOOL_USE_ID) : [])
      if (this.#calls.has(id)) return true;
    return false;
  }

  #names(line: string): boolean {
    const idOf = new Map<string, string>();
    const reading: string[] = [];
    const backups: { path: string | null; name: string }[] = [];
    let tracked = "";
    let isNamed = false;
    eachString(line, (string) => {
      const text = decodeString(line.slice(string.start, string.end));
      if (!string.isKey) {
        if (string.key === "id") idOf.set(string.field().slice(0, -".id".length), text);
        if (string.key === "backupFileName") backups.push({ path: pathOfBackup(string.field()), name: text });
        if (string.key === "trackingPath") tracked = text;
        // Backups that are in the log itself, as in the first snapshots, by the names of their files.
        if (namesEnvFile(string.key)) isNamed = true;
      }
      if (!namesEnvFile(text)) return;
      const call = /^(.*)\.input\./.exec(string.field())?.[1];
      if (call !== undefined) reading.push(call);
      if (FILE_NAME.test(string.key)) isNamed = true;
    });
    for (const call of reading) this.#calls.add(idOf.get(call) ?? "");
    for (const { path, name } of backups)
      if (namesEnvFile(path ?? tracked)) this.#files.add(name.replace(VERSION, ""));
    return isNamed || reading.length > 0;
  }
}

/** The file whose backup a snapshot names; null in a line of one backup, which names it elsewhere. */
function pathOfBackup(field: string): string | null {
  return /(?:^|\.)trackedFileBackups\.(.*)\.backupFileName$/s.exec(field)?.[1] ?? null;
}
