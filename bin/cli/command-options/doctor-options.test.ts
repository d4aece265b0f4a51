import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("tells what was read, or secrets, each in its formats", () => {
  const command = (...args: string[]) => readOptions(["doctor", ...args], {}).command;
  expect(command()).toEqual({ name: "doctor", secrets: false, format: "text" });
  expect(command("--json")).toEqual({ name: "doctor", secrets: false, format: "json" });
  expect(command("--secrets", "--sarif")).toEqual({ name: "doctor", secrets: true, format: "sarif" });
  for (const args of [["--sarif"], ["--secrets", "--sarif", "--json"]])
    expect(() => command(...args)).toThrow("--sarif belongs to --secrets, without --json");
});
