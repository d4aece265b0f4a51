import { expect, it } from "vitest";
import type { CallDetail } from "@/lib/wire/record";
import { EDITORS, editorProblem, editorUrl, placeOfCall } from "./editor-link";

it.each(EDITORS.map(({ name, template }) => [name, template]))(
  "the template of %s is valid",
  (_, template) => {
    expect(editorProblem(template)).toBeNull();
  },
);

it.each([
  ["javascript:alert({path})", /opened by the browser/],
  ["JavaScript:alert({path})", /opened by the browser/],
  ["data:text/html,{path}", /opened by the browser/],
  ["https://evil.example/{path}", /opened by the browser/],
  ["file://{path}", /opened by the browser/],
  ["/usr/bin/vi {path}", /scheme/],
  ["vscode://file", /\{path\}/],
  ["vscode://file{path}:{column}", /\{column\} is not known/],
  ["vscode://file{path", /\{path\}/],
  ["vscode://file {path}", /No spaces/],
  [`vscode://${"x".repeat(200)}{path}`, /At most 200/],
])("%s", (template, problem) => {
  expect(editorProblem(template)).toMatch(problem);
});

it("no editor is no problem", () => {
  expect(editorProblem("")).toBeNull();
});

it("a link has the path encoded and its slashes kept", () => {
  const place = { path: "/home/dev/my shop/a#b?c%.ts", line: 12 };
  expect(editorUrl("vscode://file{path}:{line}", place)).toBe(
    "vscode://file/home/dev/my%20shop/a%23b%3Fc%25.ts:12",
  );
  expect(editorUrl("idea://open?file={path}&line={line}", { path: "/a&b", line: 3 })).toBe(
    "idea://open?file=/a%26b&line=3",
  );
  expect(editorUrl("vscode://file{path}:{line}", { path: "C:\\work\\a.ts", line: 1 })).toBe(
    "vscode://file/C:/work/a.ts:1",
  );
  expect(editorUrl("vscode://file{path}:{line}", { path: "/half \ud83d.ts", line: 1 })).toBe(
    "vscode://file/half%20%EF%BF%BD.ts:1",
  );
  expect(editorUrl("idea://open?file={path}&line={line}", { path: "C:\\work\\a.ts", line: 1 })).toBe(
    "idea://open?file=C:/work/a.ts&line=1",
  );
  expect(editorUrl("", place)).toBeNull();
  expect(editorUrl("javascript:{path}", place)).toBeNull();
});

const CALL: CallDetail = {
  recordId: "m~0" as CallDetail["recordId"],
  block: 0,
  toolUseId: null,
  name: "Edit",
  input: { file_path: "/home/dev/shop/a.ts" },
  results: [],
  diffs: [],
  originalLines: null,
  partial: null,
  cwd: "/home/dev/shop",
  later: [],
};

it("a call's place is its first changed line, else the first it read", () => {
  const hunk = { oldStart: 10, oldLines: 3, newStart: 12, newLines: 3, lines: [" a", " b", "-c", "+d"] };
  const diff = {
    path: "/home/dev/shop/b.ts",
    hunks: [hunk],
    change: "updated" as const,
    computed: false,
    userModified: false,
    replaceAll: false,
    places: null,
    added: 1,
    removed: 1,
  };
  expect(placeOfCall({ ...CALL, diffs: [diff] })).toEqual({ path: "/home/dev/shop/b.ts", line: 14 });
  expect(placeOfCall({ ...CALL, diffs: [{ ...diff, computed: true }] })?.line).toBe(1);
  expect(placeOfCall({ ...CALL, input: { file_path: "src/c.ts", offset: 40 } })).toEqual({
    path: "/home/dev/shop/src/c.ts",
    line: 40,
  });
  expect(placeOfCall({ ...CALL, input: { command: "ls" } })).toBeNull();
});
