import { fieldsOf, listField, textField } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { CallFacts } from "@/components/thread/call-facts";
import { FactsList } from "@/components/thread/facts-list";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { TaskLine, taskState } from "./task-line";

/** TaskCreate, TaskUpdate, TaskGet: one task, and what this call changed of it. */
export function TaskView({ row, call }: ToolViewProps) {
  const { input, name } = call;
  const structured = call.results[0]?.structured;
  const task = fieldsOf(structured).task;
  const change = fieldsOf(structured).statusChange;
  const from = textField(change, "from");
  const status = textField(change, "to") ?? textField(input, "status") ?? textField(task, "status");
  const id = textField(task, "id") ?? textField(input, "taskId");
  // The line names a task that is known by its id alone.
  const namedInRow = /^#\S+ (.+)$/s.exec(row.subject)?.[1];
  const subject =
    textField(task, "subject") ?? textField(input, "subject") ?? namedInRow ?? `task #${id ?? "?"}`;
  const description = textField(task, "description") ?? textField(input, "description");
  const failed = call.results.some(({ isError }) => isError);
  const note = name === "TaskCreate" ? "added" : from && status ? `${words(from)} → ${words(status)}` : null;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>{name === "TaskCreate" ? "added" : name === "TaskGet" ? "looked up" : "changed"}</span>
        </>
      }
      copy={{ label: "Copy task", text: [subject, description].filter(Boolean).join("\n\n") }}
    >
      {failed && <OutputBlocks row={row} call={call} />}
      <ul className="py-1">
        <TaskLine
          id={id}
          text={subject}
          state={taskState(status)}
          note={failed ? null : note}
          changed={!failed && note !== null}
        />
      </ul>
      {description && description !== subject && (
        <Markdown text={description} className="px-8 pb-2 text-fg-2" />
      )}
      <FactsList
        facts={[
          ["waits for", ids(listField(input, "addBlockedBy").concat(listField(task, "blockedBy")))],
          ["holds up", ids(listField(input, "addBlocks").concat(listField(task, "blocks")))],
          ["owner", textField(input, "owner") ?? textField(task, "owner")],
        ]}
      />
    </OpenedBlock>
  );
}

function words(status: string): string {
  return status === "completed" ? "done" : status.replace(/_/g, " ");
}

function ids(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : list.map((id) => `#${String(id)}`).join(", ");
}
