/** What stands for a secret in documentation, templates and tests. */
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

/** True for what letters and digits are mixed in as only chance does. */
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

/** True for what may be a password: not a word, a name in code or an example. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 5 || NO_SECRET.test(value) || !notExample(value)) return false;
  return /[A-Za-z]/.test(value) && /[\d!#%^~?*+=]/.test(value);
}

const NO_URL_PASSWORD =
  /^(?:passw(?:or)?d|pass|pwd|secret|user(?:name)?|token|postgres|root|admin|guest|test|port|x-oauth-basic|\$.*|%.*|\d+)$/is;

/** True for what stands where a URL has its password, unless it is what documentation writes there. */
export function isUrlPassword(value: string): boolean {
  return notExample(value) && !NO_URL_PASSWORD.test(value);
}

/** The values in a header of cookies that are more than words. */
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
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{2,400}$/.test(atob(value)) && notExample(value);
  } catch {
    // Not Base64 after all: `atob` says so by throwing.
    return false;
  }
}

const NOBODY =
  /^(?:no-?reply|git|donotreply|root|user|username|you|name|me|someone|test|admin|foo|bar|noreply\+.*|hg|svn)@|@(?:[\w-]+\.)*(?:example|test|invalid|localhost|local|internal)(?:\.[a-z]{2,3})?$|@users\.noreply\.|\.(?:js|mjs|cjs|ts|tsx|jsx|json|md|py|rs|go|css|html?|png|jpe?g|gif|svg|webp|sh|service|lock|ya?ml|toml|txt|log|so|h|c|cpp|java|rb|php|target|socket|timer)$/i;

/** False for addresses that reach nobody, and for what only looks like one. */
export function isReachable(address: string): boolean {
  return !NOBODY.test(address);
}

/** Accounts that say nothing of who uses them. */
const ACCOUNTS =
  /^(?:me|you|user|username|name|dev|developer|root|admin|administrator|ubuntu|debian|node|runner|app|home|shared|public|default|guest|test|tester|vagrant|ec2-user|coder|codespace|vscode|jovyan|work|workspace|alice|bob|example|your.*|linuxbrew|build|builder|ci|git|www|www-data|docker|page|index.*)$/i;

/** False for the names of accounts that many machines have. */
export function isPersonName(name: string): boolean {
  return !ACCOUNTS.test(name) && !/\.(?:tsx?|jsx?|md|html?|css|py)$/.test(name);
}
