import { describe, expect, test } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/messages";
import {
  contextEntries,
  countNew,
  declaredTools,
  formatTools,
  systemParts,
  viewEntries,
} from "./context-entries";

describe("context entries", () => {
  const user = (content: unknown): ApiMessage => ({ role: "user", content });
  const assistant = (content: unknown): ApiMessage => ({ role: "assistant", content });
  const text = (words: string) => ({ type: "text", text: words });
  const call = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
  const result = (id: string, content: unknown) => ({ type: "tool_result", tool_use_id: id, content });

  function request(messages: ApiMessage[], newFrom = messages.length): MessagesResponse {
    return {
      at: "m~9" as RecordId,
      source: "recorded",
      messages,
      model: null,
      tokens: null,
      window: null,
      notes: messages.map((_, index) => ({
        recordIds: [],
        chars: 10 * (index + 1),
        isNew: index >= newFrom,
      })),
      shares: { system: 0, tools: 0, memory: 0, reminders: 0, files: 0, toolOutput: 0, conversation: 0 },
      dropped: { messages: 0, chars: 0, compacted: false },
    };
  }

  const lines = (messages: ApiMessage[]) =>
    contextEntries(request(messages)).map(({ number, kind, subject }) => `${number} ${kind} ${subject}`);

  test("a request reads like a transcript", () => {
    expect(
      lines([
        user("Run it 200 times\nand count"),
        user([text("<system-reminder>\nToday's date is 2026-11-21.\n</system-reminder>")]),
        assistant([{ type: "thinking", thinking: "hm" }, call("1", "Bash", { command: "npm test" })]),
        user([result("1", [text("11 of 200 failed\nmore")])]),
        assistant([call("2", "Read", {}), call("3", "Read", {}), call("4", "Grep", {})]),
        user([
          result("2", "a"),
          result("3", "b"),
          result("4", "c"),
          text("<system-reminder>x</system-reminder>"),
        ]),
        user([text("<system-reminder>first</system-reminder>"), text("And now?")]),
        assistant("Only the clock."),
      ]),
    ).toEqual([
      "1 you Run it 200 times",
      "2 client Today's date is 2026-11-21.",
      "3 answer Bash npm test",
      "4 result Bash npm test: 11 of 200 failed",
      "5 answer Read ×2, Grep",
      "6 result Read ×2, Grep",
      "7 you And now?",
      "8 answer Only the clock.",
    ]);
  });

  test("what this page does not know, and what is missing, is a line too", () => {
    expect(
      lines([
        user([result("gone", "late")]),
        user([{ type: "image", source: { media_type: "image/png" } }]),
        assistant([{ type: "from_the_future" }]),
        { role: "user", content: null },
      ]),
    ).toEqual(["1 result a call before this request: late", "2 you image", "3 answer nothing", "4 client "]);
  });

  const twenty = (newFrom: number) =>
    contextEntries(
      request(
        Array.from({ length: 20 }, (_, n) => user(`${n}`)),
        newFrom,
      ),
    );
  const shown = (newFrom: number, view: Parameters<typeof viewEntries>[1]) =>
    viewEntries(twenty(newFrom), view).map((item) =>
      item.kind === "fold" ? `${item.entries.length} older` : String(item.entry.number),
    );

  test("old messages fold, but for those that the new ones answer", () => {
    expect(shown(18, "all").slice(0, 2)).toEqual(["6 older", "7"]);
    expect(shown(18, "all").at(-1)).toBe("20");
    expect(shown(3, "all")[0]).toBe("1");
    expect(shown(18, "changes")).toEqual(["18 older", "19", "20"]);
    expect(shown(18, "size").slice(0, 2)).toEqual(["20", "19"]);
  });

  test("what is new is counted", () => {
    expect(countNew(twenty(18))).toEqual({ messages: 2, chars: 390 });
  });
});

describe("context tools", () => {
  test("tools are counted by where they come from", () => {
    const tools = declaredTools([
      { name: "Bash", description: "Runs", input_schema: {} },
      { name: "mcp__files__read", input_schema: {}, defer_loading: true },
      { name: "mcp__files__write", input_schema: {} },
      { type: "web_search_20250305" },
      null,
    ]);
    expect(formatTools(tools)).toBe("2 built in, 2 from 1 MCP server, 1 deferred");
    expect(declaredTools(undefined)).toEqual([]);
  });

  test("a system prompt is one text or several, some of them cached", () => {
    expect(systemParts("You are")).toEqual([{ text: "You are", cached: false }]);
    expect(systemParts([{ type: "text", text: "You are", cache_control: { type: "ephemeral" } }])).toEqual([
      { text: "You are", cached: true },
    ]);
    expect(systemParts(undefined)).toEqual([]);
  });
});
