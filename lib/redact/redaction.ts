import type { RE2JS } from "re2js";
import { envValues, namesEnvFile } from "./env-lines";
import { type FoundSecret, findSecrets } from "./find-secrets";
import { decodeString, eachString } from "./json-strings";
import { KnownSecrets } from "./known-secrets";
import { cookieValues } from "./looks";
import { isPersonal } from "./rules";

/** A secret in a field of a line of a log. */
export type Finding = {
  rule: string;
  /** What stands for it, like `github-token 1`: the same for the same secret. */
  name: string;
  /** The address of the field in the record. */
  field: string;
  /** The line in the field's text, from 1. */
  line: number;
  /** Its first characters, and how long it is. */
  preview: string;
};

/** What a redaction has learned of a session, so that another thread can go on with it. */
export type Learned = { secrets: [value: string, rule: string, number: number][]; envCalls: string[] };

/** Fields whose name says that their value is a secret: the two are looked at together. */
const TELLING = /pass|pwd|secret|token|api_?key|access_?key|private_?key|auth|cookie|credential/i;
/** Never altered: the API checks them. They are random and say nothing. */
const SIGNATURE = "signature";
/** Of two texts that follow each other, so much is looked at together: a secret may have been cut by the blocks' edge. */
const SEAM = 8192;
/** Blanks, quotes and brackets end a token. */
const WORD_END = /[^\s"'`<>()[\]{}|,;]{4}$/;
const WORD_START = /^[^\s"'`<>()[\]{}|,;]{4}/;
const TEXT_FIELD = /(?:^|\.)(?:text|content|thinking|stdout|output|delta)$|\[\d+\]$/;
/** Fields of a result, or of a file that a prompt mentions, that say which file its text is of. */
const FILE_NAME = /^(?:filePath|file_path|filename)$/;
const TOOL_USE_ID = /"tool_use_id"\s*:\s*"([^"]{1,200})"/g;

/**
 * Replaces secrets by placeholders, the same for the same secret throughout a session. `learn` is given all lines of
 * the session first: what is known as a secret in one place is then replaced everywhere.
 */
export class Redaction {
  readonly #own: readonly RE2JS[];
  readonly #kept: ReadonlySet<string>;
  readonly #names = new Map<string, { rule: string; number: number }>();
  readonly #counts = new Map<string, number>();
  readonly #envCalls = new Set<string>();
  #known: KnownSecrets | null = null;
  #before = "";

