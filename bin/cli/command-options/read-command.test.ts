import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";
import { COMMAND_FLAGS } from "./flags.mjs";
import { readCommand } from "./read-command.mjs";

it("takes the first word for a command; what follows a command's own words are paths", () => {
  expect(readOptions(["index", "logs"], {})).toMatchObject({ command: { name: "index" }, paths: ["logs"] });
  expect(readOptions(["restore", "abc", "--to", "there", "logs"], {})).toMatchObject({
    command: { name: "restore", session: "abc" },
    paths: ["logs"],
  });
  expect(readOptions(["./index"], {})).toMatchObject({ command: null, paths: ["./index"] });
});

it("has secrets replaced for assistants unless it is told otherwise", () => {
  expect(readOptions(["mcp"], {}).command).toEqual({ name: "mcp", redact: true });
  expect(readOptions(["mcp", "--no-redact"], {}).command).toEqual({ name: "mcp", redact: false });
});

it("has a command for every flag of commands", () => {
  for (const flag of Object.keys(COMMAND_FLAGS))
    expect(() => readCommand({ [flag]: "x" }, []), flag).toThrow(`--${flag} belongs to backscroll `);
});

it.each([
  [["doctor", "--turns", "3"], "--turns belongs to backscroll export"],
  [["index", "--json"], "belongs to backscroll doctor"],
  [["index", "--by", "day"], "--by belongs to backscroll usage"],
  [
    ["index", "--project", "a"],
    "--project belongs to backscroll sessions, search, usage, prompts and restore",
  ],
  [["usage", "--limit", "3"], "--limit belongs to backscroll sessions, search and prompts"],
  [["--yes"], "--yes belongs to backscroll archive"],
  [["index", "--redact"], "belongs to backscroll export"],
  [["--output", "x"], "belongs to backscroll export"],
])("refuses %j", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});
