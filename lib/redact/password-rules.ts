import {
  isGivenPassword,
  isSettingsWord,
  isUrlPassword,
  looksLikePassword,
  looksRandom,
  notExample,
} from "./looks";
import { ANYWHERE, BARE, bareEnd, ITS_VALUE, OR_ELSE, quotedOrBare, type Rule, rule, SET } from "./rule";

/** In quotes and without blanks: after the word, such a text is a password, and no sentence about one. */
const WORD_IN_QUOTES = `(?:"([^"\\s]{6,})"|'([^'\\s]{6,})')`;
const NAMES = "assword ASSWORD asswd ASSWD assphrase ASSPHRASE";
/** Together with what directly follows: the words alone are everywhere. */
const SHORT_NAMES = ["pass", "Pass", "pwd", "Pwd"]
  .flatMap((name) => [":", "=", '"', "'"].map((sign) => name + sign))
  .join(" ");
/** Quotes with what languages write before them (`r'…'`, `@"…"`, `E'…'`), or several. */
const MARKED_QUOTES = `(?:[bfrBFRuUEN@$]{1,2}["']|"{3}|'{3})([^"'\\s]{6,})["']`;
/** The beginning of a dotted name at the beginning of a line, also behind the file and the number that a search writes. */
const DOTTED_NAME =
  /(?:^|[\r\n])[ \t]{0,40}(?:[\w./-]{1,60}:)?(?:\d{1,6}[→:\t -]{1,3})?(?!this\.|self\.)[a-z][\w-]{0,40}(?:\.[\w-]{1,40}){0,6}\.$/;
/** The next one of several names has no value yet: `passwd= password=`. */
const NEXT_NAME = /^[A-Za-z_]+=$/;
const isPassword = (value: string) => value.length >= 6 && looksLikePassword(value) && !NEXT_NAME.test(value);

