import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { copyText } from "@/lib/client/copy-text";
import { formatCompact, formatCount, formatPlural } from "@/lib/format/format";
import type { CutText, Row } from "@/lib/wire/rows";

type TextProps = { row: Row; text: CutText; children: (text: string) => ReactNode };

/** A text that the server may have truncated, with a button that reads the rest from the record. */
export function MoreText(props: TextProps) {
  return props.text.cut ? <CutTextView {...props} /> : props.children(props.text.text);
}

function CutTextView({ row, text, children }: TextProps) {
  const { sessionId } = useThreadActions();
  const [asked, setAsked] = useState(false);
  const whole = useQuery({
    queryKey: ["whole-text", sessionId, row.recordId, row.block],
    queryFn: async ({ signal }) => {
      const { json } = await api.record(sessionId, row.recordId, { signal });
      return findWholeText(json, text);
    },
    enabled: asked,
    gcTime: 30_000,
  });
  const left = text.length - text.text.length;
  return (
    <>
      {children(whole.data ?? text.text)}
      {!whole.data && (
        <button
          type="button"
          className="mt-1 block text-12 text-accent hover:underline disabled:text-fg-3"
          disabled={whole.isFetching}
          onClick={() => (asked ? void whole.refetch() : setAsked(true))}
        >
          {whole.isFetching
            ? "Loading the rest…"
            : whole.isError || whole.data === null
              ? "Couldn’t load the rest. Open the inspector for the raw record"
              : `Show ${formatCount(left)} more characters`}
        </button>
      )}
    </>
  );
}

/**
 * The longest string in a record that starts with a truncated text; `null` when the record contains none. Iterative,
 * since records can be nested deeply.
 */
export function findWholeText(json: unknown, cut: CutText): string | null {
  const start = cut.text.trimStart();
  let whole: string | null = null;
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") {
      const fits = value.length > cut.text.length && value.trimStart().startsWith(start);
      if (fits && value.length > (whole?.length ?? 0)) whole = value;
    } else if (typeof value === "object" && value !== null) {
      for (const child of Object.values(value)) left.push(child);
    }
  }
  return whole;
}

/** A line number; a click copies `path:line`, as editors and compilers write it. */
export function CopyPathLine({ path, line }: { path: string | null; line: number }) {
  if (path === null) return line;
  const location = `${path}:${line}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Copy ${location}`}
      className="hover:text-accent hover:underline"
      onClick={async () => {
        const copied = await copyText(location);
        toast(copied ? `Copied ${location}` : "The browser does not allow copying", copied ? "plain" : "err");
      }}
    >
      {line}
    </button>
  );
}

/** `+3 −2`; renders nothing when the counts are unknown or zero. */
export function ChangedLines({ added, removed }: { added: number | null; removed: number | null }) {
  if (!added && !removed) return null;
  return (
    <span className="tabular-nums">
      {added ? <span className="text-add-fg">+{formatLines(added)}</span> : null}
      {added && removed ? " " : null}
      {removed ? <span className="text-del-fg">−{formatLines(removed)}</span> : null}
    </span>
  );
}

/** `2 errors`, `1 denied`, each in its colour: a refusal is no error of the tool. `errors` counts both. */
export function FailedCalls({ errors, denied }: { errors: number; denied: number }) {
  const failed = errors - denied;
  return (
    <>
      {failed > 0 && <span className="text-err">{formatPlural(failed, "error")}</span>}
      {denied > 0 && <span className="text-warn">{formatCount(denied)} denied</span>}
    </>
  );
}

function formatLines(lines: number): string {
  return lines < 10_000 ? formatCount(lines) : formatCompact(lines);
}
