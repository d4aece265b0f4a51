import { looksLikePassword, notExample } from "./looks";
import { ANYWHERE, BARE, bareEnd, type Rule, rule, SET } from "./rule";

/** Options and words before another one, in the same command. */
const BEFORE = "\\s(?:[^\\r\\n|;&]{0,120}?\\s)??";
/** A user's name, and behind the colon the password. */
const LOGIN = `(?:"[^\\s:"']{1,60}:([^"\\r\\n]{4,})"|'[^\\s:"']{1,60}:([^'\\r\\n]{4,})'|[^\\s:"']{1,60}:([^\\s"']{4,}))`;
const WORD = `(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'|;&<>()]{4,}))`;
/** `sudo -S`, which reads the password from its input: among sudo's own options, not those of what it runs. */
const SUDO = `sudo(?:\\s{1,4}-[A-Za-z-]{1,20}(?:\\s{1,4}(?:'[^'\\r\\n]*'|"[^"\\r\\n]*"|[^\\s'"|;&-][^\\s|;&]*))?)*?\\s{1,4}-[A-Za-z]{0,4}S`;
/** What reads nothing else from its input is given no word but a password. */
const isTyped = (value: string) => notExample(value) && !/^\$|[$`]\(/.test(value);

/** What commands are told on their line, or are given by the one before. */
export const COMMAND_RULES: readonly Rule[] = [
  rule("curl-user", "password for curl", "-u --user", `(?:-u ?|--user[ =])${LOGIN}`, {
    check: looksLikePassword,
  }),
  // Behind other options of one letter: `curl -su`.
  rule("curl-user", "password for curl", "curl", `curl${BEFORE}-[A-Za-z#]{1,8}u ?${LOGIN}`, {
    check: looksLikePassword,
  }),
  rule("curl-user", "password for curl", "-a --auth", `(?:-a|--auth)[ =]${LOGIN}`, {
    left: /\b(?:https?|xhs?)\s(?:[^\r\n|;&]*\s)?$/,
    check: looksLikePassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "--pass --token --secret --api-key --apikey --access-token --auth-token --client-secret --pw",
    `--(?:password|passphrase|pass|pwd|pw|token|secret|api-?key|access-token|auth-token|client-secret)(?:[ =]["']?|["'],\\s{0,8}["'])${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  // Options of one letter are a password's with these commands alone.
  rule(
    "option-secret",
    "secret in a command's option",
    "sshpass mysql mariadb docker podman",
    `(?:sshpass\\s{1,4}-p\\s{0,4}|(?:mysql|mariadb)(?:dump|admin|import)?\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p|(?:docker|podman)\\s{1,4}login\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p[ =])["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "redis-cli mongo sqlcmd ldap",
    `(?:redis-cli${BEFORE}-a\\s{1,4}|mongo[a-z]{0,8}${BEFORE}-p\\s{0,4}|sqlcmd${BEFORE}-P\\s{0,4}|ldap[a-z]{3,8}${BEFORE}-w\\s{1,4})["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "storepass keypass",
    `(?:store|key)pass(?:\\s{1,4}|${SET})["']?${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  rule("option-secret", "secret in a command's option", "pass:", `pass:${BARE}`, {
    left: /\s-pass(?:in|out)?\s{1,4}["']?$/,
    endOf: bareEnd,
    check: looksLikePassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "echo printf",
    `(?:echo|printf)\\s{1,4}(?:-[neE]{1,3}\\s{1,4})?${WORD}\\s{0,4}\\|\\s{0,4}(?:${SUDO}|(?:sudo\\s{1,4})?(?:chpasswd|passwd\\s[^\\r\\n|;&]{0,60}--stdin)|[^\\r\\n|;&]{1,100}?\\s(?:--(?:password-stdin|with-token)|(?:env|secrets?)\\s{1,2}(?:add|put|set|create|import)))\\b`,
    { check: isTyped },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "sudo",
    `${SUDO}[^\\r\\n|;&<]{0,200}<<<\\s{0,4}${WORD}`,
    { check: isTyped },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "--with-token --password-stdin",
    `--(?:with-token|password-stdin)[ \\t]{0,4}<<<[ \\t]{0,4}${WORD}`,
    { check: isTyped },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "secret",
    `secrets?\\s{1,2}set${BEFORE}(?:--body|-b)[ =]["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
];
