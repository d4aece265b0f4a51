import { textField } from "@/components/content/log-values";

export type Todo = { text: string; status: string | null };
/** `note`: what the call did to it, in words; `null` for what it left alone. */
export type TodoLine = Todo & { note: string | null };

/** An item of a TodoWrite list. */
export function readTodo(todo: unknown): Todo {
  return { text: textField(todo, "content") ?? "", status: textField(todo, "status") };
}

/** The list as a call left it, with what it added, moved on and, at the end, took out. */
export function changedTodos(before: readonly Todo[] | null, after: readonly Todo[]): TodoLine[] {
  if (before === null) return after.map((todo) => ({ ...todo, note: null }));
  const old = new Map(before.map(({ text, status }) => [text, status]));
  const lines = after.map((todo): TodoLine => {
    if (!old.has(todo.text)) return { ...todo, note: "added" };
    const was = old.get(todo.text) ?? null;
    return { ...todo, note: was === todo.status ? null : `${words(was)} → ${words(todo.status)}` };
  });
  const kept = new Set(after.map(({ text }) => text));
  // What was done leaves with the list that is replaced by an empty one: it was not taken out.
  const gone = before.filter(
    ({ text, status }) => !kept.has(text) && (after.length > 0 || status !== "completed"),
  );
  return [...lines, ...gone.map((todo) => ({ ...todo, note: "taken out" }))];
}

function words(status: string | null): string {
  if (status === "completed") return "done";
  return status?.replace(/_/g, " ") ?? "pending";
}
