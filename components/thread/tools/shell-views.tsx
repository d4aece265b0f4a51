import { clsx } from "clsx";
import { CodeBlock } from "@/components/content/code/code-block";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import {
  OpenedCall,
  SectionLine,
  type ToolViewProps,
  type ToolViews,
} from "@/components/thread/opened-block";
import { formatBytes, formatDuration, formatLength } from "@/lib/format/format";
import { fieldsOf, numberField, textField } from "@/lib/format/json-values";
import { shortenHome } from "@/lib/format/text";
import { plainOutput } from "@/lib/markup/plain-output";
import { startedTask } from "@/lib/tools/started-task";
import type { CallDetail } from "@/lib/wire/record";
import { jsonIn } from "./call-data";
import { LaterOutputs, TaskOutputView } from "./later-output";
import { OutputBlocks } from "./output-blocks";
import { keptOutput, wholeOutput } from "./whole-output";

/** Commands, in the shell and in the background. */
export const SHELL_VIEWS: ToolViews<"shell"> = {
  Bash: BashView,
  PowerShell: BashView,
  bash_code_execution: BashView,
  TaskOutput: TaskOutputView,
  TaskStop: StopView,
  Monitor: MonitorView,
};

/** A command and what it printed. stderr is in the output: every client version merges the two. */
function BashView({ row, call }: ToolViewProps) {
  const command = textField(call.input, "command");
  const description = textField(call.input, "description");
  const output = resultText(call);
  const { sessionId } = useThreadActions();
  const kept = keptOutput(call);
  const isKept = kept !== null;
  const isError = call.results.some((one) => one.isError);
  const printed = plainOutput(output.text, { isKept, isError });
  const length = output.cut || printed === output.text ? output.length : printed.length;
  const hasMedia = call.results.some(({ blocks }) => blocks.some(({ kind }) => kind !== "text"));
  const [result] = call.results;
  const task =
    textField(result?.structured, "backgroundTaskId") ??
    textField(result?.structured, "shellId") ??
    (isError ? null : (startedTask(output.text)?.id ?? null));
  const asked = fieldsOf(call.input).run_in_background === true;
  const meant = textField(result?.structured, "returnCodeInterpretation");
  const code = returnCode(call);
  // A command that did not fail ended with 0, unless it is one whose code means something, or it goes on.
  const exit = row.state === "ok" && result !== undefined && task === null ? (meant ?? `exit ${code}`) : null;
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          {exit && <span>{exit}</span>}
          {call.cwd && <span className={task ? "max-sm:hidden" : undefined}>{shortenHome(call.cwd)}</span>}
          {task && (
            <span className="flex-none">
              {asked ? "in" : "moved to"} the background<span className="max-sm:hidden"> as {task}</span>
            </span>
          )}
          {description && (
            <span className="truncate text-fg-3 max-sm:hidden">
              <VisibleText text={description} />
            </span>
          )}
        </>
      }
      actions={
        printed !== "" && (
          <span className={clsx("flex-none", task && "max-sm:hidden")}>
            output {kept?.bytes == null ? formatLength(length) : formatBytes(kept.bytes)}
          </span>
        )
      }
      copy={{
        label: "Copy output",
        text: async () => plainOutput(await wholeOutput(sessionId, call), { isKept, isError }),
      }}
      wrappable
    >
      {command !== null && (
        <div className="border-b border-line bg-panel">
          <CodeBlock text={command} firstLine={null} language="bash" />
        </div>
      )}
      {call.results.length > 0 && printed === "" && !hasMedia && <SectionLine>no output</SectionLine>}
      {(printed !== "" || hasMedia || call.results.length === 0) && (
        <OutputBlocks
          row={row}
          call={call}
          errorsRed={false}
          plain={(text) => plainOutput(text, { isKept, isError })}
          only={printed === "" && call.results.length > 0 ? "media" : "all"}
        />
      )}
      <LaterOutputs call={call} />
    </OpenedCall>
  );
}

/** The code with which a command ended that did not fail: one that the API ran says it, whatever it is. */
function returnCode({ results }: CallDetail): number {
  const codes = results.flatMap(({ blocks }) =>
    blocks.map((block) => (block.kind === "other" ? numberField(block.json, "return_code") : null)),
  );
  return codes.find((code) => code !== null) ?? 0;
}

/** A command that is watched while the session goes on; each line it prints comes as a notification. */
function MonitorView({ row, call }: ToolViewProps) {
  const command = textField(call.input, "command") ?? "";
  const description = textField(call.input, "description");
  const structured = call.results[0]?.structured;
  const task = textField(structured, "taskId");
  const timeoutMs = numberField(structured, "timeoutMs") ?? numberField(call.input, "timeout_ms");
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          {task && <span className="font-mono">{task}</span>}
          {fieldsOf(structured).persistent === true ? (
            <span>watched until it is stopped</span>
          ) : (
            timeoutMs !== null && <span>watched for {formatDuration(timeoutMs)}</span>
          )}
          {description && (
            <span className="truncate text-fg-3">
              <VisibleText text={description} />
            </span>
          )}
        </>
      }
      copy={{ label: "Copy command", text: command }}
      wrappable
    >
      {command && <CodeBlock text={command} firstLine={null} language="bash" />}
      {task === null && <OutputBlocks row={row} call={call} />}
      {task !== null && (
        <p data-log="none" className="border-t border-line px-3 py-1 text-12 text-fg-3">
          Its output arrives below as notifications.
        </p>
      )}
    </OpenedCall>
  );
}

const TYPES = new Map([
  ["local_bash", "a command"],
  ["local_agent", "an agent"],
  ["local_workflow", "a workflow"],
]);

/** KillShell, TaskStop: which task was stopped, and what it was. */
function StopView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const [result] = call.results;
  // An agent's line has no structured twin from 2.1.29 on; its text is the same JSON.
  const stopped = textField(result?.structured, "message")
    ? result?.structured
    : jsonIn(resultText(call).text);
  const id = textField(call.input, "shell_id") ?? textField(call.input, "task_id") ?? row.subject;
  const type = textField(stopped, "task_type");
  const message = textField(stopped, "message") ?? "";
  const task = stoppedTask(stopped);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          <span className="font-mono">
            <VisibleText text={id} />
          </span>
          {stopped && <span>stopped{type && `, ${TYPES.get(type) ?? type}`}</span>}
        </>
      }
      copy={{
        label: task?.isCommand ? "Copy command" : "Copy message",
        text: task?.text || message || (() => wholeOutput(sessionId, call)),
      }}
      wrappable
    >
      {stopped === null || stopped === undefined ? (
        <OutputBlocks row={row} call={call} />
      ) : task?.isCommand ? (
        <CodeBlock text={task.text} firstLine={null} language="bash" />
      ) : (
        <p className="px-3 py-1 text-12 text-fg-2">
          <VisibleText text={task?.text ?? message} />
        </p>
      )}
    </OpenedCall>
  );
}

/** What was stopped: the command that it ran, or where the log does not have that, words about it. */
export type StoppedTask = { text: string; isCommand: boolean };

/** What the result of a KillShell or TaskStop says of the task; `null` where it names none. */
export function stoppedTask(result: unknown): StoppedTask | null {
  const command = textField(result, "command");
  if (command) return { text: command, isCommand: true };
  const [, thing, text] =
    /^Successfully \w+ (\w+): .*?\((.+)\)$/s.exec(textField(result, "message") ?? "") ?? [];
  // 2.1.29 gives a task's description there; shells (up to 2.0.76), and tasks from 2.1.42 on, have their command.
  return text ? { text, isCommand: thing === "shell" } : null;
}
