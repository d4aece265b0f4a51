import { useQuery } from "@tanstack/react-query";
import { CodeBlock } from "@/components/content/code/code-block";
import { OutputText } from "@/components/content/code/output-text";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedCall, SectionLine, type ToolViewProps } from "@/components/thread/opened-block";
import { DetailState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatLength } from "@/lib/format/format";
import { fieldsOf, listField, numberField, parseJson, textField } from "@/lib/format/json-values";
import { textStart } from "@/lib/format/text";
import type { CallDetail, LaterOutput as Later } from "@/lib/wire/record";
import { OutputBlocks } from "./output-blocks";
import { wholeOutput } from "./whole-output";

/** What became of a call that went on in the background: what was told of it, what it had printed, its end. */
export function LaterOutputs({ call }: { call: CallDetail }) {
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
      <a href={linkTo?.(later)} className="max-w-3/4 truncate text-fg-2 hover:underline">
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
    return `${call.name}: ${stopped ? "stopped" : textStart(resultText(call).text, 120)}`;
  }
  const ended = output.exitCode === null ? "" : `, exit ${output.exitCode}`;
  const printed = output.text === "" && !output.errors ? ", no new output" : "";
  return `${call.name}: ${(output.status ?? "asked").replaceAll("_", " ")}${ended}${printed}`;
}

/** What a task had printed, and how it stood, when the model looked. `status` and `exitCode` are `null` where the client does not say. */
export type TaskOutput = {
  status: string | null;
  exitCode: number | null;
  /** What the task is, in its own words. */
  about: string | null;
  command: string | null;
  text: string;
  errors: string | null;
};

/**
 * What BashOutput (≤ 2.0.50) and TaskOutput (2.0.76 on) say of a task: from the structured result, or, on
 * agents' lines, which have none from 2.1.29 on, from the tags in the text. `null` for any other answer.
 */
export function readTaskOutput(call: CallDetail): TaskOutput | null {
  const [result] = call.results;
  if (!result || result.isError) return null;
  const { structured } = result;
  const task = fieldsOf(structured).task;
  if (task !== undefined) {
    const output = textField(task, "output") ?? textField(task, "result");
    return {
      status: textField(task, "status") ?? textField(structured, "retrieval_status"),
      exitCode: numberField(task, "exitCode"),
      about: textField(task, "description"),
      command: null,
      text: answersOf(output ?? "") ?? (output ?? "").trimEnd(),
      errors: null,
    };
  }
  if (textField(structured, "shellId") !== null) {
    return {
      status: textField(structured, "status"),
      exitCode: numberField(structured, "exitCode"),
      about: null,
      command: textField(structured, "command"),
      text: textField(structured, "stdout") ?? "",
      errors: textField(structured, "stderr") || null,
    };
  }
  return readTags(resultText(call).text);
}

function readTags(text: string): TaskOutput | null {
  const status = tagged(text, "status");
  if (status === null) return null;
  const code = tagged(text, "exit_code");
  return {
    status,
    exitCode: code === null || Number.isNaN(Number(code)) ? null : Number(code),
    about: null,
    command: null,
    text: tagged(text, "stdout") ?? tagged(text, "output") ?? "",
    errors: tagged(text, "stderr"),
  };
}

function tagged(text: string, tag: string): string | null {
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from === -1 || to < from ? null : text.slice(from + tag.length + 2, to).replace(/^\n|\n$/g, "");
}

/** 2.1.29 and 2.1.42 give the lines of an agent's log: what it said in them. `null` for any other output. */
function answersOf(output: string): string | null {
  const texts: string[] = [];
  for (const line of output.split("\n").filter(Boolean)) {
    const record = parseJson(line);
    if (textField(record, "type") === null || !("uuid" in fieldsOf(record))) return null;
    if (textField(record, "type") !== "assistant") continue;
    for (const block of listField(fieldsOf(record).message, "content")) {
      const text = textField(block, "text");
      if (text) texts.push(text);
    }
  }
  return texts.length > 0 ? texts.join("\n\n") : null;
}

/** BashOutput, TaskOutput: what a background task had printed since it was last asked. */
export function TaskOutputView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const output = readTaskOutput(call);
  const id = textField(call.input, "bash_id") ?? textField(call.input, "task_id") ?? row.subject;
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          <span className="font-mono">{id}</span>
          {output?.status && <span>{output.status.replace(/_/g, " ")}</span>}
          {output?.exitCode != null && (
            <span className={output.exitCode === 0 ? "" : "font-semibold text-err"}>
              exit {output.exitCode}
            </span>
          )}
          {output?.about && (
            <span className="truncate text-fg-3">
              <VisibleText text={output.about} />
            </span>
          )}
        </>
      }
      actions={output && <span>output {formatLength(output.text.length)}</span>}
      copy={{
        label: "Copy output",
        text:
          output === null
            ? () => wholeOutput(sessionId, call)
            : [output.text, output.errors].filter(Boolean).join("\n"),
      }}
      wrappable
    >
      {output === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          {output.command && (
            <div className="border-b border-line bg-panel">
              <CodeBlock text={output.command} firstLine={null} language="bash" />
            </div>
          )}
          {output.text === "" ? (
            <SectionLine>no new output</SectionLine>
          ) : (
            <OutputText text={output.text} isError={false} />
          )}
          {output.errors && (
            <>
              <SectionLine>stderr</SectionLine>
              <OutputText text={output.errors} isError />
            </>
          )}
        </>
      )}
    </OpenedCall>
  );
}
