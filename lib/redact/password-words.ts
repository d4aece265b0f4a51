import { MAX_WORD, NO_WORD } from "./bare-values";
import { looksLikePassword } from "./looks";
import { isTold, toldEnd } from "./password-rules";
import { ANYWHERE, bareEnd, MAX_TRIED, type Rule, rule } from "./rule";

/** A word of its own, or a part of a name in code. */
const ALONE = /(?<!\p{L})$/u;

/**
 * What a password is called in other languages than English. `keywords`: letters of the word, which are tried on each
 * text; `left`: what must precede them; `word`: all of it from there on, in RE2's syntax, with marks beside or inside
 * of its letters.
 */
const WORDS: readonly { keywords: string; left: RegExp; word: string }[] = [
  // Names of several words are written in one: `Datenbankpasswort`.
  { keywords: "asswort ASSWORT ennwort ENNWORT", left: ANYWHERE, word: "(?i:(?:ass|enn)wort)" },
  { keywords: "achtwoord ACHTWOORD", left: ANYWHERE, word: "(?i:achtwoord)" },
  { keywords: "senord SENORD", left: /l(?:ö|o\u0308|o)$/i, word: "(?i:senord)" },
  { keywords: "dgangskode DGANGSKODE", left: ANYWHERE, word: "(?i:dgangskode)" },
  { keywords: "assord ASSORD", left: /(?<!\p{L})p$/iu, word: "(?i:assord)" },
  { keywords: "alasana ALASANA", left: ANYWHERE, word: "(?i:alasana)" },
  { keywords: "passe Passe PASSE", left: /(?:mots?[ _-]?de[ _-]?|palavras?[ _-])$/i, word: "(?i:passe)" },
  { keywords: "ontrase ONTRASE", left: ANYWHERE, word: "(?i:ontrase)(?:[ñÑ]|[nN]\u0303?)[aA]" },
  { keywords: "clave Clave CLAVE senha Senha SENHA", left: ALONE, word: "(?i:clave|senha)" },
  { keywords: "arola AROLA", left: /(?<!\p{L})p$/iu, word: "(?i:arola)(?: ?d['’]ordine)?" },
  { keywords: "hasł Hasł HASŁ hasl Hasl HASL", left: ALONE, word: "(?i:has)(?:ł|Ł|l|L)(?i:o)" },
  { keywords: "heslo Heslo HESLO lozinka Lozinka LOZINKA", left: ALONE, word: "(?i:heslo|lozinka)" },
  { keywords: "ароль АРОЛЬ аролю ароля", left: ANYWHERE, word: "(?i:арол[ья])" },
  { keywords: "elsz ELSZ", left: /(?<!\p{L})j$/iu, word: "(?i:elsz)(?:ó|Ó|[oO]\u0301)" },
  { keywords: "ifre IFRE", left: /(?<!\p{L})(?:ş|s\u0327|s)$/iu, word: "(?i:ifre)" },
  {
    keywords: "khẩ Khẩ KHẨ khâ khẩ",
    left: /m(?:ậ|a\u0323\u0302|â\u0323)t $/i,
    word: "(?i:kh)(?:ẩ|Ẩ|[aA]\u0302\u0309|â\u0309)(?i:u)",
  },
  { keywords: "sandi Sandi SANDI", left: /(?<!\p{L})kata[ _]?$/iu, word: "(?i:sandi)" },
  { keywords: "ωδικ", left: ANYWHERE, word: "ωδικ(?:ό|ο\u0301)ς" },
  { keywords: "סיסמה סיסמא المرور पासवर्ड", left: ANYWHERE, word: "(?:סיסמה|סיסמא|المرور|पासवर्ड)" },
  { keywords: "密码 密碼 口令", left: ANYWHERE, word: "(?:密码|密碼|口令)" },
  {
    keywords: "パスワード \u30cf\u309aスワード 비밀번호 암호",
    left: ANYWHERE,
    word: "(?:パスワード|\u30cf\u309aスワード|비밀번호|암호)",
  },
];

/** What may follow the word in its name: an ending, a number, another part. */
const REST = "[\\p{L}\\d]{0,3}(?:[_-][\\w-]{0,20})?";
/** Whose it is: one or two words behind a preposition. */
const OF =
  "(?:\\s{1,2}(?i:für|fuer|for|pour|para|de|del|da|do|di|per|voor|för|til|till|для|от|к|pro|dla)\\s{1,2}[^\\s:=：]{1,30}(?:\\s{1,2}[^\\s:=：]{1,30})?)?";
