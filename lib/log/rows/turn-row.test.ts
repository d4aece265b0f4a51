import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/log/records/json";
import { promptSettings } from "./turn-row";

// Fields as 1.0.128 to 2.1.330 recorded them.
test.each<[string, JsonObject]>([
  ["", {}],
  ["", { thinkingMetadata: { level: "none", disabled: false, triggers: [] }, todos: [] }],
  ["", { thinkingMetadata: { level: "high", disabled: true, triggers: [] } }],
  [
    "thinking: low",
    { thinkingMetadata: { level: "low", disabled: false, triggers: [{ start: 0, end: 5 }] } },
  ],
  ["thinking: up to 31,999 tokens", { thinkingMetadata: { maxThinkingTokens: 31_999 } }],
  ["", { permissionMode: "default" }],
  ["permissions: plan; plan: indexed-baking-prism", { permissionMode: "plan", slug: "indexed-baking-prism" }],
  ["effort: high", { effort: "high" }],
  [
    "to do: 1 of 2 done, next: test",
    {
      todos: [
        { content: "build", status: "completed" },
        { content: "test", status: "pending" },
      ],
    },
  ],
  ["", { permissionMode: 7, slug: [], thinkingMetadata: "high", todos: "none", effort: null }],
])("%s", (expected, json) => {
  const told = Object.entries(promptSettings(json)).map(([name, value]) => `${name}: ${value}`);
  expect(told.join("; ")).toBe(expected);
});
