import { isUrlPassword, looksLikePassword, looksRandom } from "./looks";
import { ANYWHERE, type Rule, rule } from "./rule";

/** A name or an address as an argument: in quotes, or as code has it. */
const ARGUMENT = `(?:"[^"\\r\\n]{0,120}"|'[^'\\r\\n]{0,120}'|[$\\w.()\\[\\]>-]{1,80})`;
const NEXT = "\\s{0,8},\\s{0,8}";
/** In quotes and without blanks, as a password in source is. */
const PASSWORD = `(?:"([^"\\s]{5,100})"|'([^'\\s]{5,100})')`;

/** Passwords identified by their position in a call: no name precedes them. */
export const CALL_RULES: readonly Rule[] = [
  // `auth=("anna", "…")` of Python's requests, and the login of mail and other clients.
  rule(
    "password",
    "password",
    "auth= BasicAuth( .login( Auth( DigestAuth(",
    `(?:auth=\\(|\\.?[A-Za-z]{4,20}\\()\\s{0,8}${ARGUMENT}${NEXT}${PASSWORD}\\s{0,8},?\\s{0,8}\\)`,
    { left: ANYWHERE, check: looksLikePassword },
  ),
  rule(
    "password",
    "password",
    "mysqli_connect( mysqli( mysql_connect( PDO(",
    `[A-Za-z_]{3,14}\\(\\s{0,8}${ARGUMENT}${NEXT}${ARGUMENT}${NEXT}${PASSWORD}\\s{0,8}[,)]`,
    { check: looksLikePassword },
  ),
  // What a script of `expect` types.
  rule("password", "password", "send", `send(?:\\s{1,4}--)?\\s{1,4}"([^"\\s\\\\]{5,100})\\\\[rn]"`, {
    check: looksLikePassword,
  }),
  // A token in place of the user. Sentry's is public.
  rule("url-password", "password in a URL", "://", `://([A-Za-z0-9_-]{20,255})@`, {
    left: ANYWHERE,
    ahead: /:\/\/[\w-]{20,255}@(?![\w.-]{0,80}sentry\.io)/y,
    check: (value) => isUrlPassword(value) && looksRandom(value),
  }),
];
