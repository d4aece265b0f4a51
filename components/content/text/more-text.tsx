import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { textPart, useUnfolded } from "@/components/content/row-state";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { copyText } from "@/lib/client/copy-text";
import { formatCompact, formatCount, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { findWholeText } from "@/lib/markup/whole-text";
import { shortToolName } from "@/lib/tools/tools";
import { parseRowKey, type SessionId } from "@/lib/wire/ids";
import type { AgentStep, CutText, Row } from "@/lib/wire/rows";
import { VisibleText } from "./visible-text";

type TextProps = { row: Row; text: CutText; children: (text: string) => ReactNode };

/** A text that the server may have truncated, with a button that reads the rest from the record. */
export function MoreText(props: TextProps) {
  return props.text.cut ? <CutTextView {...props} /> : props.children(props.text.text);
}

function CutTextView({ row, text, children }: TextProps) {
  const { inspect } = useThreadActions();
  const { whole, state, load } = useWholeText(row, text);
  const left = text.length - text.text.length;
  return (
    <>
      {children(whole ?? text.text)}
      {whole === null && (
        <button
          type="button"
          data-unfolds=""
          className="mt-1 block text-12 text-accent hover:underline disabled:text-fg-3 print:text-fg-3"
          disabled={state === "loading"}
          onClick={load}
        >
          {state === "loading"
            ? "Loading the rest…"
            : state === "failed"
              ? `Couldn’t load the rest${inspect ? ". Open the inspector for the raw record" : ""}`
              : `Show ${formatCount(left)} more characters`}
        </button>
      )}
    </>
  );
}

/** A text that the server has truncated: read whole from its record when asked for. */
export type WholeText = {
  whole: string | null;
  state: "not-asked" | "loading" | "failed";
  load: () => void;
};

/** The whole of a text that the server has truncated. */
export function useWholeText(row: TextPlace & Pick<Row, "block">, text: CutText): WholeText {
  const { sessionId } = useThreadActions();
  // Results of several calls may be on one line (2.1.330), each with a first block of its own.
  const part = textPart(`${row.recordId} ${row.block}`, text.text);
  const [asked, setAsked] = useUnfolded(part, false);
  const query = useQuery({
    queryKey: ["whole-text", sessionId, part, text.length],
    queryFn: ({ signal }) => readWholeText(sessionId, row, text, signal),
    enabled: asked,
    gcTime: 30_000,
  });
  return {
    whole: query.data ?? null,
    state: query.isFetching ? "loading" : query.isError || query.data === null ? "failed" : "not-asked",
    load: () => (asked ? void query.refetch() : setAsked(true)),
  };
}

/**
 * The line that a row represents, and those that it shows besides: a summary, or a queued prompt, has a line of its
 * own.
 */
type TextPlace = Pick<Row, "recordId" | "shows">;

/** The longest text in these lines that begins as this one does; `null` when there is none. Throws `ApiError`. */
export async function readWholeText(
  sessionId: SessionId,
  { recordId, shows = [] }: TextPlace,
  text: CutText,
  signal?: AbortSignal,
): Promise<string | null> {
  for (const record of [recordId, ...shows.map((key) => parseRowKey(key).recordId)]) {
    // The raw line, since a record of more than a megabyte is not sent as JSON.
    const line = await api.rawRecord(sessionId, record, { signal });
    const whole = findWholeText(JSON.parse(line), text);
    if (whole !== null) return whole;
  }
  return null;
}

/** The text for a copy button, if the server may have truncated it: all of it, read from its record when copying. */
export function toCopy(
  sessionId: SessionId,
  row: TextPlace,
  text: CutText,
): string | (() => Promise<string>) {
  if (!text.cut) return text.text;
  return async () => {
    const whole = await readWholeText(sessionId, row, text);
    if (whole === null) throw new Error("Nothing copied: the rest of this text is not in its record");
    return whole;
  };
}

/** A line number; a click copies `path:line`, as editors and compilers write it. */
export function CopyPathLine({ path, line }: { path: string | null; line: number }) {
  if (path === null) return line;
  const location = `${path}:${line}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      title={labelHidden(`Copy ${location}`)}
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
    <span className="flex-none whitespace-nowrap tabular-nums">
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

/** The current step of a running agent, shown after its task. */
export function LatestStep({ step }: { step: AgentStep | null }) {
  if (!step) return null;
  return (
    <span data-log="none" className="text-fg-2">
      {" · "}
      {step.name && <span className="font-semibold">{shortToolName(step.name)} </span>}
      <VisibleText text={step.subject} />
    </span>
  );
}

function formatLines(lines: number): string {
  return lines < 10_000 ? formatCount(lines) : formatCompact(lines);
}
