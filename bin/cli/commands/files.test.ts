import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { placeBelow, whyUnknown } from "@/lib/wire/recovered-files.mjs";
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
const touched = Object.keys(FILES).map((path) => ({
  path,
  reads: 2,
  changes: path === "/p/read.ts" ? 0 : 1,
  byAgents: 0,
}));

/** A server that has one session with these files, a folder to write to, and what was printed and asked. */
async function setUp() {
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
      "/api/sessions/abc": { project: { path: "/p" } },
      "/api/sessions/abc/touched-files": touched,
      "/api/sessions/abc/file": {
        path: url.searchParams.get("path"),
        ...FILES[url.searchParams.get("path") ?? ""],
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

test("nothing is written over, and then nothing is written at all", async () => {
  const { folder, run } = await setUp();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/cart.ts"), "mine");
  await expect(run({ to: folder })).rejects.toThrow("is there already. Nothing was written");
  expect(readFileSync(join(folder, "src/cart.ts"), "utf8")).toBe("mine");
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

test("an unknown text says so, a whole one nothing", () => {
  const at = { path: "/p/a", atRecordId: null, version: null, source: "read" as const };
  expect(whyUnknown({ ...at, exists: true, complete: true, gaps: [], content: "" })).toBeNull();
  expect(whyUnknown({ ...at, exists: null, complete: false, gaps: [], content: null })).toContain(
    "no log holds",
  );
});
