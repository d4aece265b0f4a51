import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("reads what to do with annotations", () => {
  const command = (...args: string[]) => readOptions(["annotations", ...args], {}).command;
  expect(command("export", "--output", "a.json")).toEqual({
    name: "annotations",
    action: "export",
    output: resolve("a.json"),
  });
  expect(command("import", "a.json")).toEqual({
    name: "annotations",
    action: "import",
    file: resolve("a.json"),
  });
  for (const args of [[], ["import"], ["import", "a", "b"], ["export", "a"], ["import", "a", "-o", "b"]])
    expect(() => command(...args)).toThrow("say what to do");
});
