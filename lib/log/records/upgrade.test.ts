import { describe, expect, it } from "vitest";
import { upgrade } from "./upgrade";

const message = (content: unknown) => ({ type: "message", content });
const result = { type: "tool_result", tool_use_id: "t", content: "x" };

describe("upgrade", () => {
  it("leaves a line of today's shape as it is, without a copy", () => {
    for (const line of [
      { type: "user", message: { role: "user", content: "hello" } },
      { type: "assistant", message: { content: [] } },
      {
        type: "file-history-snapshot",
        snapshot: { trackedFileBackups: { a: { backupFileName: "b", version: 1 } } },
      },
      { type: 5 },
      {},
    ]) {
      expect(upgrade(line)).toBe(line);
    }
  });

  it("names types as today's clients do", () => {
    expect(upgrade({ type: "human", message: message("hello") })).toMatchObject({
      type: "user",
      message: { content: "hello" },
    });
    expect(upgrade({ type: "tool_result", message: message([result]) })).toMatchObject({ type: "user" });
    expect(upgrade({ type: "compact_recap", message: message("short") })).toMatchObject({
      type: "user",
      isCompactSummary: true,
    });
  });

  it("names the link between sessions that has no type, and no other line", () => {
    expect(upgrade({ sid: "s", from: "a", to: "b", ts: 1 })).toMatchObject({ type: "session-link" });
    expect(upgrade({ sid: "s", from: "a" })).not.toHaveProperty("type");
  });

  it("never takes a result without its block for a person's words", () => {
    expect(upgrade({ type: "tool_result", message: message("text") })).toMatchObject({
      type: "user",
      isMeta: true,
    });
  });

  it("makes a boundary of the first prelude, and context of those behind it", () => {
    expect(upgrade({ type: "compact_prelude", parentUuid: null, message: message("kept") })).toMatchObject({
      type: "system",
      subtype: "compact_boundary",
      content: "kept",
    });
    expect(upgrade({ type: "compact_prelude", parentUuid: "p", message: message("kept") })).toMatchObject({
      type: "user",
      isMeta: true,
    });
  });

  it("puts content beside the type into a message", () => {
    expect(upgrade({ type: "human", content: "hello" })).toMatchObject({
      type: "user",
      message: { role: "user", content: "hello" },
    });
  });

  it("tells failures and aborts where today's clients tell them", () => {
    expect(upgrade({ type: "tool_result", isError: true, message: message([result]) })).toMatchObject({
      message: { content: [{ tool_use_id: "t", is_error: true }] },
    });
    expect(
      upgrade({
        type: "tool_result",
        isAborted: true,
        toolUseResult: { stdout: "half" },
        message: message([result]),
      }),
    ).toMatchObject({
      toolUseResult: { stdout: "half", interrupted: true },
    });
    expect(
      upgrade({ type: "assistant", isError: true, isAborted: true, message: message([]) }),
    ).toMatchObject({
      isApiErrorMessage: true,
      isAbortedMidStream: true,
    });
  });

  it("keeps the contents of a snapshot with their backups, and takes no key for anything else", () => {
    const line = JSON.parse(
      '{"type":"file-history-snapshot","snapshot":{"timestamp":"t","trackedFileBackups":{"a":"one","__proto__":"two"}}}',
    );
    const { trackedFileBackups } = upgrade(line).snapshot as { trackedFileBackups: object };
    expect(Object.entries(trackedFileBackups)).toEqual([
      ["a", { backupFileName: null, version: null, backupTime: "t", content: "one" }],
      ["__proto__", { backupFileName: null, version: null, backupTime: "t", content: "two" }],
    ]);
  });
});
