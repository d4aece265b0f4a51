import { expect, test } from "vitest";
import type { ComparedFile, ComparedFileSide, CompareResponse } from "@/lib/wire/compare";
import { filesWords } from "./compared-files";

const side = (changes: number, exists: boolean): ComparedFileSide => ({
  ...{ path: "/p", at: null, added: changes, removed: 0 },
  changes,
  exists,
});
const file = (name: string, left: ComparedFileSide, right: ComparedFileSide): ComparedFile => ({
  ...{ name, left, right },
  verdict: "differs",
});

test("as many files are said to differ as their lines say of themselves", () => {
  const files = [
    file("both", side(1, true), side(2, true)),
    // Its line says “left only”.
    file("new on the left", side(1, true), side(0, false)),
  ];
  expect(filesWords({ files, readOnly: 0 } as unknown as CompareResponse)).toBe("2 changed, 1 differs");
});
