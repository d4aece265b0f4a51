import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { firstWords } from "@/lib/log/rows/cut-text";
import { type CallFacts, type CallLine, count } from "./call-facts";

/** The whole list of things to do, as each change writes it: how far it is, and what comes next. */
export function describeTodos({ input, result }: CallFacts): CallLine {
  const todos = asArray(input.todos ?? result?.newTodos).map(asObject);
  const done = todos.filter((todo) => todo?.status === "completed").length;
  const next =
    todos.find((todo) => todo?.status === "in_progress") ?? todos.find((todo) => todo?.status === "pending");
  const aside = asString(next?.content);
  if (todos.length === 0) return { subject: "list emptied" };
  return {
    subject: `${done} of ${todos.length} done`,
    aside: aside ? `next: ${firstWords(aside, 80)}` : null,
  };
}

/** A task added to the list. */
export function describeTaskCreate({ input }: CallFacts): CallLine {
  return { subject: asString(input.subject) ?? asString(input.description) ?? "", result: "added" };
}

/** A task named by its number: its subject, where the log gives it, and how its state changed. */
export function describeTaskUpdate({ input, result, task: known }: CallFacts): CallLine {
  const task = asObject(result?.task);
  const change = asObject(result?.statusChange);
  const outcome = change
    ? `${statusWords(change.from)} → ${statusWords(change.to)}`
    : input.status === undefined
      ? null
      : statusWords(input.status);
  const subject = asString(input.subject) ?? asString(task?.subject) ?? known ?? "";
  return {
    subject: `#${asString(input.taskId) ?? "?"} ${subject}`.trim(),
    aside: blockedBy(input),
    result: outcome ?? (task ? statusWords(task.status) : null),
  };
}

/** The log's name of a state as a reader says it. */
function statusWords(status: unknown): string {
  const name = asString(status) ?? "?";
  return name === "completed" ? "done" : name.replaceAll("_", " ");
}

function blockedBy(input: JsonObject): string | null {
  const ids = asArray(input.addBlockedBy);
  return ids.length === 0 ? null : `waits for ${ids.map((id) => `#${String(id)}`).join(", ")}`;
}

/** How many tasks there were. */
export function describeTaskList({ result }: CallFacts): CallLine {
  return { subject: "", result: count(asArray(result?.tasks).length, "task") };
}
