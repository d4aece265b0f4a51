import { expect, test } from "vitest";
import { parseRecord } from "@/lib/log/records/parse-record";
import { sentBy } from "./sent-message";

/** The role and the blocks' types that an attachment of this content sends. */
function sent(attachment: object, rendered?: unknown): string | null {
  const json = {
    type: "attachment",
    uuid: "q",
    attachment: { type: "queued_command", ...attachment },
    rendered,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const message = sentBy(parseRecord({ bytes, offset: 0, length: bytes.length, line: 1 }), "2.1.332");
  return message && `${message.role}: ${message.content.map(({ type }) => type).join(", ")}`;
}

test("an SDK's prompt that came while the model was at work is a user's, and its document is not sent (2.1.332)", () => {
  const text = { type: "text", text: "and this?" };
  const prompt = [{ type: "document", source: { type: "base64", data: "" } }, text];
  const rendered = [
    { content: [{ type: "text", text: "<system-reminder>\nand this?\n</system-reminder>" }] },
  ];
  expect(sent({ prompt, hostsOwnTurn: true }, rendered)).toBe("user: text");
  expect(sent({ prompt: "and this?", hostsOwnTurn: true }, [{ content: "and this?" }])).toBe("user: text");
  // No line says what was made of it.
  expect(sent({ prompt, humanTurn: true })).toBe("user: document, text");
});

test("a report that came while the model was at work is the system's (2.1.170 to 2.1.234)", () => {
  expect(sent({ prompt: "done", commandMode: "task-notification" })).toBe("system: text");
});
