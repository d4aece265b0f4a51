import { isSettingsWord, looksLikePassword } from "./looks";
import { plainView } from "./plain-view";
import { anyOf, type FoundSecret } from "./rule";
import { isPersonal } from "./rules";

type Known = { value: string; rule: string };

/** A secret known from elsewhere is found anywhere, unless it is so short that it may be something else. */
const MIN_KNOWN = 8;
const MIN_USER = 3;
/** A secret of which a text's `…` has left so much is known by it, where that begins a word. */
const MIN_LEFT = 4;
/** How many beginnings of secrets are searched in one pass. */
const AT_ONCE = 500;
const MAX_TITLE = 400;
const IN_WORD = /[\p{L}\p{N}]/u;
/**
 * Kinds that are identified by their position, and so may be a word: every value of a secret manifest is one, and a
 * program's database often has the program's name as its password.
 */
const BY_PLACE: ReadonlySet<string> = new Set(["password", "url-password", "assigned-secret"]);

/** Finds secrets that are known from other texts, where nothing else distinguishes them from words. */
export class KnownSecrets {
  /** By their first characters, the longest first. */
  readonly #byStart = new Map<string, Known[]>();
  readonly #starts: RegExp[];
  /** By each of their beginnings that are too short to be searched anywhere. */
  readonly #byBeginning = new Map<string, Known>();

  constructor(secrets: readonly Known[]) {
    for (const one of secrets.filter(isNoWord))
      for (let length = MIN_LEFT; length < MIN_KNOWN; length++)
        this.#byBeginning.set(one.value.slice(0, length), one);
    const known = secrets.filter(isKnownAnywhere).sort((a, b) => b.value.length - a.value.length);
    for (const one of known) {
      const start = one.value.slice(0, MIN_KNOWN);
      this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), one]);
    }
    const starts = [...this.#byStart.keys()].sort((a, b) => b.length - a.length);
    this.#starts = Array.from({ length: Math.ceil(starts.length / AT_ONCE) }, (_, at) =>
      anyOf(starts.slice(at * AT_ONCE, (at + 1) * AT_ONCE)),
    );
  }

  /** Those in a text, also as escapes and terminal sequences write them. They may overlap. */
  findIn(text: string): FoundSecret[] {
    const found = this.#findPlain(text);
    const view = plainView(text);
    if (!view) return found;
    for (const one of this.#findPlain(view.text))
      found.push({ ...one, start: view.at(one.start), end: view.end(one.end - 1) });
    return found;
  }

  #findPlain(text: string): FoundSecret[] {
    const found = this.#findCut(text);
    for (const pattern of this.#starts) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        const { 0: begin, index: start } = match;
        const known = this.#byStart.get(begin)?.find((one) => standsAt(text, start, one));
        if (known) found.push({ ...known, start, end: start + known.value.length });
        pattern.lastIndex = known ? start + known.value.length : start + 1;
      }
    }
    return found;
  }

  /** A secret that the end of a short text has cut, as titles do. */
  #findCut(text: string): FoundSecret[] {
    const end = text.endsWith("…") ? text.length - 1 : text.length;
    if (end > MAX_TITLE && end === text.length) return [];
    for (let start = Math.max(0, end - MAX_TITLE); start <= end - MIN_KNOWN; start++) {
      const begun = this.#byStart.get(text.slice(start, start + MIN_KNOWN));
      const rest = begun && text.slice(start, end);
      const known = begun?.find(({ value, rule }) => rule !== "user" && value.startsWith(rest ?? value));
      if (known) return [{ ...known, start, end }];
    }
    return end === text.length ? [] : this.#findShortCut(text, end);
  }

  /** The first few characters of a secret before the `…` at `end`. */
  #findShortCut(text: string, end: number): FoundSecret[] {
    for (let start = Math.max(0, end - MIN_KNOWN + 1); start <= end - MIN_LEFT; start++) {
      const known = IN_WORD.test(text[start - 1] ?? "")
        ? undefined
        : this.#byBeginning.get(text.slice(start, end));
      if (known) return [{ ...known, start, end }];
    }
    return [];
  }
}

/** Whether a few characters of it are told from a word that is cut: it is no name of a person, and no word itself. */
function isNoWord({ value, rule }: Known): boolean {
  return !isPersonal(rule) && looksLikePassword(value);
}

/** Whether a secret of this kind is found wherever it stands. */
export function isKnownAnywhere({ value, rule }: Known): boolean {
  if (rule === "user") return value.length >= MIN_USER;
  // A value that was given as a secret may be a word, which means something else elsewhere.
  if (rule === "env-value" || rule === "option-secret")
    return value.length >= MIN_KNOWN && looksLikePassword(value);
  return value.length >= MIN_KNOWN && !(BY_PLACE.has(rule) && isSettingsWord(value));
}

/** A name is a word of its own: `ana` is not in `banana`. */
function standsAt(text: string, at: number, { value, rule }: Known): boolean {
  if (!text.startsWith(value, at)) return false;
  return (
    rule !== "user" || !(IN_WORD.test(text[at - 1] ?? "") || IN_WORD.test(text[at + value.length] ?? ""))
  );
}
