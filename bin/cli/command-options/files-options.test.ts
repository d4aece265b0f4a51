import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes one file of a session, or with a folder all that it changed", () => {
  const at = "m~1k9.0:before";
  expect(readOptions(["files", "abc", "src/a.ts", "--at", at, "--output", "-", "logs"], {})).toMatchObject({
    command: { name: "files", session: "abc", path: "src/a.ts", at, output: undefined, to: null },
    paths: ["logs"],
  });
  expect(readOptions(["files", "abc", "--to", "there"], {}).command).toMatchObject({
    to: resolve("there"),
  });
  expect(() => readOptions(["files"], {})).toThrow("give the session to files");
  expect(() => readOptions(["files", "abc", "--output", "x"], {})).toThrow("give the file");
  expect(() => readOptions(["files", "abc", "a.ts", "--to", "there"], {})).toThrow("takes all files");
  expect(() => readOptions(["files", "abc", "a.ts", "--at", "turn 2"], {})).toThrow("names no record");
  expect(() => readOptions(["why", "a.ts:1", "--at", "m~1"], {})).toThrow(
    "--at belongs to backscroll open and files",
  );
});
