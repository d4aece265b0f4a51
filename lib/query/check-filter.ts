import type { FilterName } from "./query";
import { parseAmount, parseMoment } from "./values";

/** What a filter's value may be, where it is one of few. */
export const FILTER_VALUES = {
  is: ["error", "running"],
  in: ["prompt", "text", "thinking", "input", "output", "agent", "title"],
  has: ["image", "diff", "compaction"],
} as const;

/** What is wrong with a filter's value, in words; null if nothing. */
export function checkFilter(name: FilterName, value: string): string | null {
  if (value === "") return `${name}: needs a value, such as ${EXAMPLES[name]}`;
  switch (name) {
    case "is":
    case "in":
    case "has": {
      const allowed: readonly string[] = FILTER_VALUES[name];
      return allowed.includes(value.toLowerCase()) ? null : `${name}: is one of ${allowed.join(", ")}`;
    }
    case "before":
    case "after":
      return parseMoment(value, 0) === null
        ? `${name}: needs a date or an age, such as 2026-03-01 or 7d`
        : null;
    case "tokens":
      return parseAmount(value) === null ? "tokens: needs a number, such as >5k or <=200" : null;
    case "tool":
    case "file":
    case "project":
    case "branch":
    case "model":
    case "agent":
      return null;
  }
}

const EXAMPLES: Record<FilterName, string> = {
  tool: "tool:Bash",
  is: "is:error",
  in: "in:prompt",
  file: "file:src/**",
  project: "project:shop",
  branch: "branch:feat/*",
  model: "model:opus",
  before: "before:2026-03-01",
  after: "after:7d",
  tokens: "tokens:>5k",
  agent: "agent:Explore",
  has: "has:diff",
};
