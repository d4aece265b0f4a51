import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "@/lib/server/index/load-sqlite";
import type { LibraryReport } from "@/lib/testing/programs/read-library";
import { bundleProgram, REPO } from "@/lib/testing/programs/run-program";
import { fixtureFolder } from "@/lib/testing/recorded";

/** Blocks of 512 bytes (dash) or a KiB (bash): less than the index needs, and more than nothing. */
const LIMIT = 700;

async function libraryOfThree() {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-disk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tree = join(folder, "claude");
  for (const version of ["2.0.76", "2.1.42", "2.1.330"])
    cpSync(fixtureFolder(version), tree, { recursive: true });
  const program = await bundleProgram("read-library", folder);
  const [full, never] = ["full", "never"].map((name) => join(folder, name)) as [string, string];
  for (const dataDir of [full, never]) mkdirSync(dataDir);
  return { tree, program, full, never };
}

const env = { ...process.env, BACKSCROLL_PACKAGE_ROOT: REPO };

/** A write past the limit fails as on a full disk, but for the signal, which is ignored. */
function limited(limit: string, command: string[]): [string, string[]] {
  return ["sh", ["-c", `trap "" XFSZ; ulimit -S -f ${limit}; exec "$@"`, "sh", process.execPath, ...command]];
}

function sessionsIn(dataDir: string): number {
  const database = openDatabase(join(dataDir, "index.db"), { readOnly: true });
  try {
    const { n } = database.prepare("SELECT count(*) AS n FROM sessions").get() as { n: number };
    return n;
  } finally {
    database.close();
  }
}

it("goes on from memory when the disk fills in mid-run, and makes up for it at the next start", async () => {
  const { tree, program, full, never } = await libraryOfThree();
  const run = (dataDir: string, limit: string): LibraryReport => {
    const { stdout, stderr } = spawnSync(...limited(limit, [program, tree, dataDir]), {
      env,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return JSON.parse(stdout) as LibraryReport;
  };

  const expected = run(never, "unlimited");
  expect(expected).toMatchObject({ warnings: [], mode: "writer" });

  const during = run(full, String(LIMIT));
  expect(during).toMatchObject({ shown: expected.shown, hits: expected.hits, mode: "none" });
  expect(during.warnings.map(({ code }) => code)).toEqual(["index-unusable"]);
  const saved = sessionsIn(full);
  expect(saved).toBeGreaterThan(0);
  expect(saved).toBeLessThan(expected.shown.length);

  expect(run(full, "unlimited")).toEqual(expected);
  expect(sessionsIn(full)).toBe(expected.shown.length);
});

// Only Linux can lift the limit of a process that runs.
it.runIf(process.platform === "linux")(
  "saves what it has read meanwhile when the disk has room again",
  async () => {
    const { tree, program, full, never } = await libraryOfThree();
    const expected = JSON.parse(
      spawnSync(process.execPath, [program, tree, never], { env, encoding: "utf8" }).stdout,
    ) as LibraryReport;

    const child = spawn(...limited(String(LIMIT), [program, tree, full, "until-saved"]), {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    const said = createInterface(child.stdout)[Symbol.asyncIterator]();
    const during = JSON.parse((await said.next()).value as string) as LibraryReport;
    expect(during.mode).toBe("none");
    expect(during.warnings.map(({ code }) => code)).toEqual(["index-unusable"]);
    // The program tries its index again meanwhile, and locks it for that.
    await vi.waitFor(() => expect(sessionsIn(full)).toBeLessThan(expected.shown.length), 10_000);

    spawnSync("sh", ["-c", `prlimit --pid ${child.pid} --fsize=unlimited`], { stdio: "inherit" });
    expect(JSON.parse((await said.next()).value as string)).toEqual(expected);
    await ended;
    expect(sessionsIn(full)).toBe(expected.shown.length);
  },
);
