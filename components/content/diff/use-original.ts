import { useCallback, useMemo, useRef, useState } from "react";
import { textField } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import type { CallDetail } from "@/lib/wire/record";

/** The file before a change, by its lines, from 1. Of a long one only what was loaded is known. */
export type Original = {
  lines: number;
  at: (line: number) => string | undefined;
  /** Resolves when these lines are known, as far as they can be. */
  load: (from: number, to: number) => Promise<void>;
};

/** The server cuts longer strings of a result. */
const CUT_CHARACTERS = 64 << 10;

/** The recorded original of a call that changed one file; `null` where the log has none. */
export function useOriginal(call: CallDetail): Original | null {
  const { sessionId } = useThreadActions();
  const { recordId, block, originalLines } = call;
  const [loaded, setLoaded] = useState<ReadonlyMap<number, string>>(new Map());
  const known = useRef(loaded);
  const load = useCallback(
    async (from: number, to: number) => {
      for (let next = from; next <= to; ) {
        while (known.current.has(next)) next += 1;
        if (next > to) break;
        const { lines } = await api.originalLines(sessionId, recordId, block, next, to);
        if (lines.length === 0) return;
        const more = new Map(known.current);
        for (const [index, line] of lines.entries()) more.set(next + index, line);
        known.current = more;
        next += lines.length;
      }
      setLoaded(known.current);
    },
    [sessionId, recordId, block],
  );
  const whole = useMemo(() => wholeOriginal(call), [call]);
  return useMemo(() => {
    if (call.diffs.length !== 1) return null;
    if (whole) return { lines: whole.length, at: (line) => whole[line - 1], load: async () => undefined };
    return originalLines === null ? null : { lines: originalLines, at: (line) => loaded.get(line), load };
  }, [call, whole, originalLines, loaded, load]);
}

/** The lines of an original that came with the call: a short one. */
function wholeOriginal({ results }: CallDetail): string[] | null {
  const structured = results[0]?.structured;
  const text = textField(structured, "originalFile") ?? textField(structured, "originalFileContents");
  return text === null || text.length >= CUT_CHARACTERS - 8 ? null : text.replace(/\n$/, "").split("\n");
}
