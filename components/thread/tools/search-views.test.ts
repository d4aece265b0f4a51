import { describe, expect, it } from "vitest";
import { fileGroups, globMarks, listedEntries, matchGroups } from "./search-views";

describe("file groups", () => {
  it("puts files under their folders", () => {
    expect(
      fileGroups(["src/db/a.ts", "b.ts", "src/db/c.ts"]).map(
        ({ folder, names }) => `${folder || "."}: ${names.map(({ name }) => name).join(" ")}`,
      ),
    ).toEqual(["src/db: a.ts c.ts", ".: b.ts"]);
  });

  it("reads the tree that LS prints", () => {
    expect(
      listedEntries("- /home/dev/shop/\n  - hello.py\n  - tests/\n    - a.py\n\nNOTE: do not").map(
        ({ name, depth }) => `${depth} ${name}`,
      ),
    ).toEqual(["0 /home/dev/shop/", "1 hello.py", "1 tests/", "2 a.py"]);
  });
});

describe("glob marks", () => {
  it("marks the fixed parts of a glob in a name", () => {
    expect(globMarks("**/*lock*.ts", "deadlock.ts")).toEqual([{ from: 4, to: 8 }]);
    expect(globMarks("**/*.py", "hello.py")).toEqual([]);
    expect(globMarks("src/hello.py", "hello.py")).toEqual([]);
  });
});

describe("grep matches", () => {
  const spell = (content: string) =>
    matchGroups(content).map(
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
});
