import { CALL_RULES } from "./call-rules";
import { COMMAND_RULES } from "./command-rules";
import { ISSUER_RULES } from "./issuer-rules";
import {
  BEFORE_HOME,
  endOfUser,
  holdsLogin,
  holdsPlainLogin,
  isGivenPassword,
  isPersonName,
  isRawUrlPassword,
  isReachable,
  isUrlPassword,
  looksLikeCookie,
  looksLikePassword,
  looksRandom,
} from "./looks";
import { PASSWORD_RULES } from "./password-rules";
import { PASSWORD_WORD_RULES } from "./password-words";
import { ANYWHERE, BARE, IS, ITS_VALUE, OR_ELSE, quoted, type Rule, rule, SET, settingEnd } from "./rule";
import { WINDOWS_RULES } from "./windows-rules";

const URL64 = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";
/** A name in capitals up to its last word, without those of keys that are no secrets. */
const NAME_OF_KEY =
  /(?<![A-Z0-9_])(?!(?:[A-Z0-9]+_)*(?:PUBLIC|PUBLISHABLE|ANON|SITE|CACHE|PRIMARY|FOREIGN|UNIQUE|SORT|PARTITION|ROUTING|HOST|KNOWN)(?:_[A-Z0-9]+)*$)[A-Z][A-Z0-9_]{0,60}$/;
const NETRC_LOGIN = "login\\s+\\S{1,}\\s+(?:account\\s+\\S{1,}\\s+)?password\\s+(\\S{4,})";
/** A cookie up to what separates it from the next one. In quotes it may hold blanks. */
const COOKIE_NAME = "[A-Za-z0-9!#$%&*+.^_|~-]+=";
const COOKIES = `(?:${COOKIE_NAME}(?:[^\\s"'\`\\\\;]*|"[^"\\r\\n\\\\]*");\\s?)*${COOKIE_NAME}[^\\s"'\`\\\\;]+(?:;\\s?[^\\r\\n"'\`\\\\]*)?`;

/** Attributes of a cookie beside its name and value, where cookies are listed as JSON or as Python prints it. */
const COOKIES_FIELD =
  "(?:domain|path|expires|expirationDate|expiry|max[aA]ge|http[oO]nly|same[sS]ite|secure|session|hostOnly|storeId)";
const COOKIES_FIELDS = `(?:["']${COOKIES_FIELD}["']:\\s{0,4}(?:"[^"\\r\\n]{0,200}"|'[^'\\r\\n]{0,200}'|[\\w.+-]{1,40}),\\s{0,40})`;
const COOKIES_VALUE = `["']value["']:\\s{0,4}(?:"([^"\\r\\n]{12,})"|'([^'\\r\\n]{12,})')`;

