import type { RE2JS } from "re2js";
import { headOf } from "./bare-values";
import { envValues } from "./env-lines";
import { findSecrets } from "./find-secrets";
import { decodeString, eachString, type JsonString } from "./json-strings";
import { isKnownAnywhere, KnownSecrets } from "./known-secrets";
import { keysInLists } from "./listed-keys";
import { cookieValues, isNameAlone, looksLikePassword, ownerOf } from "./looks";
import { keyLines } from "./private-keys";
import type { FoundSecret } from "./rule";
import { isPersonal } from "./rules";
import { type LearnedReads, SettingsReads } from "./settings-reads";

/** A secret in a field of a line of a log. */
export type Finding = {
  rule: string;
  /** Its placeholder, such as `github-token 1`: the same for the same secret. */
  name: string;
  /** The address of the field in the record. */
  field: string;
  /** The line in the field's text, from 1. */
  line: number;
  /** Its first characters, and how long it is. */
  preview: string;
};

/** What a redaction has learned about a session, so that another thread can continue with it. */
export type Learned = LearnedReads & {
  secrets: [value: string, rule: string, number: number][];
  /** What is first found as a word that is a secret where it stands alone, and later as one that is known anywhere. */
  passwords: string[];
  /** Names of users that are replaced wherever they stand, and not in paths alone. */
  owners: string[];
};

/** Fields whose name says that their value is a secret: name and value are examined together. */
const TELLING =
  /pass|pwd|secret|token|(?:api|access|private|subscription|master)[_-]?key|_(?:key|pat|creds)$|auth|cookie|credential/i;
/** A cookie's name, where it is given beside its value. */
const SESSION_COOKIE = /sess|jwt|[cx]srf|remember|(?:^|[._-])sid$/i;
/** A name for a password that is also a word of prose, and so is none elsewhere. */
const SHORT_PASSWORD = /(?:^|[^A-Za-z])(?:pass|pwd)$|(?:Pass|Pwd|PASS|PWD)$/;
/**
 * The length of the end and beginning of two consecutive texts that are examined together: a secret may have been cut
 * at the edge of two blocks.
 */
