import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("never guesses where to restore to", () => {
  const moved = ["restore", "abc", "--to", "there", "--project", "new/shop"];
  expect(readOptions(moved, {}).command).toMatchObject({ project: resolve("new/shop") });
  expect(() => readOptions(["restore", "abc"], {})).toThrow("say where to");
  expect(() => readOptions(["restore"], {})).toThrow("give the session to restore");
});
