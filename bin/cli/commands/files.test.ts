import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { onPlatform } from "@/lib/testing/on-platform";
import { placeBelow, whyUnknown, whyUnwritable } from "@/lib/wire/recovered-files.mjs";
import { files, namedFile } from "./files.mjs";

const WHOLE = { exists: true, complete: true, gaps: [] };
const FILES: Record<string, object> = {
  "/p/src/cart.ts": { ...WHOLE, content: "one\ntwo\n" },
  "/p/old.ts": { exists: false, complete: true, gaps: [], content: null },
  "/p/long.ts": {
    exists: true,
    complete: false,
    gaps: [
      { fromLine: 1, toLine: 1 },
      { fromLine: 7, toLine: null },
    ],
    content: "\nb",
  },
  "/elsewhere/note.md": { ...WHOLE, content: "note" },
  "/p/read.ts": { ...WHOLE, content: "read" },
};
const touchedOf = (paths: string[]) =>
  paths.map((path) => ({ path, reads: 2, changes: path === "/p/read.ts" ? 0 : 1, byAgents: 0 }));
const wholeFiles = (...paths: string[]) =>
  Object.fromEntries(paths.map((path) => [path, { ...WHOLE, content: path }]));

/** A server that has one session with these files, a folder to write to, and what was printed and asked. */
async function setUp(of: Record<string, object> = FILES, project = "/p") {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-files-"));
  const out = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  const err = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const asked: URL[] = [];
  onTestFinished(() => {
    out.mockRestore();
    err.mockRestore();
    rmSync(folder, { recursive: true });
  });
  const server = await fakeApi((request, response) => {
    const url = new URL(request.url ?? "", "http://a");
    asked.push(url);
    const answers: Record<string, unknown> = {
      "/api/health": { indexing: { phase: "done" } },
      "/api/sessions": { sessions: [{ id: "abc" }], nextCursor: null },
      "/api/sessions/abc": { project: { path: project } },
      "/api/sessions/abc/touched-files": touchedOf(Object.keys(of)),
      "/api/sessions/abc/file": {
        path: url.searchParams.get("path"),
        ...of[url.searchParams.get("path") ?? ""],
      },
    };
    response.end(JSON.stringify(answers[url.pathname]));
  });
  const said = (to: typeof out) => to.mock.calls.map(([text]) => String(text)).join("");
  const run = (more: object) =>
    files(server, { session: "a", path: null, at: null, output: undefined, to: null, json: false, ...more });
  return { folder, run, asked, out: () => said(out), err: () => said(err) };
}

test("without a file it lists those that were read or changed", async () => {
  const { run, out } = await setUp();
  await run({});
  expect(out()).toContain("1 change  2 reads  /p/src/cart.ts\n");
  expect(out()).toContain("          2 reads  /p/read.ts\n");
});

test("a file is named by the end of its path, and written as it was at a record", async () => {
  const { folder, run, asked } = await setUp();
  const output = join(folder, "cart.ts");
  writeFileSync(output, "what was there");
  await run({ path: "src/cart.ts", at: "m~1k9", output });
  expect(readFileSync(output, "utf8")).toBe("one\ntwo\n");
  expect(asked.at(-1)?.search).toBe("?path=%2Fp%2Fsrc%2Fcart.ts&at=m%7E1k9");
});

test("a text with a hole, and one of a file that was gone, is not written", async () => {
  const { folder, run } = await setUp();
  const output = join(folder, "long.ts");
  await expect(run({ path: "long.ts", output })).rejects.toThrow(
    "/p/long.ts is not whole in the logs: lines 1, 7 on are in none. --json writes what is known of it.",
  );
  await expect(run({ path: "old.ts", output })).rejects.toThrow("/p/old.ts was not there then");
  expect(existsSync(output)).toBe(false);
});

test("all files that a session changed in its project are written below a folder, and what is left out is said", async () => {
  const { folder, run, out, err } = await setUp();
  const to = join(folder, "there");
  await run({ to });
  expect(readFileSync(join(to, "src/cart.ts"), "utf8")).toBe("one\ntwo\n");
  expect(["read.ts", "old.ts", "long.ts", "note.md"].filter((name) => existsSync(join(to, name)))).toEqual(
    [],
  );
  expect(out()).toBe(`Wrote 1 file to ${to}\n`);
  expect(err().split("\n").sort()).toEqual([
    "",
    "  /elsewhere/note.md is outside of the project",
    "  /p/long.ts is not whole in the logs: lines 1, 7 on are in none",
    "  /p/old.ts was not there then",
    "backscroll: 3 files were left out.",
  ]);
});

test("where there is nothing to write that is said, and of no folder that was not made", async () => {
  const read = await setUp({ "/p/read.ts": { ...WHOLE, content: "read" } });
  await read.run({ to: join(read.folder, "there") });
  expect(read.out()).toBe("No file was written: this session changed none.\n");
  const outside = await setUp({ "/elsewhere/note.md": { ...WHOLE, content: "note" } });
  await outside.run({ to: join(outside.folder, "there") });
  expect(outside.out().split("\n")).toContain("No file was written.");
  expect(outside.err()).toContain("1 file was left out.");
  expect([read, outside].map(({ folder }) => existsSync(join(folder, "there")))).toEqual([false, false]);
});

test("nothing is written over, and then nothing is written at all", async () => {
  const { folder, run } = await setUp();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/cart.ts"), "mine");
  await expect(run({ to: folder })).rejects.toThrow("is there already. Nothing was written");
  expect(readFileSync(join(folder, "src/cart.ts"), "utf8")).toBe("mine");
});

