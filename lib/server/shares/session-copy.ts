import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { renameHeld } from "@/lib/server/disk/rename-held.mjs";
import { identify } from "@/lib/server/scan/file-identity";
import type { LeftOut } from "@/lib/wire/shares";
import { type CopiedFile, copiedFile, isGrown, isSame, MAIN, translatedAddress } from "./copied-file";
import { CopyRedaction, type CopyRules } from "./copy-redaction";
import {
  type CopySource,
  eachWholeLine,
  holdsAny,
  lineBefore,
  MAX_FILE_BYTES,
  opened,
  readWhole,
  utf8Text,
} from "./copy-source";
import { CopyWriter } from "./copy-writer";
import { isAgents, outputsNamedIn, textWithoutLeftOut, withoutLeftOut } from "./left-out-lines";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const encoder = new TextEncoder();

/**
 * The files of one session in a folder of their own, laid out as the client does it, with its secrets replaced and
 * without what its readers do not get: whatever is read, cut, searched or exported from them never contained any. Follows
 * its session: `update` adds what has been written since. Synchronous, for a worker thread.
 */
export class SessionCopy {
  readonly #folder: string;
  readonly #leftOut: readonly LeftOut[];
  /** The names of the files of long outputs that lines of the main log point at. */
  readonly #outputs = new Set<string>();
  readonly #copied = new Map<string, CopiedFile>();
  #redaction: CopyRedaction | null;

  /**
   * @param folder the copy's own
   * @param rules null: nothing is replaced
   * @param leftOut what its readers do not get
   * @throws what `CopyRedaction` throws, and the system's errors for the folder
   */
  constructor(folder: string, rules: CopyRules | null, leftOut: readonly LeftOut[] = []) {
    this.#folder = folder;
    this.#leftOut = leftOut;
    this.#redaction = rules && new CopyRedaction(rules);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  }

  /**
   * Brings the copy up to date. True if anything was written. Files that cannot be read are left out until they can.
   * @param own the user's current patterns: with other ones everything is copied again
   */
  update(sources: readonly CopySource[], own = this.#redaction?.own ?? []): boolean {
    const known = this.#outputs.size;
    const wrote = this.#updateOnce(sources, own);
    if (this.#outputs.size === known || !this.#leftOut.includes("agents")) return wrote;
    // They were taken for an agent's, until a line pointed at them.
    for (const [path, { source, isCopied }] of this.#copied)
      if (!isCopied && !this.#isLeftOut(source)) this.#copied.delete(path);
    return this.#updateOnce(sources, own) || wrote;
  }

  #updateOnce(sources: readonly CopySource[], own: string[]): boolean {
    const old = this.#begin(own);
    let wrote = this.#dropOthers(sources);
    const due = sources.filter((source) => this.#isDue(source));
    if (due.length === 0) return wrote;
    let anew: ReadonlySet<string> = new Set();
    const redaction = this.#redaction;
    if (redaction) {
      const news = redaction.learn(due, sources, this.#copied);
      // A text that has only now turned out to be a secret may be in what was copied before.
      anew = new Set(
        [...this.#copied.values()]
          .filter(
            (file) => file.isSettings !== redaction.isSettings(file.source) || holdsAny(file.into, news),
          )
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

  /** Where the user's patterns are other ones now, forgets what was copied. Returns where that is. */
  #begin(own: string[]): string[] {
    if (!this.#redaction || own.join("\n") === this.#redaction.own.join("\n")) return [];
    this.#redaction = this.#redaction.withOwn(own);
    const old = [...this.#copied.values()].map(({ into }) => into);
    this.#copied.clear();
    return old;
  }

  /** An address with its records' ids as they are in the copy. Unknown ones stay. */
  translate(address: string): string {
    return translatedAddress(address, this.#copied.values());
  }

  /** A text about the session with its secrets replaced as they are in the copy. */
  redact(text: string): string {
    return this.#redaction?.redactText(text) ?? text;
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

  /** Where a file is in the copy. */
  #placeOf({ place }: CopySource): string {
    return join(this.#folder, this.#redaction?.redactPath(place) ?? place);
  }

  /** How many bytes of a log may be copied. */
  #sizeOf(source: CopySource, file: OpenFile): number {
    const { size } = file.stat();
    return this.#redaction ? Math.min(this.#redaction.searchedTo(source), size) : size;
  }

  /** Notes how far a file is read that is not copied. A secret in it may be in others. */
  #leave(source: CopySource, file: OpenFile): false {
    const isLog = source.key !== null;
    const size = isLog ? this.#sizeOf(source, file) : file.stat().size;
    const left = copiedFile(source, this.#placeOf(source), file, size);
    this.#copied.set(source.path, {
      ...left,
      read: { ...left.read, size },
      lastLineAt: isLog ? lineBefore(file, size) : 0,
      isSettings: this.#redaction?.isSettings(source) ?? false,
      isCopied: false,
    });
    return false;
  }

  /** A line as it is in the copy; null for one that is not in it. */
  #lineInCopy(line: string, { source }: CopiedFile): string | null {
    const left = this.#leftOut.length === 0 ? line : withoutLeftOut(line, this.#leftOut);
    if (left !== null && source.key === MAIN)
      for (const name of outputsNamedIn(left)) this.#outputs.add(name);
    return left === null ? null : (this.#redaction?.redactLine(left) ?? left);
  }

  #copyLines(source: CopySource, file: OpenFile): boolean {
    const before = this.#copied.get(source.path);
    const grown = before && isGrown(before, file) ? before : null;
    const to = grown ?? copiedFile(source, this.#placeOf(source), file, 0);
    // Another inode for another log: readers then begin again.
    const path = grown ? to.into : `${to.into}.partial`;
    mkdirSync(dirname(to.into), { recursive: true, mode: FOLDER_MODE });
    const size = this.#sizeOf(source, file);
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
  #addLines(file: OpenFile, to: CopiedFile, size: number, writer: CopyWriter): void {
    const shifts: CopiedFile["shifts"] = [];
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
    const { size } = file.stat();
    const copied = copiedFile(source, this.#placeOf(source), file, size);
    copied.isSettings = this.#redaction?.isSettings(source) ?? false;
    const bytes = size > MAX_FILE_BYTES ? null : this.#redactedFile(copied, readWhole(file, size));
    if (bytes === null) {
      this.#copied.set(source.path, copied);
      return false;
    }
    const { into } = copied;
    mkdirSync(dirname(into), { recursive: true, mode: FOLDER_MODE });
    writeFileSync(`${into}.partial`, bytes, { mode: FILE_MODE });
    renameHeld(`${into}.partial`, into);
    this.#copied.set(source.path, copied);
    return true;
  }

  /** Null for a file that is no text, where secrets are replaced or images left out: its contents cannot be checked. */
  #redactedFile({ source, isSettings }: CopiedFile, bytes: Uint8Array): Uint8Array | null {
    const redaction = this.#redaction;
    if (!redaction && this.#leftOut.length === 0) return bytes;
    const text = utf8Text(bytes);
    if (text === null) return redaction || this.#leftOut.includes("images") ? null : bytes;
    const left = textWithoutLeftOut(text, this.#leftOut);
    const copied = redaction?.redactFile(source, left, isSettings) ?? left;
    return copied === text ? bytes : encoder.encode(copied);
  }
}
