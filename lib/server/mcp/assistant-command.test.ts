import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { assistantCommand } from "./assistant-command";

const NONE = { flags: [], demo: false };

test("an installed package is run by npx, a clone by its own file", () => {
  expect(assistantCommand(NONE, "/home/dev/.npm/_npx/1a/node_modules/backscroll/", "linux")).toBe(
    "claude mcp add -s user backscroll -- npx backscroll mcp",
  );
  expect(assistantCommand(NONE, "C:\\npm\\node_modules\\backscroll\\", "win32")).toBe(
    "claude mcp add -s user backscroll '--' cmd /c npx backscroll mcp",
  );
  expect(assistantCommand(NONE, "/src/backscroll/", "darwin")).toBe(
    "claude mcp add -s user backscroll -- node /src/backscroll/bin/backscroll.mjs mcp",
  );
});

test.skipIf(process.platform === "win32")("a shell has what this server reads word by word", () => {
  const config = { flags: ["--claude-dir", "/home/dev/it's a log"], demo: true };
  const command = assistantCommand(config, "/my clones/backscroll", "linux");
  const words = execFileSync("sh", ["-c", command.replace(/^claude/, "printf '%s\\n'")], {
    encoding: "utf8",
  });
  expect(words.trimEnd().split("\n").slice(5)).toEqual([
    ...["--", "node", "/my clones/backscroll/bin/backscroll.mjs", "mcp"],
    ...["--claude-dir", "/home/dev/it's a log", "--demo"],
  ]);
});
