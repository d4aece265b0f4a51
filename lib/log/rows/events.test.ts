import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/lib/log/records/json";
import { attachmentContext } from "./events";

describe("attachmentContext", () => {
  it("says short fields in its first line and long ones below (2.1.110)", () => {
    expect(
      contextOf({ type: "skill_listing", content: "- greet\n- tidy", skillCount: 2, isInitial: true }),
    ).toEqual({ label: "skill listing", text: "skillCount: 2, isInitial: true\ncontent: - greet\n- tidy" });
  });

  it("keeps nested fields as JSON", () => {
    const reminder = { type: "task_reminder", content: [{ id: "1", subject: "Read" }], itemCount: 1 };
    expect(contextOf(reminder).text).toBe('itemCount: 1\ncontent: [{"id":"1","subject":"Read"}]');
  });

  it("has the text that was made of it where the client wrote that (2.1.330)", () => {
    const date = { type: "date", date: "2026-11-21" };
    expect(contextOf(date, { rendered: "Today is 2026-11-21." }).text).toBe("Today is 2026-11-21.");
  });

  it("says nothing of an attachment that has only its type", () => {
    expect(contextOf({ type: "batching_reminder_sent" }).text).toBe("");
  });
});

function contextOf(attachment: JsonObject, json: JsonObject = {}): { label: string; text: string } {
  return attachmentContext({ attachmentType: String(attachment.type), attachment, json }, 1_000);
}