const IS =
  "(?:\\s{1,2}(?i:lautet|ist|war|wäre|is|est|es|era|é|è|är|er|on|jest|je|to|это|este|adalah|là|είναι)(?:\\s{0,1}:)?\\s{1,2}|\\s?(?:是|为|為|は|은|는)\\s{0,2}[:：]?\\s{0,2}|[\"'`*]{0,3}\\s{0,3}(?::|：|–|—| -)[*]{0,2}\\s{1,3}|[\"'`*]{0,3}\\s{0,3}(?::|：)[*]{0,2})";
const ASSIGNED = "[\"'`]?\\]?[ \\t]{0,40}(?:=>|:=|=|:)[ \\t]{0,40}";
const WORD_IN_QUOTES = `(?:"([^"\\s]{6,})"|'([^'\\s]{6,})'|\`([^\`\\s]{6,})\`)`;
/** Of these the closing one is another: it is searched (`endInPair`), since the next opening one would not end a match. */
const WORD_IN_PAIR = "(?:„|«\\s?)([^\\s“»])";
const MIN_QUOTED = 6;
/** The beginning of a value without any language's quotes. */
const BARE = `([^\\s"'\`\\\\„“”«»])`;
const isPassword = (value: string) => value.length >= 6 && looksLikePassword(value);

/** Passwords behind the word for one in other languages, in forms, settings and sentences. */
export const PASSWORD_WORD_RULES: readonly Rule[] = WORDS.flatMap(({ keywords, left, word }) => [
  rule("password", "password", keywords, `${word}${REST}(?:${ASSIGNED}|${OF}${IS})${WORD_IN_QUOTES}`, {
    left,
    check: isPassword,
  }),
  rule("password", "password", keywords, `${word}${REST}(?:${ASSIGNED}|${OF}${IS})${WORD_IN_PAIR}`, {
    left,
    endOf: endInPair,
    check: isPassword,
  }),
  rule(
    "password",
    "password",
    keywords,
    `${word}${REST}(?:\\[|["']\\])?[ \\t]{0,40}(?:=>|:=|=)[ \\t]{0,40}${BARE}`,
    {
      left,
      endOf: bareEnd,
      check: isPassword,
    },
  ),
  rule("password", "password", keywords, `${word}${REST}${OF}${IS}["'\`]?${BARE}`, {
    left,
    endOf: endInSentence,
    check: isTold,
  }),
]);

const LOW_QUOTED = /^[^“\s]{6,}/;
/** What stands before the `»`: a word, and a blank where the quote is set as in French. */
const ANGLE_QUOTED = /^(\S{6,})\s?$/;

/** The end of the word in `„…“`, `„…”` or `«…»` that begins at `start`; `start` where the quote is not closed. */
function endInPair(text: string, at: number, start: number): number {
  const rest = text.slice(start, at + MAX_TRIED);
  if (text[start - 1] !== "„") {
    // Looked for first: a text full of quotes that nobody closed would be read to its end for each of them.
    const close = rest.indexOf("»");
    const [, inner] = (close === -1 ? null : ANGLE_QUOTED.exec(rest.slice(0, close))) ?? [];
    return start + (inner?.length ?? 0);
  }
  const word = LOW_QUOTED.exec(rest)?.[0] ?? "";
  if (rest[word.length] === "“") return start + word.length;
  const closed = word.lastIndexOf("”");
  return closed < MIN_QUOTED ? start : start + closed;
}

const EAST_ASIAN = "\\u3000-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7af\\uff00-\\uffef";
const EAST_ASIAN_SIGN = new RegExp(`[${EAST_ASIAN}]`);
/** What of a word precedes the first such sign. */
const HEAD_BEFORE_SIGN = new RegExp(`^[^${NO_WORD}${EAST_ASIAN}]*`);

/** As `toldEnd`, and before a sign or a letter of East Asian scripts, which have no blanks between words. */
function endInSentence(text: string, at: number, start: number): number {
  const head = HEAD_BEFORE_SIGN.exec(text.slice(start, start + MAX_WORD))?.[0].length ?? 0;
  // A word that goes on behind such a sign ends before it whatever follows, which may be all of the text.
  const isCutThere = EAST_ASIAN_SIGN.test(text[start + head] ?? "");
  const end = toldEnd(isCutThere ? text.slice(0, start + head + 1) : text, at, start);
  const sign = text.slice(start, end).search(EAST_ASIAN_SIGN);
  return sign === -1 ? end : start + sign;
}
