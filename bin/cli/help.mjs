import { EXPORT_FORMAT_IDS } from "../../lib/wire/export-formats.mjs";

/** What `--help` prints. */
export const HELP = `backscroll: read, search and follow Claude Code sessions in the browser

  backscroll [PATH…]         serve the sessions on this machine, or only these logs or folders of logs
  backscroll index           index everything, with a progress bar, and exit
  backscroll export SESSION --format ${EXPORT_FORMAT_IDS.join("|")} [--output FILE] [--redact] [--tilde] [--relative]
                             [--comments] [--branch N|ID] [--turns 3-7] [--records A..B|A,B,C]
                             [--without thinking,tools,agents,images]
                             [--digest N] a clone (jsonl) with a digest of all but the last N turns
                             FILE is - for standard output, where it goes without one
                             --redact replaces secrets, --tilde writes the home folder as ~,
                             --relative paths in the project from its folder,
                             --comments adds yours (html, md, json)
  backscroll export SESSION… --format FORMAT --to FILE.zip [--redact] [--tilde] [--relative]
                             [--comments] [--without thinking,tools,agents,images] several sessions, each a file of a zip
  backscroll restore SESSION --to FOLDER [--project DIR]
                             write a session's files as the client wrote them, also of a deleted session;
                             with DIR where the client looks for them when it is started there
  backscroll doctor [--json] what was read: files, records by type and version, whatever is damaged
  backscroll doctor --secrets [--json|--sarif]  secrets in the logs, by kind and session, with where

  backscroll sessions [QUERY] [--project ID|DIR] [--sort active|started|title|bytes|turns|tools|errors|tokens|cost] [--limit N] [--json]
                             the sessions of the library, a line each: when, project, id, turns, cost, title
  backscroll running [--json]
                             the sessions that run or wait for you, and what they do or ask
  backscroll open SESSION [--at RECORD]
                             serve as backscroll does, and open this session, at a record
  backscroll search QUERY [--project ID|DIR] [--limit N] [--json]
                             find text in prompts, answers, tool calls and outputs, with links
  backscroll usage [--by day|week|month|project|model|branch|agent|tool|session|prompt] [--from DATE] [--to DATE] [--project ID|DIR] [--json]
                             tokens, and what they would cost at the API's prices
  backscroll prompts [WORDS] [--project ID|DIR] [--from DATE] [--to DATE] [--limit N] [--json]
                             what was typed, the latest first, a line each: when, project, session, text
  backscroll why PATH:LINE [--json]
                             which change of which session wrote a line of a file, and what changed it later
  backscroll files SESSION [PATH] [--at RECORD] [--output FILE] [--json]
                             the files that it read or changed; with PATH the text of one, at the end or at a record
  backscroll files SESSION --to FOLDER [--at RECORD]
                             all files that it changed, as they were then
  backscroll annotations export [--output FILE] | import FILE
                             stars, names, tags, notes, bookmarks, comments, kept searches as W3C Web Annotations

  backscroll mcp [--no-redact]
                             an MCP server on stdin and stdout, for assistants that search and read sessions

  backscroll archive [--json] what is kept of all that was read, and where
  backscroll archive verify   read everything that is kept, and compare every hash
  backscroll archive export DIR | import DIR      copy what is kept to a folder, or add a copy from there
  backscroll archive remove [SESSION|PROJECT…] [--older-than DAYS] [--yes]
                             list what would go; with --yes remove it for good

  --port N                   port to listen on; 0 takes any free one       [4747]      BACKSCROLL_PORT
  --host ADDRESS             address to listen on as well as on 127.0.0.1  [127.0.0.1] BACKSCROLL_HOST
  --allow-host NAME          also answer to this name, e.g. behind a proxy; repeatable BACKSCROLL_ALLOW_HOST (a,b)
  --base-path /PATH          serve below this path, as a proxy does that leaves it on  BACKSCROLL_BASE_PATH
  --claude-dir DIR           Claude configuration folder; repeatable                   BACKSCROLL_CLAUDE_DIR (a${process.platform === "win32" ? ";" : ":"}b)
                             [$CLAUDE_CONFIG_DIR, else ~/.claude and ~/.config/claude]
  --data-dir DIR             where the index and the token are kept        [cache]     BACKSCROLL_DATA_DIR
  --archive-dir DIR          where what was read is kept, so that nothing is lost when the client removes its logs
                             [data folder of the user, else archive in --data-dir]     BACKSCROLL_ARCHIVE_DIR
  --no-archive               keep nothing                                              BACKSCROLL_NO_ARCHIVE=1
  --prices FILE              your own prices, as README shows, before built-in ones    BACKSCROLL_PRICES
  --token T                  use this token: 16 or more of A-Z a-z 0-9 - _ . ~         BACKSCROLL_TOKEN
  --new-token                make a new token; links with the old one stop working     BACKSCROLL_NEW_TOKEN=1
  --no-open                  do not open a browser                                     BACKSCROLL_NO_OPEN=1
  --demo                     serve the sample sessions that come with Backscroll       BACKSCROLL_DEMO=1
  --help, --version
`;

/**
 * What `--help` prints behind a command: its own lines, and where the rest is; all of it where no command is named.
 *
 * @param {string[]} args of the command line, without node and script
 */
export function helpFor(args) {
  // A command with the lines below that go on with it.
  const entries = HELP.match(/^ {2}backscroll [a-z].*\n(?: {10,}.*\n)*/gm) ?? [];
  const named = args.map((word) => entries.filter((entry) => entry.startsWith(`  backscroll ${word} `)));
  const own = named.find((found) => found.length > 0);
  return own
    ? `${own.join("")}\n  backscroll --help          everything, with the flags that all commands take\n`
    : HELP;
}
