import { describe, expect, it } from "vitest";
import { matchGroups, type Searched } from "./match-groups";

describe("grep matches", () => {
  const spell = (content: string, searched?: Searched) =>
    matchGroups(content, searched).map(
      ({ path, lines }) =>
        `${path ?? "-"}: ${lines.map(({ line, text, context }) => `${line ?? "?"}${context ? "~" : ""}${text}`).join("|")}`,
    );

  it("groups matches by file", () => {
    expect(spell("src/a.ts:18:const x\nsrc/a.ts-19-  y\n--\nsrc/b.ts:3:z: 4\n")).toEqual([
      "src/a.ts: 18const x|19~  y",
      "src/b.ts: 3z: 4",
    ]);
  });

  it("reads the other forms that the tool prints", () => {
    expect(spell("hello.py:print(1)")).toEqual(["hello.py: ?print(1)"]);
    expect(spell("12:one\n13-two")).toEqual(["-: 12one|13~two"]);
    expect(spell("No matches found")).toEqual(["-: ?No matches found"]);
  });

  it("reads the line numbers of one file, whatever the text looks like", () => {
    expect(spell("128:12:30:05 ERROR boom")).toEqual(["-: 12812:30:05 ERROR boom"]);
    expect(spell("12:Error: boom\n13-    at run (src/a.ts:10:5)\n--\n40:a-1-b\n[first 3 lines]")).toEqual([
      "-: 12Error: boom|13~    at run (src/a.ts:10:5)|40a-1-b|?[first 3 lines]",
    ]);
  });

  it("does not read a number at the beginning of a file's name as a line", () => {
    expect(spell("2024-01-05.log:3:boom\n2025-01-05.log:4:boom")).toEqual([
      "2024-01-05.log: 3boom",
      "2025-01-05.log: 4boom",
    ]);
    expect(spell("1-a/b.ts-2-x\n1-a/b.ts:3:y")).toEqual(["1-a/b.ts: 2~x|3y"]);
  });

  it("keeps a line beside a match in its file, whatever positions its text names", () => {
    expect(spell("log/a.txt:12:Error: boom\nlog/a.txt-13-    at run (src/a.ts:10:5)")).toEqual([
      "log/a.txt: 12Error: boom|13~    at run (src/a.ts:10:5)",
    ]);
    expect(
      spell(
        [
          "log/a.txt-11-    at go (src/b-1-c.ts:4:2)",
          "log/a.txt:12:Error: boom",
          "--",
          "log/b-2-c.txt-7-see x-7-y.ts:3:1",
          "log/b-2-c.txt-8-    at run (src/a.ts:10:5)",
          "log/b-2-c.txt:9:Error: boom",
        ].join("\n"),
      ),
    ).toEqual([
      "log/a.txt: 11~    at go (src/b-1-c.ts:4:2)|12Error: boom",
      "log/b-2-c.txt: 7~see x-7-y.ts:3:1|8~    at run (src/a.ts:10:5)|9Error: boom",
    ]);
  });

  it("adds no file or number if the call asked for none", () => {
    const bare = "12:30:05 start\n12:30:09 src/a.ts:10:5 boom";
    expect(spell(bare, { file: "app.log", numbered: true })).toEqual([
      "-: ?12:30:05 start|?12:30:09 src/a.ts:10:5 boom",
    ]);
    expect(spell("app.log:12:30:05 start\napp.log-then", { file: null, numbered: false })).toEqual([
      "app.log: ?12:30:05 start|?~then",
    ]);
    // A folder with a dot in its name.
    expect(spell("my.app/a.ts:3:x", { file: "my.app", numbered: true })).toEqual(["my.app/a.ts: 3x"]);
  });
});
