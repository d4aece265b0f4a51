import { useState } from "react";
import { listField } from "@/components/content/log-values";
import { LookButtons } from "@/components/content/text/look-buttons";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";
import { TaskLine, taskState } from "./task-line";
import { changedTodos, readTodo } from "./todo-changes";

const LOOKS = [
  { value: "list", label: "List" },
  { value: "changes", label: "Only changes" },
] as const;

/** A to-do list as the call left it; what it changed is tinted and said in words. */
export function TodoView({ row, call }: ToolViewProps) {
  const [look, setLook] = useState<"list" | "changes">("list");
  const structured = call.results[0]?.structured;
  const failed = call.results.some(({ isError }) => isError);
  const given = listField(call.input, "todos");
  const todos = (given.length > 0 ? given : listField(structured, "newTodos")).map(readTodo);
  // Without a result nobody knows what stood there before.
  const before = structured == null ? null : listField(structured, "oldTodos").map(readTodo);
  const lines = changedTodos(before, todos);
  const changed = lines.filter((line) => line.note !== null);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>{formatPlural(todos.length, "item")}</span>
          <span>{todos.filter(({ status }) => status === "completed").length} done</span>
          {changed.length > 0 && <span className="text-fg-3">{changed.length} changed by this call</span>}
        </>
      }
      actions={
        changed.length > 0 &&
        changed.length < lines.length && <LookButtons looks={LOOKS} look={look} onChange={setLook} />
      }
      copy={{
        label: "Copy list",
        text: todos.map(({ text, status }) => `[${status === "completed" ? "x" : " "}] ${text}`).join("\n"),
      }}
    >
      {failed && <OutputBlocks row={row} call={call} />}
      {lines.length === 0 && !failed && <p className="px-3 py-1 text-12 text-fg-3">The list was emptied.</p>}
      <ul className="py-1">
        {(look === "changes" ? changed : lines).map(({ text, status, note }, index) => (
          <TaskLine
            key={index}
            id={null}
            text={text}
            state={taskState(status)}
            note={note}
            changed={note !== null}
          />
        ))}
      </ul>
    </OpenedBlock>
  );
}
