import { expect, it } from "vitest";
import { HELP, helpFor } from "./help.mjs";

it("tells of the command that is named, all of its forms, and where the rest is", () => {
  const told = helpFor(["archive", "verify", "--help"]).split("\n");
  expect(told.filter((line) => line.startsWith("  backscroll archive"))).toHaveLength(4);
  expect(told.join("\n")).toContain("list what would go; with --yes remove it for good");
  expect(told.filter((line) => /^ {2}\S/.test(line) && !line.startsWith("  backscroll archive"))).toEqual([
    "  backscroll --help          everything, with the flags that all commands take",
  ]);
});

it("has lines for every command", () => {
  for (const [, command = ""] of HELP.matchAll(/^ {2}backscroll ([a-z]+)/gm)) {
    const told = helpFor(["--data-dir", "x", command, "--help"]);
    expect([command, told.startsWith(`  backscroll ${command} `), told.includes("--port N")]).toEqual([
      command,
      true,
      false,
    ]);
  }
});

it("tells everything where no command is named", () => {
  expect(helpFor(["--help"])).toBe(HELP);
  expect(helpFor(["./logs", "-h"])).toBe(HELP);
});

it("the environment variables of its flags stand in one column", () => {
  const columns = HELP.split("\n").map((line) => line.indexOf("BACKSCROLL_"));
  expect(new Set(columns.filter((column) => column !== -1)).size).toBe(1);
});
