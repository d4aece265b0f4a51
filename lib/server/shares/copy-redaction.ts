import { createHash } from "node:crypto";
import { basename } from "node:path";
import { RE2JS } from "re2js";
import { type Learned, Redaction } from "@/lib/redact/redaction";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { type CopiedFile, isGrown } from "./copied-file";
import {
  type CopySource,
  eachWholeLine,
  lineBefore,
  MAX_FILE_BYTES,
  opened,
  readWhole,
  utf8Text,
} from "./copy-source";

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

const NOT_LEARNED: Learned = { secrets: [], passwords: [], owners: [], envCalls: [], envFiles: [] };

/** What is secret in the files of one session, as far as they have been searched, and what stands for it in their copy. */
export class CopyRedaction {
  readonly #rules: CopyRules;
  readonly #own: RE2JS[];
  /** The length of each log when it was last searched. */
  readonly #searchedTo = new Map<string, number>();
  #redaction: Redaction;
  #known = 0;

  /** Throws what RE2JS throws for a pattern that is none. */
  constructor(rules: CopyRules) {
    this.#rules = rules;
    this.#own = rules.own.map((pattern) => RE2JS.compile(pattern));
    this.#redaction = new Redaction(this.#own, [], rules.learned ?? NOT_LEARNED);
  }

  /** The user's own patterns. */
  get own(): string[] {
    return this.#rules.own;
  }

  /** One by other patterns of the user's, which has searched nothing yet, and gives what is known the same names. */
  withOwn(own: string[]): CopyRedaction {
    return new CopyRedaction({ ...this.#rules, own, learned: this.#redaction.learned, learnedUpTo: {} });
  }

  /**
   * Searches those of a session's files that are due. Returns the secrets that were not known before.
   * @param copied what of them is in the copy, by path
   */
  learn(
    due: readonly CopySource[],
    sources: readonly CopySource[],
    copied: ReadonlyMap<string, CopiedFile>,
  ): string[] {
    const redaction = this.#redaction;
    const before = redaction.learned;
    const wereKnown = new Set([...before.passwords, ...before.owners]);
    for (const source of due) {
      if (source.key === null) continue;
      redaction.beginLog();
      opened(source, (file) => {
        const { size } = file.stat();
        this.#searchedTo.set(source.path, size);
        const learn = (text: string) => redaction.learn(text, ignore);
        const from = this.#knownUpTo(source, copied.get(source.path), file);
        const { last } = eachWholeLine(file, from, size, learn);
        if (last !== null) learn(last);
      });
    }
    // The logs say which of the other files are settings files, also among those that were copied before.
    for (const source of sources) {
      const isSettings = this.isSettings(source);
      const isSearched = !due.includes(source) && copied.get(source.path)?.isSettings === isSettings;
      if (source.key !== null || isSearched) continue;
      redaction.beginLog();
      opened(source, (file) => learnText(redaction, source, file, isSettings));
    }
    const { learned } = redaction;
    const news = [
      ...learned.secrets.slice(this.#known).map(([value]) => value),
      ...[...learned.passwords, ...learned.owners].filter((value) => !wereKnown.has(value)),
    ];
    this.#known = learned.secrets.length;
    const hashes = new Set(this.#rules.kept);
    const kept = learned.secrets.flatMap(([value, rule, number]) =>
      hashes.has(hashOfSecret(value)) ? [`${rule} ${number}`] : [],
    );
    // With the names of excepted secrets, which are only known by now.
    this.#redaction = new Redaction(this.#own, kept, learned);
    return news;
  }

  /** How many bytes of a log have been searched: no more of it may be copied. */
  searchedTo({ path }: CopySource): number {
    return this.#searchedTo.get(path) ?? 0;
  }

  /** Whether a log names this file as one of settings. */
  isSettings({ key, path }: CopySource): boolean {
    return key === null && this.#redaction.isSettings(basename(path));
  }

  redactText(text: string): string {
    return this.#redaction.redactText(text);
  }

  /** A line of a log. */
  redactLine(line: string): string {
    return this.#redaction.redactLine(line);
  }

  /** The text of another file. */
  redactFile({ path }: CopySource, text: string, isSettings: boolean): string {
    return path.endsWith(".json")
      ? this.#redaction.redactLine(text, isSettings)
      : this.#redaction.redactText(text, isSettings);
  }

  /** The path of a file in the copy: each name in it is still a valid one. */
  redactPath(place: string): string {
    return place
      .split("/")
      .map((name) => {
        const redacted = this.redactText(name);
        return redacted === name
          ? name
          : redacted.replace(/\[([\w-]+) (\d+)\]/g, "$1-$2").replace(/[^\w.~@-]+/g, "-");
      })
      .join("/");
  }

  /**
   * The offset from which the secrets of a log are not known: the last line before it, which may contain the beginning
   * of one, is read again.
   */
  #knownUpTo({ path }: CopySource, copied: CopiedFile | undefined, file: OpenFile): number {
    if (copied) return isGrown(copied, file) ? copied.lastLineAt : 0;
    const learned = this.#rules.learnedUpTo[path] ?? 0;
    return learned <= file.stat().size ? lineBefore(file, learned) : 0;
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
