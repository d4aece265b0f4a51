import { useQuery } from "@tanstack/react-query";
import { OutputText } from "@/components/content/code/output-text";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { SectionLine } from "@/components/thread/section-line";
import { DetailState } from "@/components/ui/detail-state";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import type { CallDetail, LaterOutput as Later } from "@/lib/wire/record";
import { readTaskOutput } from "./task-output";

/** What became of a call that went on in the background: what was told of it, what it had printed, its end. */
export function LaterOutput({ call }: { call: CallDetail }) {
  return call.later.map((later) => <Look key={`${later.recordId}.${later.block}`} later={later} />);
}

function Look({ later }: { later: Later }) {
  const { sessionId } = useThreadActions();
  const { recordId, block, told } = later;
  const query = useQuery({
    queryKey: ["call", sessionId, recordId, block],
    queryFn: ({ signal }) => api.call(sessionId, recordId, block, { signal }),
    enabled: told === null,
    staleTime: 60_000,
    gcTime: 30_000,
    structuralSharing: false,
  });
  if (told !== null) return <Heading later={later} words={told} />;
  if (!query.data) return <DetailState query={query} />;
  const output = readTaskOutput(query.data);
  const text = output?.text ?? "";
  return (
    <>
      <Heading later={later} words={wordsOf(query.data)} />
      {text !== "" && <OutputText text={text} />}
      {output?.errors && <OutputText text={output.errors} isError />}
    </>
  );
}

function Heading({ later, words }: { later: Later; words: string }) {
  const { linkTo } = useThreadActions();
  return (
    <SectionLine>
      <span>later</span>
      <a href={linkTo(later)} className="max-w-3/4 truncate text-fg-2 hover:underline">
        <VisibleText text={words} />
      </a>
      {later.atMs !== null && <Time atMs={later.atMs} />}
    </SectionLine>
  );
}

/** `TaskOutput: completed, exit 0`. */
function wordsOf(call: CallDetail): string {
  const output = readTaskOutput(call);
  if (output === null) {
    const stopped = call.results.length > 0 && call.results.every(({ isError }) => !isError);
    return `${call.name}: ${stopped ? "stopped" : resultText(call).text.slice(0, 120)}`;
  }
  const ended = output.exitCode === null ? "" : `, exit ${output.exitCode}`;
  const printed = output.text === "" && !output.errors ? ", no new output" : "";
  return `${call.name}: ${(output.status ?? "asked").replaceAll("_", " ")}${ended}${printed}`;
}
