import { FILTER_VALUES } from "@/lib/query/check-filter";
import type { FilterName } from "@/lib/query/query";

/** A filter of the query language, as the field offers it. */
export type SearchFilter = {
  name: FilterName;
  /** What it narrows to, in a few words. */
  does: string;
  /** Values that are always the same; others come from what there is. */
  values: readonly string[];
};

/** The filters in the order in which they are offered; what they mean is lib/query's to say. */
export const SEARCH_FILTERS: readonly SearchFilter[] = [
  { name: "in", does: "where it stands", values: FILTER_VALUES.in },
  {
    name: "tool",
    does: "a tool’s input and output",
    values: [
      "Bash",
      "Edit",
      "Read",
      "Write",
      "Grep",
      "Glob",
      "Task",
      "Agent",
      "WebFetch",
      "WebSearch",
      "mcp__*",
    ],
  },
  { name: "is", does: "what went wrong, or still runs", values: FILTER_VALUES.is },
  { name: "has", does: "what a session holds", values: FILTER_VALUES.has },
  { name: "file", does: "a path, * and ** as in a shell", values: [] },
  { name: "project", does: "a project’s name or path", values: [] },
  { name: "branch", does: "the git branch, * allowed", values: [] },
  { name: "model", does: "a part of the model’s name", values: [] },
  { name: "agent", does: "inside agents of this type", values: ["Explore", "Plan", "general-purpose"] },
  { name: "after", does: "a date, or 7d ago and later", values: ["1d", "7d", "30d", "2026-01-01"] },
  { name: "before", does: "a date, or 7d ago and earlier", values: ["1d", "7d", "30d", "2026-01-01"] },
  { name: "tokens", does: "sessions with more or fewer tokens", values: [">5k", ">50k", "<1k"] },
];
