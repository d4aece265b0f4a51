import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOfWindows } from "@/lib/format/text";
import { slugOf } from "@/lib/server/disk/folder-entries";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { posixWord, powershellWord, shellWord } from "@/lib/server/runtime/shell-words";
import { uuidOfSession } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

/**
 * The command that resumes a session in a terminal: for a POSIX shell, for PowerShell where its folder is one of Windows,
 * whose older versions know no `&&`. `null` if its log is not named by a UUID.
 */
export function resumeCommand({ id, projectPath }: Pick<SessionFiles, "id" | "projectPath">): string | null {
  const uuid = uuidOfSession(id);
  const { goTo, and } = shellOf(projectPath);
  return uuid ? `${goTo(projectPath)}${and}claude --resume ${uuid}` : null;
}

type Resume = Pick<SessionDetail, "resumeCommand" | "resumeProblem" | "restoreCommand">;

/**
 * How a session is resumed. The client looks for a log under the name of the folder in which it is started: this fails
 * for a log that is only kept, and after a folder was moved or removed; then the answer says what to do.
 * @param flags with which `backscroll` reads what this server reads
 */
export function resumeOf(catalog: Catalog, files: SessionFiles, flags: readonly string[]): Resume {
  const { id, main, projectPath } = files;
  const restore = restoreCommandOf(catalog, files, flags);
  const restoreCommand = main.kept ? restore : null;
  const plain = main.gone ? null : resumeCommand(files);
  // Logs of another system name folders that do not exist here: nothing is known of those.
  const isFolderGone =
    !catalog.project(files.projectId).pathGuessed &&
    isOfWindows(projectPath) === (process.platform === "win32") &&
    !existsSync(projectPath);
  if (plain === null || !(main.kept || isFolderGone))
    return { resumeCommand: plain, resumeProblem: null, restoreCommand };
  const other = isFolderGone ? folderNow(catalog, files) : null;
  const shell = shellOf(projectPath);
  const steps = [
    restoreCommand,
    other ? copyCommand(files, other) : isFolderGone ? shell.makeFolder(projectPath) : null,
    resumeCommand({ id, projectPath: other ?? projectPath }),
  ];
  return {
    resumeCommand: plain,
    resumeProblem: {
      message: [
        main.kept ? "Its log was deleted, and is only in the archive" : null,
        isFolderGone ? `The folder ${projectPath} is not there` : null,
      ]
        .filter((part) => part !== null)
        .join(". "),
      hint: [
        main.kept ? "Restore it first." : null,
        other
          ? `A newer session ran in ${other}: if the folder was moved there, give the client a copy of the log for it.`
          : isFolderGone
            ? "If it was removed, it can be made again, empty. If it was moved, put a copy of the log where the client looks for it in NEW_FOLDER, and resume it there."
            : null,
      ]
        .filter((part) => part !== null)
        .join(" "),
      command: steps.filter((step) => step !== null).join(shell.and),
      moveCommand: isFolderGone && !other ? `${restore} --project NEW_FOLDER` : null,
    },
    restoreCommand,
  };
}

function restoreCommandOf(catalog: Catalog, { id }: SessionFiles, flags: readonly string[]): string {
  // A path on this machine, whatever system the session is from.
  const to = catalog.surroundings(id).configRoot ?? "restored";
  const words = [to, ...flags].map((text) => shellWord(text));
  return ["backscroll restore", id, "--to", ...words].join(" ");
}

/** A folder of the same name that is there, in which a newer session ran. */
function folderNow(catalog: Catalog, { id, projectPath }: SessionFiles): string | null {
  if (catalog.surroundings(id).configRoot === null) return null;
  const sinceMs = catalog.summary(id).lastActiveAtMs ?? 0;
  const mayBe = catalog
    .projects()
    .filter(
      ({ path, pathGuessed, lastActiveAtMs }) =>
        !pathGuessed &&
        path !== projectPath &&
        basename(path) === basename(projectPath) &&
        (lastActiveAtMs ?? 0) > sinceMs,
    );
  return mayBe.find(({ path }) => existsSync(path))?.path ?? null;
}

/**
 * Copies the log, and the session's own folder beside it, to where the client looks for it from another folder. 2.1.42
 * finds it only so; 2.1.330 also where it was.
 */
function copyCommand({ root, main }: SessionFiles, folder: string): string {
  const shell = shellOf(folder);
  const to = join(root, slugOf(folder));
  const from = join(dirname(main.path), basename(main.path, ".jsonl"));
  return `${shell.makeFolder(to)}${shell.and}${shell.copyNew(from, to)}`;
}

/** How a command is written. `copyNew`: copies everything whose name begins with a prefix, and overwrites nothing. */
type Shell = {
  word: (text: string) => string;
  and: string;
  goTo: (path: string) => string;
  makeFolder: (path: string) => string;
  copyNew: (from: string, to: string) => string;
};

export const POSIX: Shell = {
  word: posixWord,
  and: " && ",
  goTo: (path) => `cd ${posixWord(noOption(path))}`,
  makeFolder: (path) => `mkdir -p ${posixWord(noOption(path))}`,
  copyNew: (from, to) => `cp -Rn ${posixWord(from)}* ${posixWord(to)}/`,
};

const POWERSHELL: Shell = {
  word: powershellWord,
  and: "; ",
  // Brackets are a pattern: `app\[id]` is `app\i`, or `app\d`.
  goTo: (path) => `cd ${/[[\]]/.test(path) ? "-LiteralPath " : ""}${powershellWord(path)}`,
  makeFolder: (path) => `New-Item -ItemType Directory -Force ${powershellWord(path)} | Out-Null`,
  copyNew: (from, to) => {
    const log = powershellWord(join(to, `${basename(from)}.jsonl`));
    const copy = `Copy-Item ${powershellWord(`${from}*`)} ${powershellWord(to)} -Recurse`;
    return `if (-not (Test-Path ${log})) { ${copy} }`;
  },
};

/** A log may say of its folder what `cd` and `mkdir` would take for an option. */
const noOption = (path: string): string => (path.startsWith("-") ? `./${path}` : path);

function shellOf(folder: string): Shell {
  return isOfWindows(folder) ? POWERSHELL : POSIX;
}
