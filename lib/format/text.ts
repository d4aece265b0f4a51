/**
 * The first `length` UTF-16 units of a text, one less where that would halve a character: half of one is drawn as `�`,
 * and what reads JSON strictly refuses it.
 */
export function textStart(text: string, length: number): string {
  const last = length < text.length ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/**
 * A text of a log as a part of an address. For half a character, which JSON may hold and an address cannot, stands `�`:
 * `encodeURIComponent` throws, and a page that draws a link to it with that.
 */
export function inAddress(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, "\ufffd"));
}

/** The beginning of a text on one line, with `…` where it was longer. */
export function firstWords(text: string, limit: number): string {
  const line = textStart(text, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit ? `${textStart(line, limit - 1).trimEnd()}…` : line;
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * At most `length` UTF-16 units, with an ellipsis where text was cut. Lone surrogates, which occur in logs, become
 * U+FFFD: they cannot be put into a URL.
 */
export function clip(text: string, length: number): string {
  const kept = text.length <= length ? text : `${textStart(text, Math.max(0, length - 1))}…`;
  return kept.replace(LONE_SURROGATE, "\ufffd");
}

/** The lines of a text, none for an empty text; a newline at its end begins no further line. */
export function textLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A part of a prompt: typed, or pasted from the clipboard. */
export type PromptPart = { pasted: boolean; text: string };

const OPEN = /<pasted_content( id="[\w-]{1,40}")?>\n?/g;
const CLOSE = /\n?<\/pasted_content( id="[\w-]{1,40}")?>/g;

/**
 * Splits a prompt at the tags that 2.1.330 puts around long pastes (`<pasted_content id="e6f3">`, with the id in the
 * closing tag too, because the pasted text may contain such tags itself). One that is not closed, as in a text that was
 * cut, extends to the end. Blank parts are left out.
 */
export function splitPastes(prompt: string): PromptPart[] {
  const parts: PromptPart[] = [];
  const add = (pasted: boolean, text: string) => {
    if (text.trim() !== "") parts.push({ pasted, text });
  };
  let at = 0;
  for (const open of prompt.includes("<pasted_content") ? prompt.matchAll(OPEN) : []) {
    // A tag inside a pasted part.
    if (open.index < at) continue;
    add(false, prompt.slice(at, open.index));
    CLOSE.lastIndex = open.index + open[0].length;
    let close = CLOSE.exec(prompt);
    while (close && close[1] !== open[1]) close = CLOSE.exec(prompt);
    add(true, prompt.slice(open.index + open[0].length, close?.index));
    at = close ? close.index + close[0].length : prompt.length;
  }
  add(false, prompt.slice(at));
  return parts;
}

/** The title of a prompt: its typed part, or the pasted text if nothing was typed. */
export function titleOfPrompt(prompt: string): string {
  const parts = splitPastes(prompt);
  const typed = parts.filter(({ pasted }) => !pasted);
  return (typed.length > 0 ? typed : parts).map(({ text }) => text.trim()).join("\n");
}

/** Orders versions as they were released, `2.1.42` before `2.1.330`; an empty one comes first. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** The last part of a path and its parent folder, for `courier ~/src`. Both kinds of slash. */
export function splitPath(path: string): { name: string; folder: string } {
  const trimmed = path.replace(/[\\/]+$/, "");
  const cut = Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("\\"));
  if (cut < 0) return { name: trimmed || path, folder: "" };
  return { name: trimmed.slice(cut + 1), folder: trimmed.slice(0, cut) || trimmed.slice(0, 1) };
}

/**
 * A path with the home folder as `~`, where it is recognizable from the path alone: `/home/x`, `/Users/x`,
 * `/root`, `C:\Users\x`, `C:/Users/x`.
 */
export function shortenHome(path: string): string {
  return path.replace(
    /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[\\/][Uu]sers[\\/][^\\/]+)(?=$|[\\/])/,
    "~",
  );
}

/** True for a path that begins with a drive or a network share, as Windows paths do. */
export function isOfWindows(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/**
 * A path in the form in which paths are compared, at the same length. On Windows `C:\shop\a.ts` is also `C:/shop/a.ts`,
 * as models write it, and `c:\shop\a.ts` where an editor's terminal started the client. Paths of other systems stay as
 * they are.
 */
export function comparablePath(path: string): string {
  if (!isOfWindows(path)) return path;
  return path.replaceAll("\\", "/").replace(/^[a-z]/, (drive) => drive.toUpperCase());
}

/** True for an absolute path, of any system. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || isOfWindows(path);
}

/** The part of a path below a folder; `null` for a path outside of it. */
export function pathBelow(folder: string, path: string): string | null {
  const root = comparablePath(folder).replace(/\/+$/, "");
  const isBelow = root !== "" && comparablePath(path).startsWith(`${root}/`);
  return isBelow ? path.slice(root.length + 1) || null : null;
}

/** The names of projects in a list, by their ids: with the parent folder where another project has the same name. */
export function projectNames(projects: readonly { id: string; path: string }[]): Map<string, string> {
  const times = new Map<string, number>();
  const parts = projects.map(({ id, path }) => ({ id, ...splitPath(shortenHome(path)) }));
  for (const { name } of parts) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    parts.map(({ id, name, folder }) => [id, times.get(name) === 1 ? name : `${name} in ${folder}`]),
  );
}

/** C0 and C1 except tab and line feed: a terminal executes them, and a page shows nothing for them. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** DEL and C1: JSON may contain them unescaped, and a terminal executes them. */
const CONTROLS_IN_JSON = /[\u007f-\u009f]/g;

/** Replaces control characters by their Unicode symbols; C1 characters, which have none, by their number. */
export function spellControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : `\\x${code.toString(16)}`;
  });
}

/** `JSON.stringify`, with all control characters escaped. `undefined` is no JSON and becomes `null`. */
export function toPrintableJson(value: unknown, space?: number): string {
  return (JSON.stringify(value, null, space) ?? "null").replace(
    CONTROLS_IN_JSON,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
