import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { findRoots } from "./roots.mjs";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-roots-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const find = (claudeDirs: string[], paths: string[] = [], env = {}) =>
  findRoots({ demo: false, claudeDirs, paths }, env);

it("takes folders and loose logs as they are given", () => {
  writeFileSync(join(folder, "a.jsonl"), "");
  expect(find([folder], [join(folder, "a.jsonl")])).toEqual([
    { path: folder, kind: "config" },
    { path: join(folder, "a.jsonl"), kind: "loose" },
  ]);
});

it("understands the projects folder itself", () => {
  mkdirSync(join(folder, "projects"));
  expect(find([join(folder, "projects")])).toEqual([{ path: folder, kind: "config" }]);
});

it("follows CLAUDE_CONFIG_DIR, though it may be made only later", () => {
  const later = join(folder, "later");
  expect(find([], [], { CLAUDE_CONFIG_DIR: later })).toEqual([{ path: later, kind: "config" }]);
});

it.skipIf(process.platform === "win32")(
  "takes the usual places for one where one is a link to the other",
  () => {
    vi.stubEnv("HOME", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    mkdirSync(join(folder, ".config/claude"), { recursive: true });
    symlinkSync(join(folder, ".config/claude"), join(folder, ".claude"));
    expect(find([])).toEqual([{ path: join(folder, ".config/claude"), kind: "config" }]);
    // As it is when it is named.
    expect(find([join(folder, ".claude")])).toEqual(find([]));
  },
);

it("serves the samples alone", () => {
  const [samples] = findRoots({ demo: true, claudeDirs: [], paths: [] }, {});
  expect(samples?.path).toMatch(/demo.claude$/);
  expect(() => findRoots({ demo: true, claudeDirs: [], paths: ["."] }, {})).toThrow("samples alone");
});

it("says how a command is spelled whose name was mistyped, and nothing of what is a path", () => {
  expect(() => find([], ["doctr"])).toThrow(/doctr\. The command is spelled: backscroll doctor\.$/);
  expect(() => find([], ["serch", "retry"])).toThrow("The command is spelled: backscroll search.");
  for (const path of [join(folder, "doctr"), "./doctr", "nothing-like-it", "doctr.jsonl"])
    expect(() => find([], [path])).toThrow(/Check the path, or see backscroll --help for the commands\.$/);
});

it("says what a word behind a command may have been meant as, where it is no path", () => {
  const missing = (name: string) => () =>
    findRoots({ demo: false, claudeDirs: [], paths: [join(folder, "none")], command: { name } }, {});
  expect(missing("export")).toThrow(/none\. Several sessions go into a zip: --to FILE\.zip\./);
  expect(missing("archive")).toThrow(
    /none\. What archive does is verify, export DIR, import DIR and remove\./,
  );
});

it("says that a folder is missing, or that it cannot be read", () => {
  expect(() => find([join(folder, "none")])).toThrow(/^there is no folder .*none\. Check the path/);
  expect(() => find([], [join(folder, "none")])).toThrow(/^there is no log or folder .*none\./);
  writeFileSync(join(folder, "file"), "");
  expect(() => find([join(folder, "file")])).toThrow(/file is not a folder/);
  expect(() => unprivileged(() => find([folder]))).toThrow(
    /^cannot read the folder .* \(EACCES\)\. Check its perm/,
  );
});

/** Root can read everything, so a test that runs as root switches to nobody. The folder from mkdtemp has mode 0700. */
function unprivileged<Result>(look: () => Result): Result {
  if (process.geteuid?.() !== 0) {
    rmSync(folder, { recursive: true });
    mkdirSync(folder, { mode: 0o000 });
    return look();
  }
  process.seteuid?.(65_534);
  try {
    return look();
  } finally {
    process.seteuid?.(0);
  }
}
