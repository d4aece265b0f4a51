import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/records/json";
import { describeCall } from "./describe-call";

function line(name: string, input: JsonObject, result: JsonObject | null, error?: string): string {
  const {
    subject,
    aside,
    result: outcome,
  } = describeCall({
    name,
    input,
    cwd: "/home/dev/shop",
    isError: error !== undefined,
    text: error ?? "",
    isCut: false,
    result,
  });
  return [name, subject, aside, outcome && `= ${outcome}`].filter(Boolean).join(" ");
}

// Inputs and results as 2.1.110 and 2.1.330 recorded them.
describe("a call in one line", () => {
  it("names tasks and what became of them", () => {
    expect(line("TaskUpdate", { taskId: "2", addBlockedBy: ["1"] }, { success: true })).toBe(
      "TaskUpdate #2 waits for #1",
    );
    expect(line("TaskGet", { taskId: "2" }, { task: { subject: "Fix", status: "pending" } })).toBe(
      "TaskGet #2 Fix = pending",
    );
  });

  it("names worktrees", () => {
    expect(line("EnterWorktree", { name: "exp" }, { worktreeBranch: "worktree-exp" })).toBe(
      "EnterWorktree exp = entered",
    );
    expect(line("ExitWorktree", { action: "keep" }, { worktreeBranch: "worktree-exp" })).toBe(
      "ExitWorktree worktree-exp left, its work kept",
    );
  });

  it("says that nobody could be asked", () => {
    expect(line("ExitPlanMode", { plan: "# Plan" }, null, "Exit plan mode?")).toBe(
      "ExitPlanMode Plan = nobody to ask",
    );
  });
});