  /**
   * @param own the user's own patterns
   * @param kept names of secrets (`email 2`) that are left as they are
   */
  constructor(own: readonly RE2JS[] = [], kept: Iterable<string> = [], learned?: Learned) {
    this.#own = own;
    this.#kept = new Set(kept);
    for (const [value, rule, number] of learned?.secrets ?? []) this.#names.set(value, { rule, number });
    for (const { rule, number } of this.#names.values())
      this.#counts.set(rule, Math.max(number, this.#counts.get(rule) ?? 0));
    for (const call of learned?.envCalls ?? []) this.#envCalls.add(call);
  }

  get learned(): Learned {
    return {
      secrets: [...this.#names].map(([value, { rule, number }]) => [value, rule, number]),
      envCalls: [...this.#envCalls],
    };
  }

  /** The next line is the first of another log: nothing goes on from the line before. */
  beginLog(): void {
    this.#before = "";
  }

  /** Reads a line of a log, as text without its newline, and reports what is secret in it. */
  learn(line: string, report: (finding: Finding) => void): void {
    const env = this.#learnEnv(line);
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
    const isWhole = eachString(line, (string) => {
      if (string.key === SIGNATURE) return;
      const text = decodeString(line.slice(string.start, string.end));
      const found = this.#find(text, string.isKey ? "" : string.key, env);
      const field = found.length > 0 || TEXT_FIELD.test(string.key) ? string.field() : "";
      note(text, field, found);
      if (!string.isKey && TEXT_FIELD.test(string.key)) note(text, field, this.#acrossSeam(text));
    });
    if (!isWhole) note(line, "", this.#find(line, "", env));
  }

  /** A secret that begins at the end of the text before this one: both parts are known from then on. */
  #acrossSeam(text: string): FoundSecret[] {
    const before = this.#before;
    this.#before = text.slice(-SEAM);
    if (!mayGoOn(before, text)) return [];
    const seam = before.length;
    const joined = findSecrets(before + text.slice(0, SEAM), this.#own);
    const across = joined.find(({ start, end }) => start < seam && end > seam);
    if (!across || isPersonal(across.rule)) return [];
    const end = across.end - seam;
    // One that is whole at the end of the text before may just be followed by a word.
    const isWhole = findSecrets(`${before} ;`, this.#own).some(({ start }) => start === across.start);
    if (isWhole && !/\d|[a-z][A-Z]/.test(text.slice(0, end))) return [];
    this.#nameOf(before.slice(across.start), across.rule);
    return [{ ...across, start: 0, end, value: text.slice(0, end) }];
  }

  /** A line of a log with placeholders in its strings; all else, and a line without secrets, stays byte for byte. */
  redactLine(line: string): string {
    const env = this.#learnEnv(line);
    const parts: string[] = [];
    let copied = 0;
    const isWhole = eachString(line, ({ start, end, key, isKey }) => {
      if (key === SIGNATURE) return;
      const text = decodeString(line.slice(start, end));
      const redacted = this.#redacted(text, isKey ? "" : key, env);
      if (redacted === text) return;
      parts.push(line.slice(copied, start), JSON.stringify(redacted).slice(1, -1));
      copied = end;
    });
    const redacted = copied === 0 ? line : parts.join("") + line.slice(copied);
    return isWhole ? redacted : this.redactText(redacted);
  }

  /** A text with placeholders. */
  redactText(text: string): string {
    return this.#redacted(text, "", false);
  }

  #redacted(text: string, key: string, env: boolean): string {
    const found = [...this.#find(text, key, env), ...this.#findKnown(text)].sort(
      (a, b) => a.start - b.start || b.end - a.end,
    );
    if (found.length === 0) return text;
    const parts: string[] = [];
    let copied = 0;
    for (const { rule, start, end, value } of found) {
      if (end <= copied) continue;
      const name = this.#nameOf(value, rule);
      if (this.#kept.has(name)) continue;
      if (start >= copied) parts.push(text.slice(copied, start), `[${name}]`);
      copied = end;
    }
    return parts.join("") + text.slice(copied);
  }

  #find(text: string, key: string, env: boolean): FoundSecret[] {
    const found = findSecrets(text, this.#own);
    if (TELLING.test(key) && found.length === 0) found.push(...findBehind(key, text, this.#own));
    return env ? merged(found, envValues(text)) : found;
  }

  #findKnown(text: string): FoundSecret[] {
    if (this.#names.size === 0) return [];
    this.#known ??= new KnownSecrets(Array.from(this.#names, ([value, { rule }]) => ({ value, rule })));
    return this.#known.findIn(text);
  }

  #nameOf(value: string, rule: string): string {
    const known = this.#names.get(value);
    if (known) return `${known.rule} ${known.number}`;
    const number = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, number);
    this.#names.set(value, { rule, number });
    this.#known = null;
    return `${rule} ${number}`;
  }

  /** Whether a line holds what was read from a file of settings, or is written to one; notes the calls that read one. */
  #learnEnv(line: string): boolean {
    for (const [, id = ""] of this.#envCalls.size > 0 ? line.matchAll(TOOL_USE_ID) : [])
      if (this.#envCalls.has(id)) return true;
    if (!line.includes(".env")) return false;
    const idOf = new Map<string, string>();
    const reading: string[] = [];
    let isNamed = false;
    eachString(line, (string) => {
      const text = decodeString(line.slice(string.start, string.end));
      if (string.key === "id" && !string.isKey) idOf.set(string.field().slice(0, -".id".length), text);
      if (!namesEnvFile(text)) return;
      const call = /^(.*)\.input\./.exec(string.field())?.[1];
      if (call !== undefined) reading.push(call);
      if (FILE_NAME.test(string.key)) isNamed = true;
    });
    for (const call of reading) this.#envCalls.add(idOf.get(call) ?? "");
    return isNamed || reading.length > 0;
  }
}

/** What the name of its field makes a secret of. */
function findBehind(key: string, text: string, own: readonly RE2JS[]): FoundSecret[] {
  const lead = `${key}: "`;
  return findSecrets(`${lead}${text}"`, own)
    .filter(({ start, end }) => start >= lead.length && end <= lead.length + text.length)
    .map((one) => ({ ...one, start: one.start - lead.length, end: one.end - lead.length }));
}

/** Whether a token, or a private key, may have been cut between two texts. */
function mayGoOn(before: string, text: string): boolean {
  return before.includes("PRIVATE KEY") || (WORD_END.test(before) && WORD_START.test(text));
}

/** Two lists in the order of their texts as one, without those of the second that meet one of the first. */
function merged(found: FoundSecret[], others: readonly FoundSecret[]): FoundSecret[] {
  let next = 0;
  const free = others.filter(({ start, end }) => {
    while ((found[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (found[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
  return [...found, ...free].sort((a, b) => a.start - b.start);
}

/** Enough to recognise it by for who has it. */
function previewOf(value: string): string {
  const shown = value.length < 12 ? 0 : Math.min(4, Math.floor(value.length / 6));
  return `${value.slice(0, shown)}… (${value.length} characters)`;
}
