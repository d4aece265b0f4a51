/** Placeholders for secrets in documentation, templates and tests. */
const EXAMPLE =
  /example|your[-_ ]?|change[-_]?me|placeholder|dummy|redacted|replace|insert|sample|(.)\1{5}|x{4}|\*{3}|\.{3}|…|<[^>]*>|\$\{|\{\{|%\(|123456789|abcdefgh|0{8}/i;

/** False for what only shows the form of a secret. */
export function notExample(value: string): boolean {
  return !EXAMPLE.test(value) && new Set(value).size > Math.min(4, value.length / 3);
}

/** Names in code, paths, times and the ids that a log is full of. */
const NO_SECRET =
  /^(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+|\.{0,2}\/.*|[A-Za-z]:[\\/].*|~.*|\$.*|@.*|\d{4}-\d\d-\d\d.*|(?:toolu|msg|req|call|sess|srvtoolu)_.*|https?:.*|[\d.,:_-]+|(?:sha|md|utf-?|base|aes|ed|rsa|argon|hs|rs|es)-?\d+)$/is;

const MIN_OF_ONE_DIGIT = 20;

/** Words and numbers with signs between them: `shop-api-key-v2`. */
const SLUG = /^[A-Za-z]*\d{0,4}(?:[-_./][A-Za-z]*\d{0,4}){2,}$/;

/** True for letters and digits that are mixed as only chance does. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || NO_SECRET.test(value) || SLUG.test(value) || !notExample(value)) return false;
  // Names in code have a digit at the most: `cacheWrite1h`.
  const digits = value.replace(/\D/g, "").length;
  if (digits === 0 || (digits < 2 && value.length < MIN_OF_ONE_DIGIT) || !/[A-Za-z]/.test(value))
    return false;
  let changes = 0;
  for (let at = 1; at < value.length; at++)
    if (classOf(value.charCodeAt(at - 1)) !== classOf(value.charCodeAt(at))) changes += 1;
  return changes >= (value.length - 1) * 0.2 && new Set(value).size >= 7;
}

function classOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return 0;
  if (code >= 0x61 && code <= 0x7a) return 1;
  return code >= 0x41 && code <= 0x5a ? 2 : 3;
}

/** What else may begin like a path, a name or a time. */
const MAY_BE_PASSWORD =
  /^(?:\.{0,2}\/[\w/+]*={1,2}|[@~][^/\\]*[!#%^?*+=][^/\\]*|\d{4}-\d\d-\d\d[^T\s]*[!#%^?*=].*)$/s;

/** True for what may be a password: not a word, a name in code or an example. */
export function looksLikePassword(value: string): boolean {
  const isNone = NO_SECRET.test(value) && !MAY_BE_PASSWORD.test(value);
  if (value.length < 5 || isNone || !notExample(value)) return false;
  return /[A-Za-z]/.test(value) && /[\d!#%^~?*+=]/.test(value);
}

const NO_URL_PASSWORD =
  /^(?:passw(?:or)?d|pass|pwd|secret|user(?:name)?|token|postgres|root|admin|guest|test|port|x-oauth-basic|\$.*|%(?![0-9a-f]{2}).*|\d+)$/is;

/** True for the password of a URL, unless it is one that documentation uses. */
export function isUrlPassword(value: string): boolean {
  return notExample(value) && !NO_URL_PASSWORD.test(value);
}

const PORT_AND_PATH = /^(?:\d{1,5}|\W*port\w*)[/?#]/i;

/** True for the password of a URL with signs that begin a path, a query or a fragment elsewhere. */
export function isRawUrlPassword(value: string): boolean {
  return (
    !PORT_AND_PATH.test(value) && !value.includes("://") && looksLikePassword(value) && isUrlPassword(value)
  );
}

/** Placeholders for a password in commands and statements: in descriptions of them, and where it is filled in later. */
const NAME_OF_PASSWORD = /^[\W_]*(?:[a-z]+[\W_]+)*[a-z]*(?:pass(?:word|phrase|wd)?|pwd|secret)[a-z]*[\W_]*$/i;
const MAX_NAME = 64;

/**
 * True for a value in a position where only a password can be, even if it is a word: only the option's name, or a
 * variable, is none.
 */
export function isGivenPassword(value: string): boolean {
  const isName = value.length < MAX_NAME && NAME_OF_PASSWORD.test(value);
  return isUrlPassword(value) && !isName && !/^[{:?<%@#]|^[.~]{0,2}\/|[$`]\(/.test(value);
}

/** The values in a cookie header that are more than words. */
export function cookieValues(header: string): string[] {
  return header
    .split(";")
    .map((pair) => pair.slice(pair.indexOf("=") + 1))
    .filter(looksRandom);
}

/** True where one of the header's cookies holds more than a word. */
export function looksLikeCookie(header: string): boolean {
  return cookieValues(header).length > 0;
}

/** True for Base64 that holds `user:password`. */
export function holdsLogin(value: string): boolean {
  const plain = decodeBase64(value);
  return plain !== null && /^[\x20-\x7e]{1,200}:[\x20-\x7e]{2,400}$/.test(plain) && notExample(value);
}

/** True for Base64 that holds a user and a password as SASL's PLAIN sends them, with NULs between. */
export function holdsPlainLogin(value: string): boolean {
  const plain = decodeBase64(value);
  return plain !== null && /^[^\0]{0,200}\0[^\0]{1,200}\0[^\0]{2,400}$/.test(plain) && notExample(value);
}

/** The bytes of a Base64 text, each as a character; `null` for a text that is not Base64. */
export function decodeBase64(value: string): string | null {
  try {
    return atob(value);
  } catch {
    return null;
  }
}

/**
 * Common values of settings that are no secrets, and default passwords of services. A password of one word that is not
 * among these is hidden wherever it occurs: rather one word too many than a visible password.
 */
const SETTINGS_WORDS = wordSet(`
  production development staging testing database databases postgres postgresql rabbitmq memcached cassandra
  elasticsearch opensearch clickhouse cockroach timescale influxdb wordpress keycloak nextcloud directus metabase superset
  sonarqube artifactory confluence prometheus alertmanager kubernetes kubernetes-admin password passwords passwort changeme
  changeit username administrator localhost loopback application frontend standalone external internal enabled disabled
  required optional preferred readonly readwrite verify-full verify-ca defaults
`);

/** True for a word that is common in settings, and elsewhere, without being a secret. */
export function isSettingsWord(value: string): boolean {
  return SETTINGS_WORDS.has(value.toLowerCase());
}

const NOBODY =
  /^(?:this|super|return|break|continue|no-?reply|git|donotreply|root|user|username|you|name|me|someone|test|admin|foo|bar|noreply\+.*|hg|svn)@|@(?:[\w-]+\.)*(?:example|test|invalid|localhost|local|internal)(?:\.[a-z]{2,3})?$|@users\.noreply\.|\.(?:js|mjs|cjs|ts|tsx|jsx|json|md|py|rs|go|css|html?|png|jpe?g|gif|svg|webp|sh|service|lock|ya?ml|toml|txt|log|so|h|c|cpp|java|rb|php|target|socket|timer)$/i;

/** False for addresses that reach nobody, and for what only looks like an address. */
export function isReachable(address: string): boolean {
  return !NOBODY.test(address);
}

/** Accounts that do not identify a person, and what follows `/home/` in the addresses of an application. */
const ACCOUNTS = wordSet(`
  me you user username name dev developer root admin administrator ubuntu debian centos fedora rocky alpine arch opc pi
  node bun deno python java rust runner runneradmin gitlab-runner jenkins circleci app home shared public default guest
  test tester testing demo student vagrant ec2-user azureuser coder codespace gitpod vscode jovyan work worker workspace
  alice bob example linuxbrew homebrew build builder ci git www www-data web nginx apache postgres mysql redis docker
  container sandbox nobody page code data src main local project projects repo repos api server service client deploy
  deployer staging prod production development desktop laptop linux windows mac macos computer
  claude claude-code claudecode anthropic codex agent assistant bot ai backscroll session sessions
  settings setting dashboard profile account accounts login logout signin signup register about contact help search news
  feed blog post posts article articles product products item items order orders cart shop store list lists detail
  details overview notifications messages inbox explore discover welcome start tab tabs menu screen view views users
  team teams task tasks report reports stats analytics history library favorites favourites tools docs documentation
  pages components hooks styles assets images features common layout header footer sidebar content
`);
const NOBODYS_NAME = /^(?:your.*|index.*|.*\.(?:tsx?|jsx?|md|html?|css|py))$/i;

/** False for the names of accounts that many machines have. */
export function isPersonName(name: string): boolean {
  return name.length > 1 && !ACCOUNTS.has(name.toLowerCase()) && !NOBODYS_NAME.test(name);
}

/**
 * Where home folders of Windows and other systems are mounted elsewhere: WSL, Git Bash, Cygwin, Fedora's `/var/home`.
 */
export const HOME_ROOTS =
  "/(?:mnt/|cygdrive/)?[A-Za-z]|/(?:var|usr|export|private|System/Volumes/Data)|[\\\\/]{1,4}wsl[.$\\w]{0,12}[\\\\/]{1,4}[\\w.-]{1,40}";

/** What may precede `/home/` or `/Users/` where that is no folder of some project. */
export const BEFORE_HOME = `(?<![\\w.~-])(?:${HOME_ROOTS})?`;

const IN_HOME = new RegExp(
  `^(?:[A-Za-z]:|${HOME_ROOTS})?[\\\\/]{1,2}(?:home|Users|users|USERS)[\\\\/]{1,2}([^\\\\/]{3,64})`,
);
/** Names that are also words of code: they are replaced in paths alone. */
const CODE_WORDS = wordSet(
  "max min mark val ray will art grant may june april august ruby julia crystal jade dart rich dot sky von",
);

const FOLDER = "\\p{L}[\\p{L}\\p{M}\\p{N}._-]{0,40}[\\p{L}\\p{M}\\p{N}_]";
const WORD = new RegExp(FOLDER, "uy");
/** Further words begin with a capital and are followed by a folder: anything else is a sentence that continues. */
const WORDS = new RegExp(
  `${FOLDER}(?:(?: |\\\\ |%20)[\\p{Lu}\\p{N}(][\\p{L}\\p{M}\\p{N}._()-]{0,30}){1,3}(?=[/\\\\])`,
  "uy",
);

/** Where the name of a user's folder ends that begins here, with letters of any script; `start` for anything else. */
export function endOfUser(text: string, start: number, mayHaveBlanks: boolean): number {
  for (const pattern of mayHaveBlanks ? [WORDS, WORD] : [WORD]) {
    pattern.lastIndex = start;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return start;
}

/**
 * The user whose home folder contains a path; null for no home folder, and for that of an account which many machines
 * have.
 */
export function ownerOf(path: string): string | null {
  const name = IN_HOME.exec(path)?.[1]?.trim() ?? "";
  return name !== "" && isPersonName(name) ? name : null;
}

/** False for names that are common in code, so that they identify nobody where they stand alone. */
export function isNameAlone(name: string): boolean {
  return !CODE_WORDS.has(name.toLowerCase());
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