test("a file that cannot be written is left out, and all others are written", async () => {
  const [odd, long, deep] = ["/p/half\ud800.ts", `/p/${"é".repeat(128)}`, `/p/${"d/".repeat(2050)}x`];
  const { folder, run, out, err, asked } = await setUp(
    wholeFiles("/p/ok.ts", "/p/a", "/p/a/b/c.ts", "/p/a/b", odd, long, deep),
  );
  await run({ to: folder });
  expect(readFileSync(join(folder, "a/b/c.ts"), "utf8")).toBe("/p/a/b/c.ts");
  expect(out()).toBe(`Wrote 2 files to ${folder}\n`);
  expect(err()).toContain("backscroll: 5 files were left out.\n");
  expect(err()).toContain("  /p/a is the folder of others of these files\n");
  expect(err()).toContain(`  ${odd} has half of a character in its name\n`);
  for (const path of [long, deep]) expect(err()).toContain(`  ${path} is too long for the name of a file\n`);
  expect(asked.map(({ search }) => search).filter((search) => search.length > 400)).toEqual([]);
});

test("two files that have one name on the disk are written once", async () => {
  const { folder, run, out, err } = await setUp(wholeFiles("C:\\shop\\a.ts", "c:/shop/a.ts"), "c:\\shop");
  await run({ to: folder });
  expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe("C:\\shop\\a.ts");
  expect(out()).toBe(`Wrote 1 file to ${folder}\n`);
  expect(err()).toContain("  c:/shop/a.ts has the name of C:\\shop\\a.ts on this disk\n");
});

test("names that Windows does not take are left out there alone", () => {
  const whyOf = (name: string) => whyUnwritable(`/p/src/${name}`, ["src", name]);
  const names = ["con", "NUL.txt", "com1.log", "what?.md", "dot.", "space ", "esc\u001b", "LPT¹"];
  for (const name of names) expect(whyOf(name), name).toBeNull();
  onPlatform("win32");
  for (const name of names) expect(whyOf(name), name).toBe("has a name that Windows does not take");
  for (const name of ["console.ts", "com.ts", ".env", "a.b.c", "nullable"])
    expect(whyOf(name), name).toBeNull();
});

test("a link in the folder leads no file out of it; one that stays inside may", async () => {
  const { folder, run } = await setUp(wholeFiles("/p/src/a.ts", "/p/in/b.ts"));
  const [to, elsewhere] = [join(folder, "to"), join(folder, "elsewhere")];
  mkdirSync(join(to, "real"), { recursive: true });
  mkdirSync(elsewhere);
  symlinkSync(join(to, "real"), join(to, "in"));
  symlinkSync(elsewhere, join(to, "src"));
  await expect(run({ to })).rejects.toThrow(`${join(to, "src")} is a link that leads out of ${to}. Nothing`);
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readdirSync(join(to, "real"))).toEqual([]);
  rmSync(join(to, "src"));
  await run({ to });
  expect(readdirSync(join(to, "real"))).toEqual(["b.ts"]);
});

test("where the folder is a file that is said, and where one cannot be written no folder is left", async () => {
  const { folder, run } = await setUp(wholeFiles("/p/new/deep/a.ts", "/p/src/a.ts"));
  writeFileSync(join(folder, "file"), "");
  await expect(run({ to: join(folder, "file") })).rejects.toThrow("file is no folder. Nothing was written");
  symlinkSync(join(folder, "nowhere"), join(folder, "src"));
  await expect(run({ to: folder })).rejects.toThrow("Nothing of it was left there");
  expect(readdirSync(folder).sort()).toEqual(["file", "src"]);
});

test("the end of a path that two files share names neither", () => {
  const two = ["/p/a/x.ts", "/p/b/x.ts", "/p/bx.ts"].map((path) => ({
    path,
    reads: 1,
    changes: 1,
    byAgents: 0,
  }));
  expect(() => namedFile(two, "x.ts")).toThrow("2 files end with x.ts: /p/a/x.ts, /p/b/x.ts.");
  expect(namedFile(two, "./b/x.ts")).toBe("/p/b/x.ts");
  expect(() => namedFile(two, "y.ts")).toThrow("neither read nor changed y.ts");
  const windows = [{ path: "C:\\shop\\src\\a.ts", reads: 1, changes: 1, byAgents: 0 }];
  expect(namedFile(windows, "src/a.ts")).toBe("C:\\shop\\src\\a.ts");
  expect(namedFile(windows, "src\\a.ts")).toBe("C:\\shop\\src\\a.ts");
});

test("a path of a log leads nowhere but below the folder", () => {
  expect(placeBelow("/p", "/p/src/a.ts")).toEqual(["src", "a.ts"]);
  expect(placeBelow("C:\\shop", "C:\\shop\\src\\a.ts")).toEqual(["src", "a.ts"]);
  for (const path of ["/p/../etc/passwd", "/p/a/../../b", "/q/a.ts", "/p", "/p//a", "/p/c:a", "/pp/a.ts"])
    expect(placeBelow("/p", path)).toBeNull();
});

test("a drive of Windows is the same in either case", () => {
  expect(placeBelow("c:\\shop", "C:/shop/src/a.ts")).toEqual(["src", "a.ts"]);
  const windows = [{ path: "C:\\shop\\a.ts", reads: 1, changes: 1, byAgents: 0 }];
  expect(namedFile(windows, "c:/shop/a.ts")).toBe("C:\\shop\\a.ts");
});

test("an unknown text says so, a whole one nothing", () => {
  const at = { path: "/p/a", atRecordId: null, version: null, source: "read" as const };
  expect(whyUnknown({ ...at, exists: true, complete: true, gaps: [], content: "" })).toBeNull();
  expect(whyUnknown({ ...at, exists: null, complete: false, gaps: [], content: null })).toContain(
    "no log holds",
  );
});
