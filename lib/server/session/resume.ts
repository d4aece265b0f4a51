import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { slugOf } from "@/lib/server/disk/folder-entries";
import type { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import type { SessionDetail } from "@/lib/wire/session";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The command that resumes a session in a terminal, for a POSIX shell; `null` if its log is not named by a UUID. */
export function resumeCommand({ id, projectPath }: Pick<SessionFiles, "id" | "projectPath">): string | null {
  const uuid = UUID.exec(id)?.[0];
  return uuid ? `cd ${shellWord(projectPath)} && claude --resume ${uuid}` : null;
}

type Resume = Pick<SessionDetail, "resumeCommand" | "resumeProblem" | "restoreCommand">;

/**
 * How a session is resumed. The client looks for a log under the name of the folder that it is started in: neither a log
 * that is only kept nor a folder that was moved or removed will do, and then it says what will.
 * @param flags with which `backscroll` reads what this server reads
 */
export function resumeOf(catalog: Catalog, files: SessionFiles, flags: readonly string[]): Resume {
  const { id, main, projectPath } = files;
  const restoreCommand = main.kept ? restoreCommandOf(catalog, files, flags) : null;
  const plain = main.gone ? null : resumeCommand(files);
  const isFolderGone = !catalog.project(files.projectId).pathGuessed && !existsSync(projectPath);
  if (plain === null || !(main.kept || isFolderGone))
    return { resumeCommand: plain, resumeProblem: null, restoreCommand };
  const other = isFolderGone ? folderNow(catalog, files) : null;
  const steps = [
    restoreCommand,
    other ? copyCommand(files, other) : isFolderGone ? `mkdir -p ${shellWord(projectPath)}` : null,
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
            ? "If it was moved, resume from its new place with a copy of the log; a removed one can be made again, empty."
            : null,
      ]
        .filter((part) => part !== null)
        .join(" "),
      command: steps.filter((step) => step !== null).join(" && "),
    },
    restoreCommand,
  };
}

function restoreCommandOf(catalog: Catalog, { id }: SessionFiles, flags: readonly string[]): string {
  const to = catalog.surroundings(id).configRoot ?? "restored";
  return ["backscroll restore", id, "--to", shellWord(to), ...flags.map(shellWord)].join(" ");
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
  const to = shellWord(join(root, slugOf(folder)));
  const from = shellWord(join(dirname(main.path), basename(main.path, ".jsonl")));
  return `mkdir -p ${to} && cp -Rn ${from}* ${to}/`;
}

function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
