import { expect, it } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { formatRefusal } from "./output-blocks";

it("finds what a person said when they refused", () => {
  expect(
    formatRefusal(
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nKeep the old key",
    ),
  ).toMatchObject({ said: "Keep the old key", byRule: null });
  expect(formatRefusal("The user doesn't want to proceed with this tool use.").said).toBeNull();
  expect(formatRefusal("Permission denied by rule Read(.env*)").byRule).toBe("Read(.env*)");
});

it("puts nothing into a person's mouth that the client added (2.1.110 and later)", () => {
  const refused =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n";
  const note =
    "\n\nNote: The user's next message may contain a correction or preference. Pay close attention.";
  expect(formatRefusal(`${refused}Keep the old key${note}`).said).toBe("Keep the old key");
  const asks = "The user wants to clarify these questions.\n    This means they may have questions for you.";
  expect(formatRefusal(`${refused}${asks}${note}`).said).toBeNull();
});

it("tells what a hook blocked from what a person refused", () => {
  const of = (text: string) => formatRefusal(text).byHook;
  expect(of("PreToolUse:Bash hook error: [guard.sh]: no")).toBe(true);
  expect(of("Bash operation blocked by hook:\n- [guard.sh]: no")).toBe(true);
  expect(of("The user doesn't want to proceed with this tool use.")).toBe(false);
});

it("a reason of any length is read in its length, one of empty lines too", () => {
  for (const blank of [" ", "\n"]) {
    const growth = timeGrowth(
      (size) => void formatRefusal(`the user said: a${blank.repeat(size)}b`),
      1 << 10,
    );
    expect(growth, JSON.stringify(blank)).toBeLessThan(MAX_LINEAR_GROWTH);
  }
});
