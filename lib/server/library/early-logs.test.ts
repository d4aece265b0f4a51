import { expect, it } from "vitest";
import { EarlyLogs } from "./early-logs";
import type { ReadFacts } from "./session-draft";

const PATH = "/logs/projects/-shop/s1.jsonl";
const factsWith = (facts: { hasMessages: boolean; cwd: string | null }) => ({ facts }) as ReadFacts;
const EMPTY = factsWith({ hasMessages: false, cwd: null });

it("takes a log without a message for a conversation in its client's folder, while that runs", () => {
  const early = new EarlyLogs();
  expect(early.factsOf(PATH, EMPTY)).toBe(EMPTY);
  early.setRunning(new Map([["s1", "/home/dev/shop"]]));
  expect(early.factsOf(PATH, EMPTY).facts).toEqual({ hasMessages: true, cwd: "/home/dev/shop" });
  expect(early.factsOf("/logs/projects/-shop/s2.jsonl", EMPTY)).toBe(EMPTY);
  expect([early.has("s1"), early.has("s2")]).toEqual([true, false]);
  expect(early.factsOf(PATH, factsWith({ hasMessages: false, cwd: "/srv" })).facts.cwd).toBe("/srv");
});

it("has none any longer that has a message, or whose client ended, and says of the latter that it is to be listed", () => {
  const early = new EarlyLogs();
  const running = new Map([["s1", null]]);
  early.setRunning(running);
  early.factsOf(PATH, EMPTY);
  const written = factsWith({ hasMessages: true, cwd: null });
  expect(early.factsOf(PATH, written)).toBe(written);
  expect(early.has("s1")).toBe(false);
  expect(early.setRunning(new Map())).toBe(false);
  early.setRunning(running);
  early.factsOf(PATH, EMPTY);
  expect(early.setRunning(running)).toBe(false);
  expect(early.setRunning(new Map())).toBe(true);
  expect(early.has("s1")).toBe(false);
});
