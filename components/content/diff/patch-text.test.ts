import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { structuredPatch } from "diff";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import type { CallDetail, FileDiff } from "@/lib/wire/record";
import { readPatch } from "./patch-text";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "patch-"));
  execFileSync("git", ["init", "-q"], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));

const git = (args: readonly string[], input: string) =>
  execFileSync("git", ["apply", ...args], { cwd: root, input, stdio: ["pipe", "ignore", "pipe"] });

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

const spaced = (text: string) =>
  text.replace(/^\t+/gm, (tabs) => "  ".repeat(tabs.length)).replace(/[^\n]$/, "$&\n");

/** A change as the server tells it: its hunks with spaces for tabs, and nothing of how the file ends. */
function diffOf(name: string, before: string | null, after: string): FileDiff {
  const hunks =
    before === null
      ? [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 0, lines: [] as string[] }]
      : structuredPatch("", "", spaced(before), spaced(after), "", "", { context: 3 }).hunks;
  const [hunk] = hunks;
  if (before === null && hunk && after !== "") {
    hunk.lines = after
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `+${line}`);
    hunk.newLines = hunk.lines.length;
  }
  return {
    path: join(root, name),
    hunks,
    change: before === null ? "created" : "updated",
    computed: false,
    userModified: false,
    replaceAll: false,
    places: null,
    added: 0,
    removed: 0,
  };
}

function call(name: string, input: object, structured: object | null): CallDetail {
  const result = { recordId: "m~2", isError: false, atMs: null, blocks: [], structured, content: null };
  return { name, input, cwd: root, results: [result] } as unknown as CallDetail;
}

const written = (before: string | null, after: string) =>
  call(
    "Write",
    { content: after },
    { type: before === null ? "create" : "update", content: after, originalFile: before },
  );

const patchOf = (diff: FileDiff, ...calls: CallDetail[]) => readPatch("s" as SessionId, diff, calls);

/** What `git apply` makes of a file with the patch of its change. */
async function applied(name: string, before: string | null, after: string, made = written(before, after)) {
  if (before !== null) write(name, before);
  const patch = await patchOf(diffOf(name, before, after), made);
  git(["--check"], patch);
  git([], patch);
  return readFileSync(join(root, name), "utf8");
}

describe("a copied patch", () => {
  it.each([
    ["src/a.ts", "a\nb\nc\n", "a\nB\nc\n"],
    ["src/deep/new.ts", null, "x\ny\n"],
    ["empty.ts", null, ""],
    ["emptied.ts", "a\nb\n", ""],
    ["filled.ts", "", "a\nb\n"],
  ])(
    "is accepted by git for a file that is changed, new, empty or emptied: %s",
    async (name, before, after) => {
      expect(await applied(name, before, after)).toBe(after);
    },
  );

  it.each(["my file.ts", "a\tb.ts", "a \tb.ts", 'say "hi".ts', "back\\slash.ts", "größe 大.ts"])(
    "is accepted for names with spaces, tabs, quotes and letters of any language: %j",
    async (name) => {
      expect(await applied(name, "a\n", "b\n")).toBe("b\n");
      expect(await applied(`new ${name}`, null, "b\n")).toBe("b\n");
      expect(await applied(`empty ${name}`, null, "")).toBe("");
    },
  );

  it.each([
    ["a\nb", "A\nb"],
    ["a\nb", "a\nB"],
    ["a\nb", "a\nb\nc"],
    ["a\nb", "A\nb\n"],
    ["a\nb\n", "A\nb"],
    [null, "a\nb"],
  ])("marks a last line without a newline: %j, then %j", async (before, after) => {
    expect(await applied("a.ts", before, after)).toBe(after);
  });

  it("has the tabs that the client recorded as spaces", async () => {
    const made = "all:\n\tone\n\t\tthree\n";
    expect(await applied("Makefile", "all:\n\tone\n\ttwo\n", made)).toBe(made);
    const before = "func a() {\n\tb()\n\tc()\n}\n";
    const edit = call(
      "Edit",
      { old_string: "b()", new_string: "d(\n\t\t$&)" },
      { oldString: "b()", newString: "d(\n\t\t$&)", originalFile: before },
    );
    const after = "func a() {\n\td(\n\t\t$&)\n\tc()\n}\n";
    expect(await applied("a.go", before, after, edit)).toBe(after);
    // The client takes the line's end with what is replaced by nothing.
    const removal = call("Edit", { old_string: "\tb()", new_string: "" }, { originalFile: before });
    const rest = "func a() {\n\tc()\n}\n";
    expect(await applied("b.go", before, rest, removal)).toBe(rest);
  });

  it("makes the file that an edit of nothing made", async () => {
    const made = call("Edit", { old_string: "", new_string: "a\n" }, { originalFile: "" });
    const diff = diffOf("new.ts", "", "a\n");
    git([], await patchOf(diff, made));
    expect(readFileSync(join(root, "new.ts"), "utf8")).toBe("a\n");
  });

  it("of several changes converts the first text to the last", async () => {
    write("a.go", "\ta\n\tb");
    const calls = [written("\ta\n\tb", "\tA\n\tb"), written("\tA\n\tb", "\tA\n\tB\n")];
    git([], await patchOf(diffOf("a.go", "\ta\n\tb", "\tA\n\tB\n"), ...calls));
    expect(readFileSync(join(root, "a.go"), "utf8")).toBe("\tA\n\tB\n");
  });

  it("stays as recorded if the log has other texts", async () => {
    write("a.ts", "a\nb\n");
    git([], await patchOf(diffOf("a.ts", "a\nb\n", "a\nc\n"), written("x\ny\n", "x\nz\n")));
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("a\nc\n");
  });

  it("names a file outside of the folder by its whole path", async () => {
    const diff = { ...diffOf("a.ts", "a\n", "b\n"), path: "/tmp/notes/a.ts" };
    expect(await patchOf(diff, written("a\n", "b\n"))).toContain(
      "--- a/tmp/notes/a.ts\n+++ b/tmp/notes/a.ts\n",
    );
    const windows = { ...written("a\n", "b\n"), cwd: "C:\\shop" };
    expect(await patchOf({ ...diff, path: "C:\\shop\\src\\a.ts" }, windows)).toContain("--- a/src/a.ts\n");
  });
});
