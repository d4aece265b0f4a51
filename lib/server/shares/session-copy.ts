import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RE2JS } from "re2js";
import { type Learned, Redaction } from "@/lib/redact/redaction";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { renameHeld } from "@/lib/server/disk/rename-held.mjs";
import { type Identity, identify } from "@/lib/server/scan/file-identity";
import type { LeftOut } from "@/lib/wire/shares";
import {
  type CopySource,
  eachWholeLine,
  holdsAny,
  lineBefore,
  opened,
  readWhole,
  utf8Text,
} from "./copy-source";
import { CopyWriter } from "./copy-writer";
import { isAgents, outputsNamedIn, textWithoutLeftOut, withoutLeftOut } from "./left-out-lines";

/**
 * How a copy is redacted: by the user's own patterns and what is known already, except for secrets with these hashes.
 * `learnedUpTo`: bytes of logs, by path, of which that is known.
 */
export type CopyRules = {
  own: string[];
  learned: Learned | null;
  learnedUpTo: Record<string, number>;
  kept: string[];
};

type Copied = {
  source: CopySource;
  into: string;
  /** What has been read of the file, and its state then. */
  read: Identity & { bytes: number };
  /** From these offsets on, the copy's lines begin this many bytes later. */
  shifts: [from: number, by: number][];
  /** Where its last whole line begins. */
  lastLineAt: number;
  /** Bytes at the copy's end of a record that no newline ends yet. */
  openBytes: number;
  /** Read as the text of a file of settings. */
  isSettings: boolean;
  /** False for a file that is left out, and is read only for the secrets in it. */
  isCopied: boolean;
};

/** The key of a session's main log. */
const MAIN = "m";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Other files of a session are read as a whole; longer ones are left out. */
const MAX_FILE_BYTES = 64 << 20;
const NOT_LEARNED: Learned = { secrets: [], passwords: [], owners: [], envCalls: [], envFiles: [] };

const encoder = new TextEncoder();

/**
 * The files of one session in a folder of their own, laid out as the client does it, with its secrets replaced and
 * without what its readers do not get: whatever is read, cut, searched or exported from them never contained any. Follows its session: `update` adds what
 * has been written since. Synchronous, for a worker thread.
 */
export class SessionCopy {
  readonly #folder: string;
  #rules: CopyRules | null;
  readonly #leftOut: readonly LeftOut[];
  /** The names of the files of long outputs that lines of the main log point at. */
  readonly #outputs = new Set<string>();
  readonly #copied = new Map<string, Copied>();
  /** The length of each log when its secrets were last searched: no more of it is copied. */
  readonly #learnedTo = new Map<string, number>();
  #redaction: Redaction | null = null;
  #known = 0;

