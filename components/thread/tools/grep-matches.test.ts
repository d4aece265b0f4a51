import { expect, it } from "vitest";
import { matchGroups } from "./grep-matches";

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
