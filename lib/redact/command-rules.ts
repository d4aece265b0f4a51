import { isGivenPassword, isSettingsWord, looksLikePassword, notExample } from "./looks";
import { ANYWHERE, BARE, bareEnd, quotedOrBare, type Rule, rule, SET } from "./rule";

/** Options and words before another one, in the same command. */
const BEFORE = "\\s(?:[^\\r\\n|;&]{0,120}?\\s)??";
/** A user's name, and behind the colon the password. */
const LOGIN = `(?:"[^\\s:"']{1,60}:([^"\\r\\n]{4,})"|'[^\\s:"']{1,60}:([^'\\r\\n]{4,})'|[^\\s:"']{1,60}:(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"']{4,})))`;
const WORD = `(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'|;&<>()]{4,}))`;
const IN_QUOTES = `(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})')`;
/** `sudo -S`, which reads the password from its input: among sudo's own options, not those of the command it runs. */
const SUDO = `sudo(?:\\s{1,4}-[A-Za-z-]{1,20}(?:\\s{1,4}(?:'[^'\\r\\n]*'|"[^"\\r\\n]*"|[^\\s'"|;&-][^\\s|;&]*))?)*?\\s{1,4}-[A-Za-z]{0,4}S`;
/** These read nothing else from their input, so any word there is a password. */
const isTyped = (value: string) => notExample(value) && !/^\$|[$`]\(/.test(value);

/** What follows the first colon of a format for times, as in `date -u +%H:%M:%SZ` (2.1.332 shows its model such a command). */
const IN_TIME_FORMAT = /^%-?[A-Za-z](?:[^A-Za-z0-9]|$)/;
const isLoginPassword = (value: string) => looksLikePassword(value) && !IN_TIME_FORMAT.test(value);

/** Secrets in the arguments of commands, or in input that the command before gives them. */
export const COMMAND_RULES: readonly Rule[] = [
  rule(
    "curl-user",
    "password for curl",
    "-u --user -U --proxy-user",
    `(?:-[uU] ?|--(?:proxy-)?user[ =])${LOGIN}`,
    { check: isLoginPassword },
  ),
  // Behind other options of one letter: `curl -su`.
  rule("curl-user", "password for curl", "curl", `curl${BEFORE}-[A-Za-z#]{1,8}u ?${LOGIN}`, {
    check: isLoginPassword,
  }),
  rule("curl-user", "password for curl", "-a --auth", `(?:-a|--auth)[ =]${LOGIN}`, {
    left: /\b(?:https?|xhs?)\s(?:[^\r\n|;&]*\s)?$/,
    check: isLoginPassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "--pass --token --secret --api-key --apikey --access-token --auth-token --client-secret --pw --requirepass",
    `--(?:password|passphrase|pass|pwd|pw|token|secret|api-?key|access-token|auth-token|client-secret|secret-string|requirepass)(?:[ =]["']?|["'],\\s{0,8}["'])${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  // Options of one letter that mean a password with these commands alone.
  rule(
    "option-secret",
    "secret in a command's option",
    "mysql mariadb docker podman",
    `(?:(?:mysql|mariadb)(?:dump|admin|import)?\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p|(?:docker|podman)\\s{1,4}login\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p[ =])["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "redis-cli mongo cqlsh sqlcmd bcp osql isql tsql ipmitool ldap",
    `(?:redis-cli${BEFORE}-a\\s{1,4}|(?:mongo[a-z]{0,8}|cqlsh)${BEFORE}-p\\s{0,4}|(?:sqlcmd|bcp|osql|isql|tsql|ipmitool)${BEFORE}-P\\s{0,4}|ldap[a-z]{3,8}${BEFORE}-w\\s{1,4})["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  // Nothing but a password can be in these positions, so a plain word is one too.
  rule("option-secret", "secret in a command's option", "-P -N", `-[PN]\\s{0,4}${WORD}`, {
    left: /(?:^|[\s;|&(`"'])(?:\S*\/)?(?:(?:un)?zip|ssh-keygen)\s(?:[^\r\n|;&]*\s)?$/,
    check: isGivenPassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "7z rar unrar sshpass",
    `(?:7z[a-z]?${BEFORE}-p|(?:un)?rar${BEFORE}-h?p|sshpass\\s{1,4}-p\\s{0,4})${WORD}`,
    { left: /(?<![\w.-])$/, check: isGivenPassword },
  ),
  // The last word, after the file, where there is one, and the user.
  rule(
    "option-secret",
    "secret in a command's option",
    "htpasswd",
    `htpasswd\\s{1,4}(?:-[A-Za-z0-9]{1,10}\\s{1,4}){0,3}-[A-Za-z0-9]{0,8}b[A-Za-z0-9]{0,8}(?:\\s{1,4}-[A-Za-z0-9]{1,10}){0,3}(?:\\s{1,4}(?:"[^"\\r\\n]{1,90}"|'[^'\\r\\n]{1,90}'|[^\\s"'|;&<>()#-][^\\s"'|;&<>()]{0,90})){1,3}\\s{1,4}${WORD}`,
    { check: isGivenPassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "openssl",
    `openssl\\s{1,4}passwd(?:\\s{1,4}-(?:salt\\s{1,4}[^\\s|;&]{1,20}|[a-z0-9]{1,8})){0,4}\\s{1,4}(?:"([^"\\r\\n]{4,})"|'([^'\\r\\n]{4,})'|([^\\s"'|;&<>()-][^\\s"'|;&<>()]{3,}))`,
    { check: isGivenPassword },
  ),
  // `openssl enc`, `influx`, `rclone config`, Samba's clients and `lftp`.
  rule(
    "option-secret",
    "secret in a command's option",
    "openssl influx rclone smbclient rpcclient lftp",
    `(?:openssl${BEFORE}-k\\s{1,4}|influx${BEFORE}(?:-t|-p)\\s{1,4}|rclone${BEFORE}(?:obscure|pass|password)[ =]|(?:smb|rpc)client${BEFORE}-U\\s{0,4}["']?[^\\s%"']{1,60}%|lftp${BEFORE}-u\\s{1,4}["']?[^\\s,"']{1,60},)${quotedOrBare(5)}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "login",
    `login\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p[ =]${quotedOrBare(5)}`,
    {
      left: /\b(?:helm\s{1,4}registry|crane\s{1,4}auth|skopeo|oras|buildah|nerdctl|oc|cf|az|az\s{1,4}acr)\s{1,4}$/,
      endOf: bareEnd,
      check: looksLikePassword,
    },
  ),
  // With one dash, as of databases' and Java's commands.
  rule(
    "option-secret",
    "secret in a command's option",
    "-password -Password -passwd -pwd -storePassword",
    `-(?:(?:store)?[Pp]assw(?:or)?d|pwd)[ =]${quotedOrBare(5)}`,
    { left: /(?<![^\s"'])$/, endOf: bareEnd, check: looksLikePassword },
  ),
  rule("option-secret", "secret in a command's option", "--passphrase", `--passphrase[ =]${IN_QUOTES}`, {
    left: ANYWHERE,
    check: isGivenPassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "--from-literal",
    `--from-literal[ =]["']?[\\w.-]{1,80}=${quotedOrBare(4)}`,
    { left: ANYWHERE, endOf: bareEnd, check: (value) => value.length > 3 && isGivenPassword(value) },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "storepass keypass",
    `(?:store|key)pass(?:\\s{1,4}|${SET})["']?${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "-storepass -keypass",
    `-(?:store|key)pass\\s{1,4}${WORD}`,
    {
      left: /\b(?:keytool|jarsigner|apksigner)\s(?:[^\r\n|;&]*\s)?$/,
      check: (value) => isGivenPassword(value) && !isSettingsWord(value),
    },
  ),
  // Of SNMP's third version: to prove who asks, and to encrypt.
  rule("option-secret", "secret in a command's option", "-A -X", `-[AX]\\s{1,4}${WORD}`, {
    left: /\bsnmp[a-z]{2,12}\s(?:[^\r\n|;&]*\s)?$/,
    check: isGivenPassword,
  }),
  rule("option-secret", "secret in a command's option", "pass:", `pass:${BARE}`, {
    left: /\s-pass(?:in|out)?\s{1,4}["']?$/,
    endOf: bareEnd,
    check: looksLikePassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "echo printf",
    `(?:echo|printf)\\s{1,4}(?:-[neE]{1,3}\\s{1,4})?${WORD}\\s{0,4}\\|\\s{0,4}(?:${SUDO}|(?:sudo\\s{1,4})?(?:chpasswd|passwd\\s[^\\r\\n|;&]{0,60}--stdin|passwd\\s{1,4}[\\w.-]{1,40}|kinit|su(?:\\s{1,4}-l?)?\\s{1,4}[\\w.-]{1,40}|vncpasswd|smbpasswd|openconnect|cryptsetup\\s[^\\r\\n|;&]{1,90}|openssl\\s{1,4}passwd\\s[^\\r\\n|;&]{0,60}-stdin|gpg\\s[^\\r\\n|;&]{0,90}?--passphrase-fd\\s{1,4}0)|[^\\r\\n|;&]{1,100}?\\s(?:--(?:password-stdin|with-token)|(?:env|secrets?)\\s{1,2}(?:add|put|set|create|import|versions\\s{1,2}add)))\\b`,
    { check: isTyped },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "sudo kinit",
    `(?:${SUDO}|kinit)[^\\r\\n|;&<]{0,200}<<<\\s{0,4}${WORD}`,
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
    `secrets?\\s{1,2}set${BEFORE}(?:(?:--body|-b|--value)[ =]|[A-Z][A-Z0-9_]{1,60}=)${quotedOrBare(5)}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "user-secrets put-parameter",
    `(?:user-secrets\\s{1,2}set\\s{1,4}(?:"[^"\\r\\n]{1,90}"|'[^'\\r\\n]{1,90}'|[^\\s"']{1,90})\\s{1,4}|put-parameter${BEFORE}--value[ =])${quotedOrBare(5)}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "option-secret",
    "secret in a command's option",
    "add_user change_password",
    `(?:add_user|change_password)\\s{1,4}[\\w.@-]{1,60}\\s{1,4}${quotedOrBare(5)}`,
    { left: /\brabbitmqctl\s(?:[^\r\n|;&]*\s)?$/, endOf: bareEnd, check: looksLikePassword },
  ),
  // MinIO's client: the key after the address and its id.
  rule(
    "option-secret",
    "secret in a command's option",
    "alias",
    `alias\\s{1,4}set\\s{1,4}[\\w-]{1,60}\\s{1,4}\\S{4,200}\\s{1,4}\\S{3,100}\\s{1,4}["']?${BARE}`,
    { left: /\bmc\s{1,4}$/, endOf: bareEnd, check: looksLikePassword },
  ),
  // Oracle's tools write it between the user and the database.
  rule(
    "option-secret",
    "secret in a command's option",
    "sqlplus expdp impdp sqlldr",
    `(?:sqlplus|expdp|impdp|sqlldr)\\s{1,4}(?:-[A-Za-z]{1,8}\\s{1,4}){0,3}["']?[\\w$.]{1,60}/([^\\s@"'/]{4,60})@`,
    { check: isGivenPassword },
  ),
  rule("option-secret", "secret in a command's option", "/p: /pass:", `/p(?:ass)?:["']?${BARE}`, {
    left: /\b(?:[xw]?freerdp\d?|cmdkey)(?:\.exe)?\s(?:[^\r\n|;&]*\s)?$/,
    endOf: bareEnd,
    check: looksLikePassword,
  }),
];
