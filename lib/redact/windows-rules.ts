import { isGivenPassword, isSettingsWord, looksLikePassword } from "./looks";
import { BARE, bareEnd, quotedOrBare, type Rule, rule } from "./rule";

/** Options and words before another one, in the same command. */
const BEFORE = "\\s(?:[^\\r\\n|;&]{0,200}?\\s)??";
const WORD = `(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'/|;&<>()][^\\s"'|;&<>()]{3,}))`;
const IN_QUOTES = `(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})')`;
const TO_SECURE =
  "ConvertTo-SecureString Convertto-SecureString convertto-securestring CONVERTTO-SECURESTRING";
const SECURE_OPTIONS =
  "(?i:convertto-securestring)\\s{1,4}(?:(?i:-(?:string|asplaintext|force))\\s{1,4}){0,3}";
const SHARE = "\\\\\\\\[^\\s]{1,120}";
const SHARE_OPTIONS = "(?:\\s{1,4}/[A-Za-z]{1,12}(?::[^\\s]{1,60})?){0,4}";
const isWordGiven = (value: string) => isGivenPassword(value) && !isSettingsWord(value);

/** The arguments of commands of Windows, which ignore case, and of programs that log in to it from elsewhere. */
export const WINDOWS_RULES: readonly Rule[] = [
  rule("option-secret", "secret in a command's option", TO_SECURE, `${SECURE_OPTIONS}${IN_QUOTES}`, {
    check: isGivenPassword,
  }),
  rule("option-secret", "secret in a command's option", TO_SECURE, `${SECURE_OPTIONS}${BARE}`, {
    endOf: bareEnd,
    check: looksLikePassword,
  }),
  // Given by the pipe before it: the text in quotes there.
  rule("option-secret", "secret in a command's option", TO_SECURE, "(?i:convertto-securestring)\\s", {
    left: /(?<=")[^"\r\n]{4,80}"\s{0,4}\|\s{0,4}$|(?<=')[^'\r\n]{4,80}'\s{0,4}\|\s{0,4}$/,
    endOf: endBeforePipe,
    check: isGivenPassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "psexec PsExec Psexec PSEXEC schtasks Schtasks SCHTASKS",
    `(?:(?i:psexec)(?:64)?(?i:\\.exe)?${BEFORE}-[pP]\\s{1,4}|(?i:schtasks)(?i:\\.exe)?${BEFORE}/(?i:rp)\\s{1,4})${WORD}`,
    { check: isGivenPassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "plink pscp psftp putty PLINK PSCP",
    `(?i:plink|pscp|psftp|putty)(?i:\\.exe)?${BEFORE}-pw\\s{1,4}${WORD}`,
    { check: isGivenPassword },
  ),
  // A share, and behind or before its user the password.
  rule(
    "option-secret",
    "secret in a command's option",
    "net NET Net net.exe",
    `(?i:net(?:\\.exe)?\\s{1,4}use)\\s(?:[^\\r\\n|;&]{0,120}?\\s)??${SHARE}${SHARE_OPTIONS}\\s{1,4}${quotedOrBare(5)}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "net NET Net net.exe",
    `(?i:net(?:\\.exe)?\\s{1,4}use)\\s(?:[^\\r\\n|;&]{0,120}?\\s)??${SHARE}(?:${SHARE_OPTIONS}\\s{1,4}(?i:/u(?:ser)?):[^\\s]{1,60}\\s{1,4}${WORD}|\\s{1,4}${WORD}\\s{1,4}(?i:/u(?:ser)?):)`,
    { check: isWordGiven },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "net NET Net net.exe",
    `(?i:net(?:\\.exe)?\\s{1,4}user)\\s{1,4}(?:"[^"\\r\\n]{1,60}"|[^\\s"'/|;&*]{1,60})\\s{1,4}${quotedOrBare(5)}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "evil-winrm crackmapexec netexec nxc",
    `(?:evil-winrm|crackmapexec|netexec|nxc)${BEFORE}-p\\s{1,4}${quotedOrBare(5)}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  // Impacket's programs: domain, user, password and host in one.
  rule(
    "option-secret",
    "secret in a command's option",
    "impacket- psexec.py wmiexec.py smbexec.py secretsdump.py",
    `(?:impacket-\\w{2,20}|\\w{2,20}\\.py)${BEFORE}["']?(?:[\\w.-]{1,60}/)?[\\w.$-]{1,60}:([^\\s"'/]{4,60})@[\\w.-]`,
    { check: isGivenPassword },
  ),
];

/** Where the quoted text ends that a pipe gives to the command at `at`. */
function endBeforePipe(text: string, at: number, start: number): number {
  const before = text.slice(start, at);
  return start + Math.max(before.lastIndexOf('"'), before.lastIndexOf("'"));
}
