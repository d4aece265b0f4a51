import { expect, test } from "vitest";
import { declaredTools, systemParts, toolsWords } from "./context-tools";

test("tools are counted by where they come from", () => {
  const tools = declaredTools([
    { name: "Bash", description: "Runs", input_schema: {} },
    { name: "mcp__files__read", input_schema: {}, defer_loading: true },
    { name: "mcp__files__write", input_schema: {} },
    { type: "web_search_20250305" },
    null,
  ]);
  expect(toolsWords(tools)).toBe("2 built in, 2 from 1 MCP server, 1 deferred");
  expect(declaredTools(undefined)).toEqual([]);
});

test("a system prompt is one text or several, some of them cached", () => {
  expect(systemParts("You are")).toEqual([{ text: "You are", cached: false }]);
  expect(systemParts([{ type: "text", text: "You are", cache_control: { type: "ephemeral" } }])).toEqual([
    { text: "You are", cached: true },
  ]);
  expect(systemParts(undefined)).toEqual([]);
});
