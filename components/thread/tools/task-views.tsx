import { clsx } from "clsx";
import { useState } from "react";
import { hasFailed, resultText } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { LookButtons } from "@/components/content/text/look-buttons";
import { TaskBox, type TaskState, VisibleText } from "@/components/content/text/visible-text";
import { FactsList, OpenedCall, type ToolViewProps, type ToolViews } from "@/components/thread/opened-block";
import { formatPlural } from "@/lib/format/format";
import { fieldsOf, listField, textField } from "@/lib/format/json-values";
import { OutputBlocks } from "./output-blocks";

/** The list of tasks. */
export const TASK_VIEWS: ToolViews<"tasks"> = {
  TodoWrite: TodoView,
  TodoRead: TodoView,
  TaskCreate: TaskView,
  TaskUpdate: TaskView,
  TaskGet: TaskView,
  TaskList: TaskListView,
};

/** TaskCreate, TaskUpdate, TaskGet: one task, and what this call changed of it. */
function TaskView({ row, call }: ToolViewProps) {
  const { input, name } = call;
  const structured = call.results[0]?.structured;
  const failed = hasFailed(call);
  const task =
    fieldsOf(structured).task ?? (name === "TaskGet" && !failed ? taskIn(resultText(call).text) : null);
  const change = fieldsOf(structured).statusChange;
  const from = textField(change, "from");
  const status = textField(change, "to") ?? textField(input, "status") ?? textField(task, "status");
  const added = /^Task #(\S+) created/.exec(resultText(call).text)?.[1];
  const id = textField(task, "id") ?? textField(input, "taskId") ?? added ?? null;
  // The line names a task that is known by its id alone.
  const namedInRow = /^#\S+ (.+)$/s.exec(row.subject)?.[1];
  const subject =
    textField(task, "subject") ?? textField(input, "subject") ?? namedInRow ?? `task #${id ?? "?"}`;
  const description = textField(task, "description") ?? textField(input, "description");
  const note = name === "TaskCreate" ? "added" : from && status ? `${words(from)} → ${words(status)}` : null;
  return (
    <OpenedCall
      row={row}
      facts={!failed && <span>{DONE.get(name) ?? "changed"}</span>}
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
    </OpenedCall>
  );
}

/** What a call did to its task. */
const DONE = new Map([
  ["TaskCreate", "added"],
  ["TaskGet", "looked up"],
]);

/** What TaskGet prints, which is all that agents' lines and lines with several results (2.1.330) have of the task. */
function taskIn(text: string): object | null {
  const [, subject, status, rest = ""] = /^Task #\S+: (.*)\nStatus: (\w+)(?:\n([\s\S]*))?$/.exec(text) ?? [];
  if (status === undefined) return null;
  const [, description] =
    /^Description: ([\s\S]*?)(?=\nBlock(?:s|ed by): |\n\n<system-reminder>|$)/.exec(rest) ?? [];
  const named = (label: string) =>
    new RegExp(`^${label}: (#.+)$`, "m")
      .exec(rest)?.[1]
      ?.split(", ")
      .map((id) => id.slice(1));
  return { subject, status, description, blockedBy: named("Blocked by"), blocks: named("Blocks") };
}

function words(status: string): string {
  return status === "completed" ? "done" : status.replace(/_/g, " ");
}

function ids(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : list.map((id) => `#${String(id)}`).join(", ");
}

/** TaskList: all tasks as they were when it was asked. */
function TaskListView({ row, call }: ToolViewProps) {
  const tasks = readTasks(call);
  const done = tasks.filter(({ state }) => state === "done").length;
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          <span>{formatPlural(tasks.length, "task")}</span>
          <span>{done} done</span>
        </>
      }
      copy={{ label: "Copy list", text: resultText(call).text }}
    >
      {tasks.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <ul className="py-1">
          {tasks.map((task, index) => (
            <TaskLine key={index} {...task} />
          ))}
        </ul>
      )}
    </OpenedCall>
  );
}