/** Passwords that have no recognizable form: they are found by the name before them. */
export const PASSWORD_RULES: readonly Rule[] = [
  rule(
    "password",
    "password",
    `${NAMES} PASS= _PASS: _PWD= _PWD: _PW= _PW: _AUTH= _AUTH: Pwd= Pwd: PGPASSWORD`,
    // Of several the second one has a number: `password2`. `SET PASSWORD FOR 'app'@'%' = '…'`.
    `[A-Za-z_]{2,12}\\d{0,2}(?:(?:\\(|\\s{1,4}|\\s{1,4}(?i:for)\\s{1,4}[^\\s=]{1,80}\\s{0,4}=\\s{0,4})${WORD_IN_QUOTES}|${OR_ELSE}${WORD_IN_QUOTES}|(?:${SET}|${ITS_VALUE}|>)(?:${MARKED_QUOTES}|${quotedOrBare(6)}))`,
    { left: ANYWHERE, endOf: bareEnd, check: isPassword },
  ),
  // Without a sign between the two: `ENV` of a Dockerfile, `set -x` of fish, `setenv`, `setx`.
  rule("password", "password", NAMES, `[A-Za-z_]{2,12}\\d{0,2}[ \\t]{1,4}["']?${BARE}`, {
    left: /(?:\bENV|\bsetenv|\bsetx(?: \/M)?|\bset -[A-Za-z]{1,4})[ \t]{1,4}[A-Z0-9_]{0,60}$/i,
    endOf: bareEnd,
    check: isPassword,
  }),
  // In YAML behind an anchor or a tag, or as a block of lines.
  rule(
    "password",
    "password",
    NAMES,
    `[A-Za-z_]{2,12}["']?:[ \\t]{1,4}(?:(?:&|!{1,2})[\\w-]{1,40}[ \\t]{1,4}["']?|[|>][+-]?[ \\t]{0,4}\\r?\\n[ \\t]{1,40})${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: isPassword },
  ),
  // A property list, settings of Java and .NET, and a variable of Terraform.
  rule(
    "password",
    "password",
    NAMES,
    `[A-Za-z_]{2,12}(?:</key>\\s{0,40}<string>|"[^<>"]{0,20}(?:"[^<>"]{0,40}"[^<>"]{0,20})?>\\s{0,40}<value>)([^<\\s]{6,})<`,
    {
      left: ANYWHERE,
      check: isPassword,
    },
  ),
  rule("password", "password", NAMES, `[A-Za-z_]{2,12}">([^<\\s]{6,})</entry>`, {
    left: /\bkey="[\w.-]{0,60}$/,
    check: isPassword,
  }),
  rule(
    "password",
    "password",
    NAMES,
    `[A-Za-z_]{2,12}"\\s{0,4}\\{[^{}]{0,400}?\\sdefault\\s{0,20}=\\s{0,4}${WORD_IN_QUOTES}`,
    { left: /\bvariable\s{1,4}"[\w-]{0,60}$/, check: isPassword },
  ),
  // Where these have a password nothing else may stand, so that a word is one too.
  rule(
    "password",
    "password",
    "PGPASSWORD= MYSQL_PWD= SSHPASS= REDISCLI_AUTH=",
    `[A-Z_]{7,13}=(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'|;&<>()]{4,}))`,
    { check: isGivenPassword },
  ),
  // The same under a name that is a word of prose: in source, what has blanks is a sentence.
  rule("password", "password", SHORT_NAMES, `(?i:pass|pwd)(?:${SET}${WORD_IN_QUOTES}|=${BARE})`, {
    endOf: bareEnd,
    check: isPassword,
  }),
  rule("password", "password", "pass pwd", `(?:pass|pwd)[ \\t]{1,8}=[ \\t]{1,8}${WORD_IN_QUOTES}`, {
    ahead: /(?:pass|pwd)[ \t]{1,8}=[ \t]/y,
    check: isPassword,
  }),
  // In source with whose it is before it: others, as of a renderer, are none.
  rule("password", "password", "Pass Pwd", `(?:Pass|Pwd)${SET}${WORD_IN_QUOTES}`, {
    left: /(?<![A-Za-z0-9])(?:db|user|admin|root|smtp|mail|email|ftp|ssh|login|auth|redis|mysql|pg|postgres|mongo|proxy)$/i,
    check: isPassword,
  }),
  // Without quotes only as a setting's name, which has a part before it: `smtp_pass: …`.
  rule("password", "password", "_pass: _pwd: _passwd:", `_(?:passw?d?|pwd):[ \\t]{1,4}${BARE}`, {
    left: ANYWHERE,
    endOf: bareEnd,
    check: isPassword,
  }),
  // Of dotted names, as settings of Java and Spring are, with nothing else on the line.
  rule(
    "password",
    "password",
    "pass pass: pass= passwd password pwd",
    `(?:pass(?:w(?:or)?d)?|pwd)[ \\t]{0,20}[=:][ \\t]{0,20}([^\\s"'\`]{5,120}[^\\s"'\`;,(){}\\[\\]])[ \\t]{0,20}(?:\\r?\\n|$)`,
    { left: DOTTED_NAME, ahead: /(?:pass|pwd)(?:w(?:or)?d)?[ \t]{0,20}[=:]/y, check: isPassword },
  ),
  // Without blanks it is no source, so that a word is one too.
  rule(
    "password",
    "password",
    "pass= passwd= password= pwd=",
    `[a-z]{3,8}=([^\\s"'\`;,(){}\\[\\]$]{4,120})(?:\\r?\\n|$)`,
    {
      left: DOTTED_NAME,
      check: (value) =>
        isGivenPassword(value) && !isSettingsWord(value) && !/^[\w$]+(?:\.[\w$]+)+$/.test(value),
    },
  ),
  // Redis's `requirepass` is written like this in its settings.
  rule(
    "password",
    "password",
    "requirepass masterauth",
    `(?:requirepass|masterauth)[ \\t]{1,4}["']?${BARE}`,
    {
      endOf: bareEnd,
      check: isPassword,
    },
  ),
  // `define('DB_PASSWORD', '…')`. In a list of names the next item is no password.
  rule("password", "password", NAMES, `[A-Za-z_]{2,12}["'\`]\\s{0,4},\\s{0,4}${WORD_IN_QUOTES}`, {
    left: /\(\s{0,4}["'`][\w.-]{0,60}$/,
    check: isPassword,
  }),
  // `.pgpass`: host, port, database and user before it.
  rule(
    "password",
    "password",
    ":5432: :5433: :6432: :*:",
    ":[\\d*]{1,4}:(?:[\\w.-]{1,63}|\\*):[^\\s:\"'\\\\]{1,63}:((?:[^\\s:\"'\\\\]|\\\\[:\\\\]){4,100})",
    { left: /(?<![\w.*-])[\w.*-]{1,90}$/, check: (value) => isUrlPassword(value) && !/^[\d.]+$/.test(value) },
  ),
  // `.my.cnf`, also with numbers before its lines.
  rule(
    "password",
    "password",
    "[client [mysql [mariadb",
    `\\[(?:client|mysql|mariadb)[\\w-]{0,20}\\][^\\[]{0,400}?\\n[ \\t]{0,12}(?:\\d{1,6}[→:\\t -]{1,3})?password[ \\t]{0,4}=[ \\t]{0,4}(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'#]{4,}))`,
    { left: ANYWHERE, check: notExample },
  ),
  rule(
    "password",
    "password",
    "IDENTIFIED identified Identified",
    `(?i:identified\\s{1,4}(?:with\\s{1,4}["'\`]?[\\w.]{1,40}["'\`]?\\s{1,4}(?:by|as)|by)(?:\\s{1,4}password)?)\\s{1,4}(?:"([^"\\s]{4,})"|'([^'\\s]{4,})')`,
    { check: isGivenPassword },
  ),
  // Oracle has none in quotes.
  rule("password", "password", "IDENTIFIED", `IDENTIFIED\\s{1,4}BY\\s{1,4}${BARE}`, {
    endOf: bareEnd,
    check: isPassword,
  }),
  // Passwords of Wi-Fi and VPNs, as `wpa_supplicant.conf`, NetworkManager, `ipsec.secrets` and Windows write them.
  rule("password", "password", "psk PSK", `(?:psk|PSK)(?:="([^"\\r\\n]{8,63})"|\\s{1,2}"([^"\\s]{4,})")`, {
    check: isGivenPassword,
  }),
  rule("password", "password", "psk", `psk(?:=|[ \\t]{1,4})["']?${BARE}`, {
    endOf: bareEnd,
    check: (value) => value.length >= 8 && looksLikePassword(value),
  }),
  rule(
    "password",
    "password",
    "<keyMaterial> Key nmcli wpa_passphrase",
    `(?:<keyMaterial>([^<\\s]{8,64})<|Key Content\\s{1,20}:\\s([^\\r\\n]{8,64})|nmcli\\s[^\\r\\n|;&]{0,120}?\\spassword\\s{1,4}["']?([^\\s"']{8,63})|wpa_passphrase\\s{1,4}(?:"[^"\\r\\n]{1,32}"|'[^'\\r\\n]{1,32}'|[^\\s"']{1,32})\\s{1,4}["']?([^\\s"'|;&<>]{8,63}))`,
    { check: isGivenPassword },
  ),
  // rclone's own obfuscation, which needs no key to undo.
  rule("password", "password", "pass", `pass[ \\t]+=[ \\t]+([A-Za-z0-9_-]{20,})`, {
    left: /(?:^|\n)[ \t]*(?:\d{1,6}[→:\t -]{1,3})?$/,
    check: looksRandom,
  }),
  rule(
    "password",
    "password",
    NAMES,
    `[A-Za-z_]{2,12}(?:\\s{1,2}(?:for|of)\\s{1,2}[\\w.@-]{1,40}(?:\\s{1,2}[\\w.@-]{1,40})?)?(?:\\s{1,2}(?:is|was):?|:)\\s{1,2}["'\`]?${BARE}`,
    { left: ANYWHERE, endOf: toldEnd, check: isTold },
  ),
  // Behind the word alone: what mixes letters, digits and signs as no word and no name in code does.
  rule(
    "password",
    "password",
    NAMES,
    `[A-Za-z_]{2,12}\\s{1,2}["'\`]?([A-Za-z0-9!#$%^&*@~_+-]{8,64})(?:["'\`.,;:)]?\\s|["'\`.,;:)]?$)`,
    {
      left: ANYWHERE,
      check: isMixed,
    },
  ),
  // The short names, which are also a word or a size elsewhere.
  rule("password", "password", "pw= pw: PW= PW: Pw:", `(?i:pw)(?:=|:[ \\t]{1,4})["'\`]?${BARE}`, {
    endOf: toldEnd,
    check: isMixed,
  }),
];

/** A letter, a digit and a sign that neither names nor numbers have. */
function isMixed(value: string): boolean {
  return isPassword(value) && /\d/.test(value) && /[!#%^*@~]/.test(value.slice(1)) && !/^[@#%-]/.test(value);
}

/** Where a password in a sentence ends, whose punctuation is not part of it. */
export function toldEnd(text: string, at: number, start: number): number {
  const end = bareEnd(text, at, start);
  return end - (/[.:?)]+$/.exec(text.slice(start, end))?.[0].length ?? 0);
}

/** True for what may be a password in a sentence: with a digit, and no word for its format like `base64-encoded`. */
export function isTold(value: string): boolean {
  return isPassword(value) && /\d/.test(value) && !/^[A-Za-z]*\d+[A-Za-z]?-[A-Za-z]+$/.test(value);
}