  /**
   * @param folder the copy's own
   * @param rules null: nothing is replaced
   * @param leftOut what its readers do not get
   */
  constructor(folder: string, rules: CopyRules | null, leftOut: readonly LeftOut[] = []) {
    this.#folder = folder;
    this.#leftOut = leftOut;
    this.#rules = rules;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  }

  /**
   * Brings the copy up to date. True if anything was written. Files that cannot be read are left out until they can.
   * @param own the user's current patterns: with other ones everything is copied again
   */
  update(sources: readonly CopySource[], own = this.#rules?.own ?? []): boolean {
    const known = this.#outputs.size;
    const wrote = this.#updateOnce(sources, own);
    if (this.#outputs.size === known || !this.#leftOut.includes("agents")) return wrote;
    // They were taken for an agent's, until a line pointed at them.
    for (const [path, { source, isCopied }] of this.#copied)
      if (!isCopied && !this.#isLeftOut(source)) this.#copied.delete(path);
    return this.#updateOnce(sources, own) || wrote;
  }

  #updateOnce(sources: readonly CopySource[], own: string[]): boolean {
    const old = this.#rules && own.join("\n") !== this.#rules.own.join("\n") ? this.#begin(own) : [];
    let wrote = this.#dropOthers(sources);
    const due = sources.filter((source) => this.#isDue(source));
    if (due.length === 0) return wrote;
    let anew: ReadonlySet<string> = new Set();
    if (this.#rules) {
      const news = this.#learn(due, sources);
      // A text that has only now turned out to be a secret may be in what was copied before.
      anew = new Set(
        [...this.#copied.values()]
          .filter((file) => file.isSettings !== this.#isSettings(file.source) || holdsAny(file.into, news))
          .map(({ source }) => source.path),
      );
    }
    for (const source of sources) {
      if (!anew.has(source.path) && !due.includes(source)) continue;
      const before = anew.has(source.path) ? this.#copied.get(source.path) : undefined;
      if (before) this.#copied.delete(source.path);
      wrote = this.#copy(source) || wrote;
      // Its name may contain what is only now known as a secret.
      if (before && this.#copied.get(source.path)?.into !== before.into) rmSync(before.into, { force: true });
    }
    const kept = new Set([...this.#copied.values()].map(({ into }) => into));
    for (const into of old) if (!kept.has(into)) rmSync(into, { force: true });
    return wrote;
  }

  /** Forgets what was copied, except the names of secrets. Returns the copy's folder. */
  #begin(own: string[]): string[] {
    const learned = this.#redaction?.learned ?? null;
    this.#rules = { ...(this.#rules as CopyRules), own, learned, learnedUpTo: {} };
    const old = [...this.#copied.values()].map(({ into }) => into);
    this.#copied.clear();
    this.#redaction = null;
    return old;
  }

  /** An address with its records' ids as they are in the copy. Unknown ones stay. */
  translate(address: string): string {
    const byKey = new Map([...this.#copied.values()].map((file) => [file.source.key, file]));
    return address
      .replace(
        /\b([a-z0-9]{1,32})(~|%7[eE])([0-9a-z]{1,16})/g,
        (whole, key: string, tilde: string, offset: string) => {
          const file = byKey.get(key);
          return file ? key + tilde + shifted(file, offset) : whole;
        },
      )
      .replace(/\bside([0-9a-z]{1,16})\b/g, (whole, offset: string) => {
        const main = byKey.get("m");
        return main ? `side${shifted(main, offset)}` : whole;
      });
  }

  /** A text about the session with its secrets replaced as they are in the copy. */
  redact(text: string): string {
    return this.#redaction?.redactText(text) ?? text;
  }

  /** A name of a file or a folder with its secrets replaced, which is still a valid name. */
  #named(place: string): string {
    const redaction = this.#redaction;
    if (!redaction) return place;
    return place
      .split("/")
      .map((name) => {
        const redacted = redaction.redactText(name);
        return redacted === name
          ? name
          : redacted.replace(/\[([\w-]+) (\d+)\]/g, "$1-$2").replace(/[^\w.~@-]+/g, "-");
      })
      .join("/");
  }

  #dropOthers(sources: readonly CopySource[]): boolean {
    const wanted = new Set(sources.map(({ path }) => path));
    let dropped = false;
    for (const [path, { into }] of this.#copied) {
      if (wanted.has(path)) continue;
      rmSync(into, { force: true });
      this.#copied.delete(path);
      dropped = true;
    }
    return dropped;
  }

  #isDue(source: CopySource): boolean {
    const known = this.#copied.get(source.path);
    if (!known) return true;
    return opened(source, (file) => !isSame(known, file)) ?? false;
  }

  /** Learns the secrets in the files that are due. Returns those that were not known before. */
  #learn(due: readonly CopySource[], sources: readonly CopySource[]): string[] {
    const rules = this.#rules as CopyRules;
    const own = rules.own.map((pattern) => RE2JS.compile(pattern));
    this.#redaction ??= new Redaction(own, [], rules.learned ?? NOT_LEARNED);
    const redaction = this.#redaction;
    const before = redaction.learned;
    const wereKnown = new Set([...before.passwords, ...before.owners]);
    for (const source of due) {
      if (source.key === null) continue;
      redaction.beginLog();
      opened(source, (file) => {
        const { size } = file.stat();
        this.#learnedTo.set(source.path, size);
        const learn = (text: string) => redaction.learn(text, ignore);
        const { last } = eachWholeLine(file, this.#learnedUpTo(source, file), size, learn);
        if (last !== null) learn(last);
      });
    }
    // The logs say which of the other files are settings files, also among those that were copied before.
    for (const source of sources) {
      const known = this.#copied.get(source.path);
      const isSettings = this.#isSettings(source);
      if (source.key !== null || (!due.includes(source) && known?.isSettings === isSettings)) continue;
      redaction.beginLog();
      opened(source, (file) => learnText(redaction, source, file, isSettings));
    }
    const { learned } = redaction;
    const news = [
      ...learned.secrets.slice(this.#known).map(([value]) => value),
      ...[...learned.passwords, ...learned.owners].filter((value) => !wereKnown.has(value)),
    ];
    this.#known = learned.secrets.length;
    const hashes = new Set(rules.kept);
    const kept = learned.secrets.flatMap(([value, rule, number]) =>
      hashes.has(hashOfSecret(value)) ? [`${rule} ${number}`] : [],
    );
    // With the names of excepted secrets, which are only known by now.
    this.#redaction = new Redaction(own, kept, learned);
    return news;
  }

  #isSettings({ key, path }: CopySource): boolean {
    return key === null && this.#redaction?.isSettings(basename(path)) === true;
  }

  /**
   * The offset from which the secrets of a log are not known: the last line before it, which may contain the beginning
   * of one, is read again.
   */
  #learnedUpTo(source: CopySource, file: OpenFile): number {
    const known = this.#copied.get(source.path);
    if (known) return isGrown(known, file) ? known.lastLineAt : 0;
    const learned = this.#rules?.learnedUpTo[source.path] ?? 0;
    return learned <= file.stat().size ? lineBefore(file, learned) : 0;
  }

  #copy(source: CopySource): boolean {
    const wrote = opened(source, (file) => {
      if (this.#isLeftOut(source)) return this.#leave(source, file);
      return source.key === null ? this.#copyWhole(source, file) : this.#copyLines(source, file);
    });
    return wrote ?? false;
  }

  #isLeftOut({ key, place }: CopySource): boolean {
    if (!this.#leftOut.includes("agents")) return false;
    return (key !== null && key !== MAIN) || isAgents(place, this.#outputs);
  }

  /** Notes how far a file is read that is not copied. A secret in it may be in others. */
  #leave(source: CopySource, file: OpenFile): false {
    const size = Math.min(this.#learnedTo.get(source.path) ?? Number.POSITIVE_INFINITY, file.stat().size);
    this.#copied.set(source.path, {
      source,
      into: join(this.#folder, this.#named(source.place)),
      read: { ...identify(file, size), size, bytes: size },
      shifts: [],
      lastLineAt: source.key === null ? 0 : lineBefore(file, size),
      openBytes: 0,
      isSettings: this.#isSettings(source),
      isCopied: false,
    });
    return false;
  }

  /** A line as it is in the copy; null for one that is not in it. */
  #lineInCopy(line: string, { source }: Copied): string | null {
    const left = this.#leftOut.length === 0 ? line : withoutLeftOut(line, this.#leftOut);
    if (left !== null && source.key === MAIN)
      for (const name of outputsNamedIn(left)) this.#outputs.add(name);
    return left === null ? null : (this.#redaction?.redactLine(left) ?? left);
  }

  #copyLines(source: CopySource, file: OpenFile): boolean {
    const before = this.#copied.get(source.path);
    const grown = before && isGrown(before, file) ? before : null;
    const to: Copied = grown ?? {
      source,
      into: join(this.#folder, this.#named(source.place)),
      read: { ...identify(file, 0), bytes: 0 },
      shifts: [],
      lastLineAt: 0,
      openBytes: 0,
      isSettings: false,
      isCopied: true,
    };
    // Another inode for another log: readers then begin again.
    const path = grown ? to.into : `${to.into}.partial`;
    mkdirSync(dirname(to.into), { recursive: true, mode: FOLDER_MODE });
    const size = Math.min(this.#learnedTo.get(source.path) ?? Number.POSITIVE_INFINITY, file.stat().size);
    const writer = new CopyWriter(path, grown && to.openBytes);
    // The record at its end is complete by now, or continues.
    to.openBytes = 0;
    try {
      this.#addLines(file, to, size, writer);
    } catch (error) {
      // It is copied again from here when there is room.
      writer.undo();
      throw error;
    } finally {
      writer.close();
    }
    if (!grown) renameHeld(path, to.into);
    this.#copied.set(source.path, to);
    return true;
  }

  /** Writes what a log has behind what was read of it, up to `size`, and notes in `to` where its lines are in the copy. */
  #addLines(file: OpenFile, to: Copied, size: number, writer: CopyWriter): void {
    const shifts: Copied["shifts"] = [];
    let shift = to.shifts.at(-1)?.[1] ?? 0;
    let { lastLineAt } = to;
    const { end, last } = eachWholeLine(file, to.read.bytes, size, (text, { bytes, offset }) => {
      const copied = this.#lineInCopy(text, to);
      const line = copied === text ? new Uint8Array(bytes) : encoder.encode(copied ?? "");
      if (copied !== null) writer.line(line);
      lastLineAt = offset;
      if (line.length === bytes.length && copied !== null) return;
      // A line that is not in the copy takes its newline along.
      shift += line.length - bytes.length - (copied === null ? 1 : 0);
      shifts.push([offset + bytes.length + 1, shift]);
    });
    const copied = last === null ? null : this.#lineInCopy(last, to);
    const open = copied === null ? null : encoder.encode(copied);
    writer.end(open);
    // Not before all is written. One by one: there may be more of them than a call takes arguments.
    for (const one of shifts) to.shifts.push(one);
    to.lastLineAt = lastLineAt;
    to.openBytes = open?.length ?? 0;
    to.read = { ...identify(file, end), size, bytes: end };
  }

  #copyWhole(source: CopySource, file: OpenFile): boolean {
    const into = join(this.#folder, this.#named(source.place));
    const { size } = file.stat();
    const copied: Copied = {
      source,
      into,
      read: { ...identify(file, size), bytes: size },
      shifts: [],
      lastLineAt: 0,
      openBytes: 0,
      isSettings: this.#isSettings(source),
      isCopied: true,
    };
    const bytes = size > MAX_FILE_BYTES ? null : this.#redactedFile(copied, readWhole(file, size));
    if (bytes === null) {
      this.#copied.set(source.path, copied);
      return false;
    }
    mkdirSync(dirname(into), { recursive: true, mode: FOLDER_MODE });
    writeFileSync(`${into}.partial`, bytes, { mode: FILE_MODE });
    renameHeld(`${into}.partial`, into);
    this.#copied.set(source.path, copied);
    return true;
  }

  /** Null for a file that is no text, where secrets are replaced: its contents cannot be checked. */
  #redactedFile({ source: { path }, isSettings }: Copied, bytes: Uint8Array): Uint8Array | null {
    const redaction = this.#redaction;
    if (!redaction && this.#leftOut.length === 0) return bytes;
    const text = utf8Text(bytes);
    if (text === null) return redaction ? null : bytes;
    const left = textWithoutLeftOut(text, this.#leftOut);
    const redacted = path.endsWith(".json")
      ? redaction?.redactLine(left, isSettings)
      : redaction?.redactText(left, isSettings);
    const copied = redacted ?? left;
    return copied === text ? bytes : encoder.encode(copied);
  }
}

/** Identifies an excepted secret without storing it. */
export function hashOfSecret(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

const ignore = () => undefined;

function learnText(redaction: Redaction, { path }: CopySource, file: OpenFile, isSettings: boolean): void {
  const { size } = file.stat();
  const text = size > MAX_FILE_BYTES ? null : utf8Text(readWhole(file, size));
  if (text === null) return;
  if (path.endsWith(".json")) redaction.learn(text, ignore, isSettings);
  else redaction.learnText(text, isSettings);
}

function isGrown({ read }: Copied, file: OpenFile): boolean {
  const now = identify(file, read.bytes);
  return (
    now.dev === read.dev &&
    now.ino === read.ino &&
    now.size >= read.bytes &&
    now.head === read.head &&
    now.tail === read.tail
  );
}

function isSame(copied: Copied, file: OpenFile): boolean {
  return file.stat().size === copied.read.size && isGrown(copied, file);
}

function shifted({ shifts }: Copied, offset: string): string {
  const from = Number.parseInt(offset, 36);
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.[0] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return (from + (shifts[low - 1]?.[1] ?? 0)).toString(36);
}
