/** A password with signs of code in it is no longer; what is, is minified code. */
const MAX_WITH_SIGNS = 200;
export const MAX_WORD = 8192;
/** A zero ends a value too: so the environment of a process is written in `/proc`. */
const WORD = /[^\s\0"'`,;&<>(){}[\]\\|]*/y;
/**
 * A backslash that is none of the value's: a written escape, like that of the quote behind it in JSON, or one before the
 * end of a line. As many as JSON inside of JSON writes.
 */
const ESCAPE = /\\{1,16}(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|(?:e|033)\[|[nrt"'`]|\s|$)/y;
const CLOSED_BY: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };
/** What ends a value wherever it stands: the next one with its name, an operator, a tag. Sticky, and no longer than a name. */
const NEXT = /[,;][A-Za-z_$][\w$.-]{0,60}[:=]|&[\w.%[\]-]{1,60}=|&&|\|\||=>|<[/!]|<[A-Za-z][\w-]{0,30}\/?>/y;
const OPEN_TAG = /<[A-Za-z][\w-]*$/;
const TYPES = /^(?:string|str|bytes|number|Buffer|null|None|nil|undefined)$/;

/** What stands before a value: a query of a URL, where `&` begins the next; a setting, as shells and `.env` files have it. */
export type BareContext = "query" | "setting" | "other";

/**
 * Where a value ends that stands without quotes behind a name, like a password: up to a blank, signs of code included,
 * unless it is an expression, of which only the first word may be one.
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
    // What closes something that was opened before the value.
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

/** Without the signs that it ends in, which separate it from what follows. */
function withoutEnd(run: string, isLine: boolean): string {
  const whole = isLine ? run : run.replace(OPEN_TAG, "");
  let end = whole.length;
  while (end > 0 && /[,;&|<>({[]/.test(whole[end - 1] as string)) end -= 1;
  return whole.slice(0, end);
}

/** A call, a list, an index, a type: whatever is opened is closed, and behind that goes on as code does. */
function isExpression(run: string): boolean {
  // Neither digit nor sign as passwords have them.
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