/** Every kind, the narrower ones first: where two find the same text, the first names it. */
export const RULES: readonly Rule[] = [
  ...ISSUER_RULES,

  // Formats that many use
  rule("age-key", "age secret key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
  rule(
    "putty-key",
    "PuTTY private key",
    "Private-Lines:",
    "Private-Lines: \\d{1,4}\\s+((?:[A-Za-z0-9+/]{16,}={0,2}\\s+)*[A-Za-z0-9+/]{16,}={0,2})",
  ),
  rule("jwt", "JSON web token", "eyJ", `eyJ${URL64}{10,}\\.eyJ${URL64}{8,}\\.${URL64}*`, {
    // It is tried only once in a run of its letters.
    left: /(?<![A-Za-z0-9_-])$/,
    mayWrap: true,
  }),
  rule(
    "password-hash",
    "password hash",
    "$2a$ $2b$ $2y$ $5$ $6$ $y$ $argon2",
    `\\$(?:2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}|[56]\\$(?:rounds=\\d+\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,86}|y\\$[./A-Za-z0-9]+\\$[./A-Za-z0-9]{1,86}\\$[./A-Za-z0-9]{43}|argon2id?\\$v=\\d+\\$[a-z0-9=,]+\\$[A-Za-z0-9+/]{11,64}\\$[A-Za-z0-9+/]{16,})`,
  ),
  // As Apache, Django and Werkzeug write them.
  rule(
    "password-hash",
    "password hash",
    "$apr1$ $1$ pbkdf2 scrypt:",
    "(?:\\$(?:apr)?1\\$[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}|(?:pbkdf2[_:]sha\\d{1,3}[$:]\\d{3,8}|scrypt:\\d+:\\d+:\\d+)\\$[./A-Za-z0-9+=]{4,64}\\$[./A-Za-z0-9+=]{20,})",
  ),
  // A token may be the name of the user, with this for its password.
  rule("url-password", "password in a URL", ":x-oauth-basic@", ":x-oauth-basic", {
    left: /(?<=:\/\/)[A-Za-z0-9_-]{20,90}$/,
  }),
  // In the address of a database as Go's driver has it.
  rule("url-password", "password in a URL", "@tcp( @unix(", "@", {
    left: /(?<![\w.-])[\w.-]{1,40}:[^\s"'@/]{3,50}$/,
    check: (value) => isUrlPassword(value.slice(value.indexOf(":") + 1, -1)),
  }),
  rule("url-password", "password in a URL", "://", `://[^\\s/?#@:"'<>\\\\]{0,100}:([^\\s/?#"'<>\\\\]{3,})@`, {
    left: ANYWHERE,
    check: isUrlPassword,
  }),
  // With signs that a URL should have escaped. What ends like a port is an address with a path.
  rule(
    "url-password",
    "password in a URL",
    "://",
    `://[^\\s/?#@:"'<>\\\\[\\](){},]{0,100}:([^\\s/"'<>\\\\(){},|][^\\s"'<>\\\\(){},|]{2,90})@[A-Za-z0-9][\\w.-]{0,90}(?::\\d{2,5}|[/?\\s"'\`]|$)`,
    { left: ANYWHERE, ahead: /:\/\/[^\s/?#@:]{0,100}:[^\s/?#@]{0,90}[/?#]/y, check: isRawUrlPassword },
  ),
  rule("basic-login", "login in a Basic header", "asic", "asic\\s{1,4}([A-Za-z0-9+/]{8,}={0,2})", {
    left: ANYWHERE,
    check: holdsLogin,
  }),
  // Of mail servers and other protocols with SASL.
  rule("basic-login", "login in a Basic header", "PLAIN", "PLAIN\\s{1,4}([A-Za-z0-9+/]{8,}={0,2})", {
    check: holdsPlainLogin,
  }),
  rule(
    "authorization",
    "Authorization header",
    "uthorization UTHORIZATION",
    // After any scheme: a plain word is no secret.
    `(?i)uthorization(?:${IS}|["'\`]\\s{0,4},\\s{0,4}["'\`])(?:[a-z][a-z-]{1,30}[ \\t]{1,4})?([^\\s"'\`\\\\,;<>{}]{8,})`,
    { left: ANYWHERE, check: looksRandom },
  ),
  rule("bearer-token", "bearer token", "earer", "earer\\s{1,4}([A-Za-z0-9._~+/-]{16,}=*)", {
    left: ANYWHERE,
    check: looksRandom,
  }),
  rule(
    "cookie",
    "cookie",
    "ookie COOKIE -b --cookie",
    `(?:(?i:ookie)(?:["']?:\\s{0,4}|${ITS_VALUE})["']?|(?:-b|--cookie)[ =]["']?)(${COOKIES})`,
    { left: ANYWHERE, check: looksLikeCookie, isWhole: true },
  ),
  rule("netrc-password", "password in .netrc", "login", NETRC_LOGIN, { check: looksLikePassword }),
  // Behind its host nothing else may stand, so that a word is one too.
  rule("netrc-password", "password in .netrc", "login", NETRC_LOGIN, {
    left: /\bmachine\s{1,8}[\w.:-]{1,80}\s{1,8}$/,
    check: isGivenPassword,
  }),
  ...COMMAND_RULES,
  ...WINDOWS_RULES,
  rule(
    "url-key",
    "key in a URL",
    "?key= &key= &sig= ?sig= &signature= ?code= &code=",
    "[?&][a-z]{3,9}=([A-Za-z0-9_%.~-]{16,})",
    {
      left: ANYWHERE,
      check: looksRandom,
    },
  ),
  rule("url-key", "key in a URL", "Signature=", "Signature=([A-Za-z0-9_%.~/+-]{32,})", {
    left: /(?:^|[?&,\s])(?:X-(?:Amz|Goog)-)?$/,
    check: looksRandom,
  }),
  // The address that a viewer like this one prints contains the token to all of its sessions.
  rule("backscroll-token", "token in Backscroll's address", "#t= &t=", "[#&]t=([A-Za-z0-9_.~-]{16,})", {
    left: /:\/\/[^\s"'<>]{1,90}$/,
  }),
  // As browsers list and dump them, and HAR files: with other attributes of the cookie in any order.
  rule(
    "cookie",
    "cookie",
    "\"name\": 'name':",
    `["']name["']:\\s{0,4}["'][^"'\\r\\n]{1,80}["'],\\s{0,40}(?:${COOKIES_FIELDS}+${COOKIES_VALUE}|${COOKIES_VALUE},\\s{0,40}["']${COOKIES_FIELD}["']:)`,
    { left: ANYWHERE, check: looksRandom },
  ),
  // As curl and wget store them: with host, path and expiry.
  rule(
    "cookie",
    "cookie",
    "\tTRUE\t \tFALSE\t",
    "\\t(?:TRUE|FALSE)\\t[^\\t\\r\\n]{1,100}\\t(?:TRUE|FALSE)\\t\\d{1,12}\\t[^\\t\\r\\n]{1,100}\\t([^\\t\\r\\n]{8,})",
    { left: ANYWHERE, check: looksRandom },
  ),
  // Alone, by what they are called.
  rule(
    "cookie",
    "cookie",
    "\"name\": 'name':",
    `["']name["']:\\s{0,4}["'](?i:[\\w.-]{0,30}(?:sess|jwt|[cx]srf|remember)[\\w.-]{0,20}|(?:[\\w.-]{0,30}[._-])?sid)["'],\\s{0,40}${COOKIES_VALUE}`,
    { left: ANYWHERE, check: looksRandom },
  ),
  // As AWS returns a parameter or a secret, whatever its value is.
  rule(
    "assigned-secret",
    "secret by its name",
    "SecureString SecretString",
    `(?:SecureString["']?,?\\s{0,40}["']?Value|SecretString)["']?:\\s{0,4}(?:${quoted(4)})`,
    { left: ANYWHERE, ahead: /\w{12}[^\w.]/y },
  ),
  rule(
    "npmrc-token",
    "token in .npmrc",
    "_auth _password=",
    "_(?:authToken(?:\\s{0,4}=\\s{0,4}|[\"']?\\s{1,4}[\"']?)|(?:auth|password)\\s{0,4}=\\s{0,4})([^\\s\"'$]{8,})",
    { left: ANYWHERE, check: looksLikePassword },
  ),
  rule("docker-auth", "Docker registry login", '"auth"', '"auth":\\s{0,4}"([A-Za-z0-9+/]{12,}={0,2})"', {
    left: ANYWHERE,
    check: holdsLogin,
  }),
  rule("private-jwk", "private key in a JWK", '"d":', `"d":\\s{0,4}"(${URL64}{40,})"`, {
    left: ANYWHERE,
    check: looksRandom,
  }),
  // A private key in PEM, as kubectl keeps it.
  rule(
    "assigned-secret",
    "secret by its name",
    "client-key-data",
    `client-key-data:\\s{1,4}"?([A-Za-z0-9+/]{40,}={0,2})`,
  ),
  rule("private-key-id", "private key id", "private_key_id", `private_key_id${IS}(${HEX}{40})`, {
    left: ANYWHERE,
  }),
  ...PASSWORD_RULES,
  ...PASSWORD_WORD_RULES,
  ...CALL_RULES,
  rule(
    "assigned-secret",
    "secret by its name",
    "ecret ECRET oken OKEN resharedKey pi_key PI_KEY piKey pi-key pi-Key PI-Key PI-KEY PIKEY apikey ccess_key CCESS_KEY ccessKey rivate_key RIVATE_KEY rivateKey ncryption_key NCRYPTION_KEY igning_key IGNING_KEY redential REDENTIAL auth_key AUTH_KEY uth-key uth-Key uthKey ccess-key ccess-Key ubscription-key ubscription-Key aster_key asterKey",
    `[A-Za-z_-]{3,40}\\d{0,2}(?:${SET}|${ITS_VALUE}|${OR_ELSE}|>|\\s{1,2})(?:${quoted(12)}|["'\`]?([^\\s"'\`,;&<>(){}\\[\\]\\\\|]))`,
    {
      left: ANYWHERE,
      // Names alone are everywhere: `cache_read_input_tokens`.
      ahead: /[A-Za-z_-]{3,60}\d{0,2}["'`\],:=>\s]/y,
      endOf: settingEnd,
      check: (value) => value.length >= 12 && looksRandom(value),
    },
  ),

  // In a process's environment a name with this ending is a key, except those that everybody may see.
  rule(
    "assigned-secret",
    "secret by its name",
    '_KEY= _KEY: _KEY" _KEY\n _PAT= _PAT: _PAT" _CREDS= _CREDS: _CREDS"',
    `_(?:KEY|PAT|CREDS)(?:${SET}|${ITS_VALUE})(?:${quoted(16)}|["'\`]?(?:base64:)?${BARE})`,
    {
      left: NAME_OF_KEY,
      endOf: settingEnd,
      check: (value) => /^[\w+/.:~-]{16,512}={0,2}$/.test(value) && looksRandom(value),
    },
  ),
  rule(
    "assigned-secret",
    "secret by its name",
    "_KEY' _SALT' _KEY\" _SALT\"",
    `_(?:KEY|SALT)["']\\s{0,4},[ \\t]{0,40}(?:"([^"\\r\\n]{40,})"|'([^'\\r\\n]{40,})')`,
    {
      // As WordPress writes them: with any characters, so that they look like code now and then.
      left: /\bdefine\(\s{0,4}["'][A-Z_]{2,30}$/,
      check: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && new Set(value).size > 20,
    },
  ),

  // Whom it names
  rule("email", "e-mail address", "@", "@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){0,4}\\.[A-Za-z]{2,12}", {
    left: /[A-Za-z0-9._%+-]{1,64}$/,
    check: isReachable,
    personal: true,
  }),
  rule(
    "user",
    "user name",
    "/home/ /Users/ \\home\\ \\Users\\",
    "(?:/(?:home|Users)/|\\\\(?:home|Users)\\\\{1,8})([^\\s/\\\\])",
    {
      left: new RegExp(`${BEFORE_HOME}$`),
      // Only systems with a folder of this name allow blanks in the names below it.
      endOf: (text, at, start) => endOfUser(text, start, text.slice(at, start).includes("Users")),
      check: isPersonName,
      personal: true,
    },
  ),
  // Windows ignores case, and Python writes lower case. Without a drive it is an ordinary folder or address.
  rule(
    "user",
    "user name",
    "/users/ \\users\\ /USERS/ \\USERS\\",
    "(?:/(?:users|USERS)/|\\\\(?:users|USERS)\\\\{1,8})([^\\s/\\\\])",
    {
      left: /(?<![\w.~-])[A-Za-z]:\\{0,8}$/,
      endOf: (text, _, start) => endOfUser(text, start, true),
      check: isPersonName,
      personal: true,
    },
  ),
  // The same as the client spells it in the names of its folders: `-home-anna-shop`, `C--Users-anna-shop`.
  rule("user", "user name", "-users- -USERS-", "-(?:users|USERS)-([A-Za-z0-9]{2,40})[/\\\\\"'-]", {
    left: /(?<![\w.~-])[A-Za-z]-$/,
    check: isPersonName,
    personal: true,
  }),
  rule("user", "user name", "-home- -Users-", "-(?:home|Users)-([A-Za-z0-9]{2,40})[/\\\\\"'-]", {
    left: /(?<![\w.~-])(?:[A-Za-z]-|-mnt-[a-z]|-var)?$/,
    check: isPersonName,
    personal: true,
  }),
];

/** Kinds that no pattern finds: the contents of a `.env` file, keys in PEM, and matches of the user's own patterns. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  "private-key": "private key",
  "env-value": "value from a .env file",
  own: "your own pattern",
};

const NAMES = new Map([...RULES.map(({ id, name }) => [id, name] as const), ...Object.entries(OTHER_KINDS)]);

/** The name of a kind, for readers. */
export function nameOfKind(id: string): string {
  return NAMES.get(id) ?? id;
}

/** The kinds that name a person, instead of opening something. */
export const PERSONAL: ReadonlySet<string> = new Set(
  RULES.filter(({ personal }) => personal).map(({ id }) => id),
);

/** Whether a kind names a person, instead of opening something. */
export function isPersonal(id: string): boolean {
  return PERSONAL.has(id);
}
