import { useMemo } from "react";
import { useProjects } from "@/lib/client/use-projects";
import { splitPath } from "@/lib/format/split-path";
import type { SessionSummary } from "@/lib/wire/library";
import type { Vocabulary } from "./search-completion";

const MOST_VALUES = 300;

/** What this machine's sessions have, for completing filters: the latest first. */
export function useSearchVocabulary(sessions: readonly SessionSummary[]): Vocabulary {
  const projects = useProjects().data;
  return useMemo(
    () => ({
      project: (projects ?? []).map(({ path }) => splitPath(path).name),
      branch: distinct(sessions.map(({ gitBranch }) => gitBranch)),
      model: distinct(sessions.flatMap(({ models }) => models)),
    }),
    [projects, sessions],
  );
}

function distinct(values: readonly (string | null)[]): string[] {
  const found = new Set<string>();
  for (const value of values) {
    if (value) found.add(value);
    if (found.size >= MOST_VALUES) break;
  }
  return [...found];
}
