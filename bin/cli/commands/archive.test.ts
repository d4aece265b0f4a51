import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { publishArchiveCommands } from "@/lib/server/archive/archive-commands";
import { damaged } from "@/lib/server/archive/chunks";
import { fakeApi } from "@/lib/testing/fake-api";
import { printArchive, runOnArchive } from "./archive.mjs";

let folder = "";
let logs = "";

beforeEach(() => {
  publishArchiveCommands();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-archive-")));
  logs = join(folder, "logs");
  mkdirSync(logs);
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (action: "export" | "import", other: string) =>
  runOnArchive({ name: "archive", action, folder: other }, join(folder, "archive"), [
    { path: logs, kind: "config" },
  ]);

it("copies nothing into the logs, also where a link leads there; from there it does", async () => {
  symlinkSync(logs, join(folder, "link"), "junction");
  for (const other of [join(logs, "copy"), join(folder, "link", "copy"), join(folder, "link")])
    await expect(run("export", other)).rejects.toThrow("lies among the logs");
  await expect(run("import", join(logs, "copy"))).rejects.toThrow("there is nothing kept in");
});

it("says that a file is no folder to copy to, or from", async () => {
  writeFileSync(join(folder, "file"), "");
  for (const action of ["export", "import"] as const)
    await expect(run(action, join(folder, "file"))).rejects.toThrow("file is a file. Give a folder.");
});

it("takes the archive for itself by any path", async () => {
  mkdirSync(join(folder, "archive"));
  symlinkSync(join(folder, "archive"), join(folder, "link"), "junction");
  await expect(run("export", join(folder, "link"))).rejects.toThrow("that is the archive itself");
});

it("does not call whole what is not there, as on a disk that is not mounted", async () => {
  const verified = runOnArchive({ name: "archive", action: "verify" }, join(folder, "archive"), []);
  await expect(verified).rejects.toThrow(`there is nothing kept in ${join(folder, "archive")}.`);
});

it("says what is kept, with the time by the clock of this machine", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const archive = {
    ...{ path: "/kept", enabled: true, files: 1, bytes: 21_300, storedBytes: 5_800, keptOnly: 1 },
    ...{ lastKeptAtMs: Date.parse("2026-11-19T20:00:00Z"), filling: null, problems: [] },
  };
  const server = await fakeApi((_, response) => response.end(JSON.stringify(archive)));
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    written.mockRestore();
  });
  await printArchive(server, { json: false });
  expect(written.mock.calls[0]?.[0]).toBe(
    "/kept\n1 file of 21 kB is kept in 5.8 kB\n1 session is only here, no longer on disk\nlast kept 2026-11-20 05:00\n",
  );
});

it("tells the days of what would be removed by the clock of this machine", async () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const session = {
    ...{ id: "s", project: "/shop", files: 1, bytes: 10, isGone: true },
    lastWrittenAtMs: Date.parse("2026-11-19T20:00:00Z"),
  };
  vi.stubGlobal(Symbol.for("backscroll.archive"), { listRemoval: async () => [session] });
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    written.mockRestore();
  });
  const removal = {
    name: "archive",
    action: "remove",
    words: ["s"],
    olderThanDays: null,
    yes: false,
  } as const;
  await runOnArchive({ ...removal, words: ["s"] }, folder, []);
  expect(written.mock.calls[0]?.[0]).toBe("s  2026-11-20  1 file, 10 B  nowhere else  /shop\n");
});

it("says which sessions that were brought in keep their paths, why, and how they are read", async () => {
  const elsewhere = "/home/another one/.claude";
  const rootWord = "'/home/another one/.claude'";
  const stayed = [
    {
      root: elsewhere,
      rootWord,
      why: "in-archive",
      files: 3,
      sessions: [`${elsewhere}/projects/-a/1.jsonl`],
    },
    { root: "/home/another/logs", why: "no-config", files: 2, sessions: [] },
    { root: logs, why: "on-disk", files: 1, sessions: [] },
  ];
  const { bringIn, printed } = bringingIn({ files: 6, bytes: 10, fresh: 0, moved: 0, leftOut: [], stayed });
  await run("import", join(folder, "other"));
  expect(bringIn).toHaveBeenCalledWith(join(folder, "other"), join(folder, "archive"), logs);
  expect(printed()[0]).toMatch(/^Copied 6 files, 10 B, from .*, where all of it was already\n$/);
  expect(printed().slice(1)).toEqual([
    `3 of them keep their paths in ${elsewhere}: the archive has had other files of that folder before. --claude-dir ${rootWord} shows it\n  ${elsewhere}/projects/-a/1.jsonl\n`,
    "2 of them keep their paths in /home/another/logs: that is no Claude folder, so their place in one is not known\n",
    `1 of them keeps its path in ${logs}: that folder is on this disk\n`,
  ]);
});

it("says to which of several folders files of another machine are moved", async () => {
  const second = join(folder, "second");
  mkdirSync(second);
  const { bringIn, printed } = bringingIn({
    files: 2,
    bytes: 10,
    fresh: 1,
    moved: 1,
    leftOut: [],
    stayed: [],
  });
  await run("import", join(folder, "other"));
  expect(printed()[0]).toMatch(/^Copied 2 files, 10 B, from .*; 1 of them is new or changed\n$/);
  expect(printed()[1]).toBe(`1 of them is another machine's, and kept as if it had been in ${logs}\n`);
  const roots = [second, logs].map((path) => ({ path, kind: "config" as const }));
  const command = { name: "archive", action: "import", folder: join(folder, "other") } as const;
  await runOnArchive(command, join(folder, "archive"), roots);
  expect(bringIn).toHaveBeenLastCalledWith(join(folder, "other"), join(folder, "archive"), second);
  expect(printed()[3]).toBe(
    `1 of them is another machine's, and kept as if it had been in ${second}, the first of the 2 Claude folders that are read. Another --claude-dir in front takes its place\n`,
  );
});

it("says what was left out since it was damaged, where to get it, and that not all is well", async () => {
  const leftOut = ["The chunk a is damaged or missing, of /logs/1.jsonl"];
  const { printed } = bringingIn({ files: 0, bytes: 0, fresh: 0, moved: 0, leftOut, stayed: [] });
  const other = join(folder, "other");
  await expect(run("import", other)).resolves.toBe(false);
  expect(printed().at(-1)).toBe(
    `1 damaged part is left out:\n  ${leftOut[0]}\nOnly another copy of ${other} has it: archive import brings it from there.\nA file that is on disk is kept anew, as it is now, when Backscroll starts.\n`,
  );
});

it("says what to do about an archive that is damaged", async () => {
  vi.stubGlobal(Symbol.for("backscroll.archive"), {
    listRemoval: async () => {
      throw damaged("The manifest a is damaged");
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const removal = {
    name: "archive",
    action: "remove",
    olderThanDays: null,
    yes: true,
  } as const;
  await expect(runOnArchive({ ...removal, words: ["s"] }, join(folder, "archive"), [])).rejects.toThrow(
    /^The manifest a is damaged\. .*archive verify/,
  );
});

/** An archive whose import answers this, and the lines that were printed. */
function bringingIn(answer: object) {
  const bringIn = vi.fn(async () => answer);
  vi.stubGlobal(Symbol.for("backscroll.archive"), { bringIn, mayHold: () => true });
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    written.mockRestore();
  });
  return { bringIn, printed: () => written.mock.calls.map(([line]) => line) };
}
