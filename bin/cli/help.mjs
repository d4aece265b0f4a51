import { EXPORT_FORMAT_IDS } from "../../lib/wire/export-formats.mjs";

/** What `--help` prints. */
export const HELP = `backscroll: read, search and follow Claude Code sessions in the browser

  backscroll [PATH…]         serve the sessions on this machine, or only these logs or folders of logs
  backscroll index           index everything, with a progress bar, and exit
  backscroll export SESSION --format ${EXPORT_FORMAT_IDS.join("|")} [--output FILE]
  backscroll doctor [--json] what was read: files, records by type and version, whatever is damaged

  --port N                   port to listen on; 0 takes any free one       [4747]     BACKSCROLL_PORT
  --host ADDRESS             address to listen on                          [127.0.0.1] BACKSCROLL_HOST
  --allow-host NAME          also answer to this name, e.g. behind a proxy; repeatable BACKSCROLL_ALLOW_HOST (a,b)
  --claude-dir DIR           Claude configuration folder; repeatable                   BACKSCROLL_CLAUDE_DIR (a${process.platform === "win32" ? ";" : ":"}b)
                             [$CLAUDE_CONFIG_DIR, else ~/.claude and ~/.config/claude]
  --data-dir DIR             where the index and the token are kept        [cache]    BACKSCROLL_DATA_DIR
  --token T                  use this token: 16 or more of A-Z a-z 0-9 - _ . ~         BACKSCROLL_TOKEN
  --new-token                make a new token; links with the old one stop working     BACKSCROLL_NEW_TOKEN=1
  --no-open                  do not open a browser                                     BACKSCROLL_NO_OPEN=1
  --demo                     serve the sample sessions that come with Backscroll       BACKSCROLL_DEMO=1
  --help, --version
`;