/** Lines of an agent have the text alone from 2.1.29 on: `#1 [completed] Read the code`. */
function readTasks(call: ToolViewProps["call"]): TaskLineFacts[] {
  const listed = listField(call.results[0]?.structured, "tasks");
  if (listed.length > 0) {
    return listed.map((task) => ({
      id: textField(task, "id"),
      text: textField(task, "subject") ?? "",
      state: taskState(textField(task, "status")),
      note: blockedWords(fieldsOf(task).blockedBy),
      changed: false,
    }));
  }
  return resultText(call)
    .text.split("\n")
    .flatMap((line) => {
      const [, id, status, text] = /^#(\S+) \[(\w+)\] (.*)$/.exec(line) ?? [];
      return id && status
        ? [{ id, text: text ?? "", state: taskState(status), note: null, changed: false }]
        : [];
    });
}

function blockedWords(ids: unknown): string | null {
  return Array.isArray(ids) && ids.length > 0
    ? `after ${ids.map((id) => `#${String(id)}`).join(", ")}`
    : null;
}

type TaskLineFacts = {
  id: string | null;
  text: string;
  state: TaskState;
  /** What changed, or what it waits for, in words. */
  note: string | null;
  changed: boolean;
};

/** The log's word for a task's state. */
function taskState(status: string | null): TaskState {
  if (status === "completed") return "done";
  return status === "in_progress" ? "in_progress" : "pending";
}

/** A task of a list: its box, its words, and at the right what changed. */
function TaskLine({ id, text, state, note, changed }: TaskLineFacts) {
  return (
    <li
      className={clsx(
        "grid min-h-6 grid-cols-[11px_minmax(0,420px)_minmax(0,1fr)] items-start gap-x-2.5 px-3 py-0.5 max-sm:grid-cols-[11px_minmax(0,1fr)]",
        changed ? "bg-raised" : "text-fg-2",
      )}
    >
      <TaskBox state={state} />
      <span className={clsx("[overflow-wrap:anywhere]", state === "done" && !changed && "text-fg-3")}>
        {id && <span className="mr-1.5 text-12 text-fg-3 tabular-nums">#{id}</span>}
        <VisibleText text={text} />
      </span>
      {note && (
        <span className="text-11/5 text-fg-2 max-sm:col-start-2">
          <VisibleText text={note} />
        </span>
      )}
    </li>
  );
}

const LOOKS = [
  { value: "list", label: "List" },
  { value: "changes", label: "Only changes" },
] as const;

/** A to-do list as the call left it; what it changed is tinted and said in words. */
function TodoView({ row, call }: ToolViewProps) {
  const [look, setLook] = useState<"list" | "changes">("list");
  const structured = call.results[0]?.structured;
  const failed = hasFailed(call);
  const given = listField(call.input, "todos");
  const todos = (given.length > 0 ? given : listField(structured, "newTodos")).map(readTodo);
  // Without a result nobody knows what stood there before, and a call that failed changed nothing.
  const before = structured == null || failed ? null : listField(structured, "oldTodos").map(readTodo);
  const lines = changedTodos(before, todos);
  const changed = lines.filter((line) => line.note !== null);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
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
      {lines.length === 0 && !failed && (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          The list was emptied.
        </p>
      )}
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
    </OpenedCall>
  );
}

type Todo = { text: string; status: string | null };
/** `note`: what the call did to it, in words; `null` for what it left alone. */
export type TodoLine = Todo & { note: string | null };

/** An item of a TodoWrite list. */
function readTodo(todo: unknown): Todo {
  return { text: textField(todo, "content") ?? "", status: textField(todo, "status") };
}

/** The list as a call left it, with what it added, moved on and, at the end, took out. */
export function changedTodos(before: readonly Todo[] | null, after: readonly Todo[]): TodoLine[] {
  if (before === null) return after.map((todo) => ({ ...todo, note: null }));
  const old = new Map(before.map(({ text, status }) => [text, status]));
  const lines = after.map((todo): TodoLine => {
    if (!old.has(todo.text)) return { ...todo, note: "added" };
    const was = old.get(todo.text) ?? null;
    return { ...todo, note: was === todo.status ? null : `${changeText(was)} → ${changeText(todo.status)}` };
  });
  const kept = new Set(after.map(({ text }) => text));
  // What was done leaves with the list that is replaced by an empty one: it was not taken out.
  const gone = before.filter(
    ({ text, status }) => !kept.has(text) && (after.length > 0 || status !== "completed"),
  );
  return [...lines, ...gone.map((todo) => ({ ...todo, note: "taken out" }))];
}

function changeText(status: string | null): string {
  if (status === "completed") return "done";
  return status?.replace(/_/g, " ") ?? "pending";
}
