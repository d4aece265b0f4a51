import type { RE2JS } from "re2js";
import { useCallback, useEffect, useState } from "react";
import type { Mark } from "@/components/content/code/line-pieces";

const LINE_CHARACTERS = 2_000;
const MOST_MARKS = 50;

export type MarkText = (text: string) => Mark[];

/**
 * Finds what a pattern of the log matches in a line. The engine takes time linear in the line whatever the
 * pattern is, and is loaded when first asked for; until then, and for a pattern that it cannot read, nothing
 * is marked.
 */
export function usePatternMarks(pattern: string, ignoreCase: boolean): MarkText {
  const [compiled, setCompiled] = useState<RE2JS | null>(null);
  useEffect(() => {
    let current = true;
    setCompiled(null);
    if (pattern === "") return;
    void import("re2js").then(({ RE2JS: Engine, RE2JSException }) => {
      if (!current) return;
      try {
        setCompiled(Engine.compile(pattern, ignoreCase ? Engine.CASE_INSENSITIVE : 0));
      } catch (cause) {
        if (!(cause instanceof RE2JSException)) throw cause;
      }
    });
    return () => {
      current = false;
    };
  }, [pattern, ignoreCase]);
  return useCallback((text) => (compiled ? marksOf(compiled, text) : []), [compiled]);
}

function marksOf(compiled: RE2JS, text: string): Mark[] {
  const marks: Mark[] = [];
  const matcher = compiled.matcher(text.slice(0, LINE_CHARACTERS));
  while (marks.length < MOST_MARKS && matcher.find()) {
    const from = matcher.start();
    const to = matcher.end();
    if (to > from) marks.push({ from, to });
  }
  return marks;
}
