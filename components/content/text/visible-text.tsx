import { clsx } from "clsx";
import { Fragment } from "react";
import { shownName } from "@/lib/format/shown-name";
import { pathBelow, shortenHome } from "@/lib/format/text";
import { hasHidden, splitHidden } from "@/lib/markup/hidden-characters";

/** Text with invisible and direction-changing characters shown as badges. */
export function VisibleText({ text }: { text: string }) {
  if (!hasHidden(text)) return text;
  return splitHidden(text).map((part, index) =>
    part.kind === "text" ? (
      // The parts of a text never reorder, so the index is a stable key.
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      <span
        key={index}
        data-log="none"
        className="mx-px rounded-[2px] border border-warn px-0.5 font-mono text-11 text-warn"
        title="Invisible character"
      >
        {part.label}
      </span>
    ),
  );
}

export type TaskState = "pending" | "in_progress" | "done";

const WORDS: Record<TaskState, string> = { pending: "open", in_progress: "in progress", done: "done" };

/** A task's checkbox: empty, half or filled. */
export function TaskBox({ state }: { state: TaskState }) {
  return (
    <span
      role="img"
      aria-label={WORDS[state]}
      className={clsx(
        "mt-1 block size-2.75 flex-none overflow-hidden rounded-[2px] border-[1.5px]",
        state === "pending" ? "border-fg-3" : "border-fg-2",
        state === "done" && "bg-fg-2",
      )}
    >
      {state === "in_progress" && <span className="block h-full w-1/2 bg-fg-2" />}
    </span>
  );
}

/** A path relative to the session's folder if it is inside, else with the home folder as `~`. */
export function shortenPath(path: string, root: string | null): string {
  return shownName((root ? pathBelow(root, path) : null) ?? shortenHome(path));
}
