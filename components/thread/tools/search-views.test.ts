import { describe, expect, it } from "vitest";
import { fileGroups, globMarks, listedEntries } from "./search-views";

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
