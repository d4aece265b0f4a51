import { TaskBox, type TaskState } from "@/components/content/text/task-box";
import { VisibleText } from "@/components/content/text/visible-text";
import { cx } from "@/lib/client/class-names";

export type TaskLineFacts = {
  id: string | null;
  text: string;
  state: TaskState;
  /** What changed, or what it waits for, in words. */
  note: string | null;
  changed: boolean;
};

/** The log's word for a task's state. */
export function taskState(status: string | null): TaskState {
  if (status === "completed") return "done";
  return status === "in_progress" ? "in_progress" : "pending";
}

/** A task of a list: its box, its words, and at the right what changed. */
export function TaskLine({ id, text, state, note, changed }: TaskLineFacts) {
  return (
    <li
      className={cx(
        "grid min-h-6 grid-cols-[11px_minmax(0,420px)_minmax(0,1fr)] items-start gap-x-2.5 px-3 py-0.5 max-sm:grid-cols-[11px_minmax(0,1fr)]",
        changed ? "bg-raised" : "text-fg-2",
      )}
    >
      <TaskBox state={state} />
      <span className={cx("[overflow-wrap:anywhere]", state === "done" && !changed && "text-fg-3")}>
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
