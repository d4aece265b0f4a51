import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/log/records/json";
import { toRecord } from "@/lib/log/records/parse-record";
import { attachmentContext, attachmentEvent, commandTexts } from "./events";

describe("attachmentContext", () => {
  it("has short fields in its first line and long ones below (2.1.110)", () => {
    expect(
      contextOf({ type: "skill_listing", content: "- greet\n- tidy", skillCount: 2, isInitial: true }),
    ).toEqual({ label: "skill listing", text: "skillCount: 2, isInitial: true\ncontent: - greet\n- tidy" });
  });

  it("keeps nested fields as JSON", () => {
    const reminder = { type: "task_reminder", content: [{ id: "1", subject: "Read" }], itemCount: 1 };
    expect(contextOf(reminder).text).toBe('itemCount: 1\ncontent: [{"id":"1","subject":"Read"}]');
  });

  it("has the text sent to the model where the client wrote that (2.1.330)", () => {
    const date = { type: "date", date: "2026-11-21" };
    expect(contextOf(date, { rendered: "Today is 2026-11-21." }).text).toBe("Today is 2026-11-21.");
  });

  it("is empty for an attachment that has only its type", () => {
    expect(contextOf({ type: "batching_reminder_sent" }).text).toBe("");
  });
});

describe("a hook's attachment", () => {
  it("contains once what the hook printed and the client adopted (2.1.110, 2.1.330)", () => {
    const printed = { content: "remember this", stdout: "remember this\n", stderr: "" };
    expect(hookOf({ type: "hook_success", ...printed })).toEqual(["remember this", undefined]);
    const own = { content: "", stdout: '{"systemMessage":"hi"}\n', stderr: "careful" };
    expect(hookOf({ type: "hook_success", ...own })).toEqual(['{"systemMessage":"hi"}\ncareful', undefined]);
  });

  it("has the context that it added, which is a list (2.1.110, 2.1.330)", () => {
    const content = ["the branch is red", "run the tests"];
    expect(hookOf({ type: "hook_additional_context", content })).toEqual([
      "the branch is red\nrun the tests",
      undefined,
    ]);
  });

  it("says how the hook ended if it failed, or what it decided", () => {
    const failed = { stderr: "no", stdout: "", exitCode: 1 };
    expect(hookOf({ type: "hook_non_blocking_error", ...failed })).toEqual(["no", "failed, exit 1"]);
    const blockingError = { blockingError: "not today", command: "x" };
    expect(hookOf({ type: "hook_blocking_error", blockingError })).toEqual(["not today", "blocked"]);
    expect(hookOf({ type: "hook_cancelled" })).toEqual(["", "cancelled"]);
    expect(hookOf({ type: "hook_stopped_continuation", message: "enough" })).toEqual(["enough", "stopped"]);
    expect(hookOf({ type: "hook_permission_decision", decision: "deny" })).toEqual(["", "deny"]);
  });
});

/** The text of a hook's row, and what it says at its end. */
function hookOf(attachment: JsonObject): [text?: string | undefined, status?: string | undefined] {
  const line = { type: "attachment", attachment: { hookName: "PreToolUse:Bash", ...attachment } };
  const record = toRecord(line, { offset: 0, length: 1, line: 1 });
  const event = record.kind === "attachment" ? attachmentEvent(record) : null;
  return [event?.text, event?.status];
}

function contextOf(attachment: JsonObject, json: JsonObject = {}): { label: string; text: string } {
  return attachmentContext({ attachmentType: String(attachment.type), attachment, json }, 1_000);
}

describe("commandTexts", () => {
  it("has what a command's row shows, and what the client says while it runs (1.0.60)", () => {
    const command = "<command-name>/review</command-name>\n<command-args>42</command-args>";
    expect(commandTexts(command)).toEqual({ shown: "/review 42", rest: "" });
    const says = "<command-message>review is running…</command-message>";
    expect(commandTexts(`${says}\n${command}`)?.rest).toBe("review is running…");
  });

  it("has what a command printed, and what stands beside that", () => {
    const printed = "<local-command-stdout>Total cost: $0.02</local-command-stdout>";
    expect(commandTexts(printed)).toEqual({ shown: "Total cost: $0.02", rest: "" });
    expect(commandTexts(`${printed}and more`)?.rest).toBe("and more");
    expect(commandTexts("a prompt")).toBe(null);
  });
});