const SEAM = 8192;
/** Texts up to this length are examined once, until this many others have been seen. */
const MAX_SHORT = 100;
const MAX_SHORTS = 1_000;
/** Blanks, quotes and brackets end a token. */
const WORD_END = /[^\s"'`<>()[\]{}|,;]{4}$/;
const WORD_START = /^[^\s"'`<>()[\]{}|,;]{4}/;
/** An argument that names the next one. */
const OPTION = /^--?([a-z][a-z-]{1,30})$/i;
const TEXT_FIELD = /^(?:text|content|thinking|stdout|output|delta)$/;
/** What the client writes as a dash in the names of its folders. */
const NOT_IN_SLUG = /[^A-Za-z0-9]/g;

/**
 * Replaces secrets by placeholders, the same for the same secret throughout a session. `learn` is given all lines of
 * the session first: what is known as a secret in one place is then replaced everywhere.
 */
export class Redaction {
  readonly #own: readonly RE2JS[];
  readonly #kept: ReadonlySet<string>;
  readonly #names = new Map<string, { rule: string; number: number }>();
  readonly #counts = new Map<string, number>();
  readonly #passwords: Set<string>;
  readonly #settings: SettingsReads;
  readonly #owners: Set<string>;
  #known: KnownSecrets | null = null;
  /** The secrets of short texts, since a log repeats them: names of fields, folders, models. */
  readonly #short = new Map<string, readonly FoundSecret[]>();
  #folder = "";
  #before = "";

  /**
   * @param own the user's own patterns
   * @param kept names of secrets (`email 2`), or of whole kinds (`email`), that are left as they are
   */
  constructor(own: readonly RE2JS[] = [], kept: Iterable<string> = [], learned?: Learned) {
    this.#own = own;
    this.#kept = new Set(kept);
    for (const [value, rule, number] of learned?.secrets ?? []) this.#names.set(value, { rule, number });
    for (const { rule, number } of this.#names.values())
      this.#counts.set(rule, Math.max(number, this.#counts.get(rule) ?? 0));
    this.#passwords = new Set(learned?.passwords);
    this.#settings = new SettingsReads(learned);
    this.#owners = new Set(learned?.owners);
  }

  /** What it knows by now, for a redaction that goes on from there. */
  get learned(): Learned {
    return {
      secrets: [...this.#names].map(([value, { rule, number }]) => [value, rule, number]),
      passwords: [...this.#passwords],
      owners: [...this.#owners],
      ...this.#settings.learned,
    };
  }

  /**
   * The next line is of another log: nothing continues from the line before.
   * @param textBefore what `textBefore` was behind the lines of that log before it; none if it is the first
   */
  beginLog(textBefore = ""): void {
    this.#before = textBefore;
  }

  /** The end of the last text that was learned, in which a secret may begin that the next one continues. */
  get textBefore(): string {
    return this.#before;
  }

  /**
   * Reads a line of a log, as text without its newline, and reports its secrets.
   * @param isSettings it is known to contain the text of a settings file
   */
  learn(line: string, report: (finding: Finding) => void, isSettings = false): void {
    const env = this.#settings.learn(line) || isSettings;
    const note = (text: string, field: string, found: readonly FoundSecret[]) => {
      let [line, at] = [1, 0];
      for (const { rule, start, value } of found) {
        for (let next = text.indexOf("\n", at); next !== -1 && next < start; next = text.indexOf("\n", at)) {
          line += 1;
          at = next + 1;
        }
        report({ rule, name: this.#nameOf(value, rule), field, line, preview: previewOf(value) });
        if (rule === "cookie") for (const part of cookieValues(value)) this.#nameOf(part, rule);
      }
    };
    const inLists = keysInLists(line);
    const tell = teller();
    const listed = new Set<string>();
    const isWhole = eachString(line, (string) => {
      if (isSignature(string)) return;
      const text = decodeString(line.slice(string.start, string.end));
      if (string.key === "cwd" && !string.isKey) this.#learnOwner(text);
      const found = this.#find(text, tell(string, text), env);
      const ofList = inLists.get(string.start)?.filter(({ value }) => !listed.has(value)) ?? [];
      for (const { value } of ofList) listed.add(value);
      const isText = !string.isKey && TEXT_FIELD.test(string.key);
      const field = found.length + ofList.length > 0 || isText ? string.field() : "";
      note(text, field, found);
      note(text, field, ofList);
      if (isText) note(text, field, this.#acrossSeam(text));
    });
    if (!isWhole) note(line, "", this.#find(line, "", env));
  }

  /** Reads a text from a file beside the logs. */
  learnText(text: string, isSettings: boolean): void {
    this.learn(JSON.stringify({ content: text }), () => undefined, isSettings);
  }

  /**
   * Whether a file beside the logs, by its name, contains the text of a settings file: the output of a call, or a
   * backup.
   */
  isSettings(name: string): boolean {
    return this.#settings.isSettings(name);
  }

  /**
   * The owner of the home folder that a session works in is recognized by name alone, also as the client's folders
   * spell it.
   */
  #learnOwner(folder: string): void {
    if (folder === this.#folder) return;
    this.#folder = folder;
    const owner = ownerOf(folder);
    if (owner === null || !isNameAlone(owner) || this.#owners.has(owner)) return;
    this.#nameOf(owner, "user");
    const { rule, number } = this.#names.get(owner) ?? { rule: "", number: 0 };
    if (rule !== "user") return;
    for (const name of new Set([owner, owner.replace(NOT_IN_SLUG, "-")])) {
      if (!this.#names.has(name)) this.#names.set(name, { rule, number });
      this.#owners.add(name);
    }
    this.#known = null;
  }

  /** A secret that begins at the end of the text before: both parts are known from then on. */
  #acrossSeam(text: string): FoundSecret[] {
    const before = this.#before;
    this.#before = text.slice(-SEAM);
    if (!mayGoOn(before, text)) return [];
    const seam = before.length;
    const joined = findSecrets(before + text.slice(0, SEAM), this.#own);
    const across = joined.find(({ start, end }) => start < seam && end > seam);
    if (!across || isPersonal(across.rule)) return [];
    const end = across.end - seam;
    // A secret that is complete at the end of the text before may just be followed by a word.
    const isWhole = findSecrets(`${before} ;`, this.#own).some(({ start }) => start === across.start);
    if (isWhole && !/\d|[a-z][A-Z]/.test(text.slice(0, end))) return [];
    this.#nameOf(before.slice(across.start), across.rule);
    return [{ ...across, start: 0, end, value: text.slice(0, end) }];
  }

  /**
   * A line of a log with placeholders in its strings; everything else, and a line without secrets, stays byte for byte.
   */
  redactLine(line: string, isSettings = false): string {
    const env = this.#settings.learn(line) || isSettings;
    const inLists = keysInLists(line);
    const tell = teller();
    const parts: string[] = [];
    let copied = 0;
    const isWhole = eachString(line, (string) => {
      if (isSignature(string)) return;
      const { start, end } = string;
      const text = decodeString(line.slice(start, end));
      const redacted = this.#redacted(text, tell(string, text), env, inLists.get(start));
      if (redacted === text) return;
      parts.push(line.slice(copied, start), JSON.stringify(redacted).slice(1, -1));
      copied = end;
    });
    const redacted = copied === 0 ? line : parts.join("") + line.slice(copied);
    return isWhole ? redacted : this.redactText(redacted, isSettings);
  }

  /**
   * A text with placeholders.
   * @param isSettings it is the text of a settings file
   */
  redactText(text: string, isSettings = false): string {
    return this.#redacted(text, "", isSettings);
  }

  #redacted(text: string, key: string, env: boolean, ofLists: readonly FoundSecret[] = []): string {
    const found = [...this.#find(text, key, env), ...ofLists, ...this.#findKnown(text)].sort(
      (a, b) => a.start - b.start || b.end - a.end,
    );
    if (found.length === 0) return text;
    const parts: string[] = [];
    let copied = 0;
    for (const { rule, start, end, value } of found) {
      if (end <= copied) continue;
      const name = this.#nameOf(value, rule);
      if (this.#kept.has(name) || this.#kept.has(rule)) continue;
      if (start >= copied) parts.push(text.slice(copied, start), `[${name}]`);
      copied = end;
    }
    return parts.join("") + text.slice(copied);
  }

  #find(text: string, key: string, env: boolean): readonly FoundSecret[] {
    const found = text.length > MAX_SHORT ? findSecrets(text, this.#own) : this.#findShort(text);
    const told =
      TELLING.test(key) && found.every(({ rule }) => isPersonal(rule))
        ? merged(findBehind(key, text, this.#own), found)
        : found;
    return env ? merged(told, envValues(text)) : told;
  }

  #findShort(text: string): readonly FoundSecret[] {
    const known = this.#short.get(text);
    if (known) return known;
    if (this.#short.size === MAX_SHORTS) this.#short.clear();
    const found = findSecrets(text, this.#own);
    this.#short.set(text, found);
    return found;
  }

  #findKnown(text: string): FoundSecret[] {
    if (this.#names.size === 0) return [];
    this.#known ??= new KnownSecrets(
      Array.from(this.#names, ([value, { rule }]) => ({
        value,
        rule: this.#passwords.has(value) ? "password" : rule,
      })).filter(({ value, rule }) => rule !== "user" || this.#owners.has(value)),
    );
    return this.#known.findIn(text);
  }

  #nameOf(value: string, rule: string): string {
    const known = this.#names.get(value);
    if (known) {
      const isWord = known.rule === "user" || !isKnownAnywhere({ value, rule: known.rule });
      if (isWord && rule !== "user" && !this.#passwords.has(value) && isKnownAnywhere({ value, rule })) {
        this.#passwords.add(value);
        this.#known = null;
      }
      return `${known.rule} ${known.number}`;
    }
    const parts = partsOf(value, rule);
    const number = this.#numberOf(parts, rule);
    for (const part of [value, ...parts]) if (!this.#names.has(part)) this.#names.set(part, { rule, number });
    this.#known = null;
    return `${rule} ${number}`;
  }

  /**
   * A private key that is cut, or in a diff, is the same key. Its first line may be that of many: it depends on the
   * key's type.
   */
  #numberOf(parts: readonly string[], rule: string): number {
    const same = parts.slice(1).map((part) => this.#names.get(part));
    const known = same.find((other) => rule === "private-key" && other?.rule === rule)?.number;
    if (known !== undefined) return known;
    const number = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, number);
    return number;
  }
}

/**
 * The parts of a secret by which it is recognized alone: a line of a key; a password up to the sign in it that may end
 * it.
 */
function partsOf(value: string, rule: string): string[] {
  if (rule === "private-key") return keyLines(value);
  if (rule !== "password" || /\s/.test(value)) return [];
  const head = headOf(value);
  return head !== value && looksLikePassword(head) ? [head] : [];
}

/**
 * The signature of a block of thinking is never altered, since the API checks it. It is random and contains nothing.
 */
export function isSignature({ key, type, isKey }: Readonly<JsonString>): boolean {
  return key === "signature" && type === "thinking" && !isKey;
}

/**
 * Names that describe a string of a line, one after another: the name of its field, the name in its object beside a
 * `value`, or the option before it in a list of arguments.
 */
function teller(): (string: Readonly<JsonString>, text: string) => string {
  let before = { list: 0, option: "" };
  return ({ key, name, isKey, list }, text) => {
    const option = list > 0 && list === before.list ? before.option : "";
    before = { list, option: OPTION.exec(text)?.[1] ?? "" };
    if (isKey) return "";
    if (option !== "") return option;
    if (key !== "value" || name === "") return key;
    // A cookie that keeps somebody logged in is a token, whatever it is called.
    return SESSION_COOKIE.test(name) ? "session_token" : name;
  };
}

/** The secrets in a text that follow from its field's name. */
function findBehind(key: string, text: string, own: readonly RE2JS[]): FoundSecret[] {
  const lead = `${SHORT_PASSWORD.test(key) ? "password" : key}: "`;
  // Quotes in the text itself end no value: where it ends is known.
  return findSecrets(`${lead}${text.replace(/["\\]/g, "_")}"`, own)
    .map((one) => ({ ...one, start: one.start - lead.length, end: one.end - lead.length }))
    .filter(({ start, end }) => start >= 0 && end <= text.length)
    .map((one) => ({ ...one, value: text.slice(one.start, one.end) }));
}

/** Whether a token, or a private key, may have been cut between two texts. */
function mayGoOn(before: string, text: string): boolean {
  return before.includes("PRIVATE KEY") || (WORD_END.test(before) && WORD_START.test(text));
}

/** Two lists merged in the order of the text, without those of the second that overlap one of the first. */
function merged(found: readonly FoundSecret[], others: readonly FoundSecret[]): FoundSecret[] {
  let next = 0;
  const free = others.filter(({ start, end }) => {
    while ((found[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (found[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
  return [...found, ...free].sort((a, b) => a.start - b.start);
}

/** Enough for its owner to recognize it. */
function previewOf(value: string): string {
  const shown = value.length < 12 ? 0 : Math.min(4, Math.floor(value.length / 6));
  return `${value.slice(0, shown)}… (${value.length} characters)`;
}
