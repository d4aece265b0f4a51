/** A password that contains signs of code is at most this long; anything longer is minified code. */
const MAX_WITH_SIGNS = 200;
export const MAX_WORD = 8192;
/** What ends a word, as the inside of a class of a regular expression. A NUL too: so `/proc` writes an environment. */
export const NO_WORD = "\\s\\0\"'`,;&<>(){}[\\]\\\\|";
const WORD = new RegExp(`[^${NO_WORD}]*`, "y");
/**
 * A backslash that is not part of the value: a written escape, such as that of the quote after it in JSON, or one at
 * the end of a line. As many as nested JSON writes.
 */
const ESCAPE = /\\{1,16}(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|(?:e|033)\[|[nrt"'`]|\s|$)/y;
const CLOSED_BY: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };
/** What ends any value: the next one with its name, an operator, a tag. Sticky, and no longer than a name. */
const NEXT = /[,;][A-Za-z_$][\w$.-]{0,60}[:=]|&[\w.%[\]-]{1,60}=|&&|\|\||=>|<[/!]|<[A-Za-z][\w-]{0,30}\/?>/y;
const OPEN_TAG = /<[A-Za-z][\w-]*$/;
const TYPES = /^(?:string|str|bytes|number|Buffer|null|None|nil|undefined)$/;

/**
 * The context of a value: a query of a URL, where `&` begins the next one; a setting, as shells and `.env` files write
 * it.
 */
export type BareContext = "query" | "setting" | "other";

/**
 * Where a value without quotes ends that follows a name, such as a password: at a blank, signs of code included, unless
 * it is an expression, of which only the first word may be a value.
 */
export function endOfBareValue(text: string, start: number, context: BareContext): number {
  const word = start + headOf(text.slice(start, start + MAX_WORD)).length;
  if (word - start > MAX_WITH_SIGNS || !/[,;&<>(){}[\]|\\]/.test(text[word] ?? "")) return word;
  const open: string[] = [];
  const limit = Math.min(text.length, start + MAX_WITH_SIGNS);
  let at = start;
  for (; at < limit; at++) {
    const char = text[at] as string;
    if (/[\s\0"'`]/.test(char) || (context === "query" && char === "&")) break;
    if (char === "\\") {
      ESCAPE.lastIndex = at;
      if (ESCAPE.test(text)) break;
    }
    if (/[,;&|=<]/.test(char)) {
      NEXT.lastIndex = at;
      if (NEXT.test(text)) break;
    }
    if (char in CLOSED_BY) open.push(CLOSED_BY[char] as string);
    else if (open.at(-1) === char) open.pop();
    // A bracket that closes one from before the value.
    else if (/[)}\]]/.test(char) && !/[\w!#%^~?*+=-]/.test(text[at + 1] ?? "")) break;
  }
  if (at === start + MAX_WITH_SIGNS) return word;
  const isLine = at === text.length || /[\r\n\0]/.test(text[at] as string);
  const run = withoutEnd(text.slice(start, at), isLine);
  const isCut = open.length > 0 && (!isLine || /[,;:=&|<>({[+?]/.test(text[at - 1] ?? ""));
  const isCode = isCut || (context !== "setting" && isExpression(run));
  return isCode || start + run.length < word ? word : start + run.length;
}

/** A value up to its first sign of code. */
export function headOf(value: string): string {
  WORD.lastIndex = 0;
  return WORD.exec(value)?.[0] ?? "";
}

/** The value without signs at its end, which separate it from what follows. */
function withoutEnd(run: string, isLine: boolean): string {
  const whole = isLine ? run : run.replace(OPEN_TAG, "");
  let end = whole.length;
  while (end > 0 && /[,;&|<>({[]/.test(whole[end - 1] as string)) end -= 1;
  return whole.slice(0, end);
}

/** A call, a list, an index, a type: every bracket that is opened is closed, and the rest continues like code. */
function isExpression(run: string): boolean {
  // No digit and no sign such as passwords have.
  if (!/[\d!#%^~?*]/.test(run)) return true;
  if (run.includes("|") && run.split(/[|=]/).some((part) => TYPES.test(part))) return true;
  const open: string[] = [];
  let isBracketed = false;
  for (let at = 0; at < run.length; at++) {
    const char = run[at] as string;
    if (char in CLOSED_BY) {
      isBracketed = true;
      open.push(CLOSED_BY[char] as string);
    } else if (/[)}\]]/.test(char) && (open.pop() !== char || /[\w!#%^~*@]/.test(run[at + 1] ?? "")))
      return false;
  }
  return isBracketed && open.length === 0;
}
