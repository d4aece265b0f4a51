import { useEffect, useState } from "react";
import { highlightCode } from "./highlight";
import type { LineSpans } from "./highlight-job";

const NONE: LineSpans[] = [];

/** Spans for each line of the code; none until the worker answers, and for a language without grammar. */
export function useHighlight(code: string, language: string | null): LineSpans[] {
  const [result, setResult] = useState<{ code: string; lines: LineSpans[] }>({ code: "", lines: NONE });
  useEffect(() => {
    if (!language || code.length === 0) return;
    let current = true;
    void highlightCode(code, language).then((lines) => {
      if (current) setResult({ code, lines });
    });
    return () => {
      current = false;
    };
  }, [code, language]);
  return result.code === code ? result.lines : NONE;
}
