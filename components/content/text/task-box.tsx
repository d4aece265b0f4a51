import { cx } from "@/lib/client/class-names";

export type TaskState = "pending" | "in_progress" | "done";

const WORDS: Record<TaskState, string> = { pending: "open", in_progress: "in progress", done: "done" };

/** The box before a task: hollow, half or filled. */
export function TaskBox({ state }: { state: TaskState }) {
  return (
    <span
      role="img"
      aria-label={WORDS[state]}
      className={cx(
        "mt-1 block size-2.75 flex-none overflow-hidden rounded-[2px] border-[1.5px]",
        state === "pending" ? "border-fg-3" : "border-fg-2",
        state === "done" && "bg-fg-2",
      )}
    >
      {state === "in_progress" && <span className="block h-full w-1/2 bg-fg-2" />}
    </span>
  );
}
