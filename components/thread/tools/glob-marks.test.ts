import { expect, it } from "vitest";
import { globMarks } from "./glob-marks";

it("marks the fixed parts of a glob in a name", () => {
  expect(globMarks("**/*lock*.ts", "deadlock.ts")).toEqual([{ from: 4, to: 8 }]);
  expect(globMarks("**/*.py", "hello.py")).toEqual([]);
  expect(globMarks("src/hello.py", "hello.py")).toEqual([]);
});
