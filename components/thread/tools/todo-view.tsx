import { cx } from "@/lib/client/class-names";
import { formatPlural } from "@/lib/text/format-count";
import { OpenedBlock } from "../opened-block";
import { TaskBox, type TaskState } from "../text/task-box";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { listField, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

const WORDS: Record<TaskState, string> = { pending: "pending", in_progress: "in progress", done: "done" };

/** A to-do list as the call left it; what it changed is tinted and said in words. */
export function TodoView({ row, call }: ToolViewProps) {
  const todos = listField(call.input, "todos").map(readTodo);
  const before = new Map(
    listField(call.results[0]?.structured, "oldTodos")
      .map(readTodo)
      .map((todo) => [todo.text, todo.state]),
  );
  const known = call.results.length > 0;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>{formatPlural(todos.length, "item")}</span>
          <span>{todos.filter(({ state }) => state === "done").length} done</span>
        </>
      }
      copy={{
        label: "Copy list",
        text: todos.map(({ text, state }) => `[${state === "done" ? "x" : " "}] ${text}`).join("\n"),
      }}
    >
      <ul className="py-1">
        {todos.map(({ text, state }, index) => {
          const old = before.get(text);
          const changed = known && old !== state;
          return (
            <li
              key={index}
              className={cx(
                "grid min-h-6 grid-cols-[11px_minmax(0,440px)_minmax(0,1fr)] items-start gap-x-2.5 px-3 py-0.5",
                changed ? "bg-raised" : "text-fg-2",
              )}
            >
              <TaskBox state={state} />
              <span>
                <VisibleText text={text} />
              </span>
              {changed && (
                <span className="text-11/5 text-fg-2">
                  {old ? `${WORDS[old]} → ${WORDS[state]}` : "added"}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </OpenedBlock>
  );
}

function readTodo(todo: unknown): { text: string; state: TaskState } {
  const status = textField(todo, "status");
  const state = status === "completed" ? "done" : status === "in_progress" ? "in_progress" : "pending";
  return { text: textField(todo, "content") ?? "", state };
}
