import { expect, test } from "vitest";
import { withoutOwnFlags } from "./precompile.mjs";

test("what the user has set for their own sessions is not for the samples that a build runs on", () => {
  const env = {
    ...{ PATH: "/bin", HOME: "/home/dev", NODE_OPTIONS: "", Path: "C:" },
    ...{ BACKSCROLL_ARCHIVE_DIR: "/kept", BACKSCROLL_CLAUDE_DIR: "/logs", Backscroll_Token: "t" },
  };
  expect(withoutOwnFlags(env)).toEqual({ PATH: "/bin", HOME: "/home/dev", NODE_OPTIONS: "", Path: "C:" });
});
