import { Fragment } from "react";
import { cx } from "@/lib/client/class-names";
import { shortenHome } from "@/lib/format/text";

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

/** Visible text, or an invisible character that could change what the rest means. */
export type VisiblePart = { kind: "text"; text: string } | { kind: "hidden"; text: string; label: string };

// Bidi controls, zero-width characters, the byte order mark, soft hyphens and tag characters.
const HIDDEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Whether any character would be invisible. Cheap, since it is called for every text on screen. */
export function hasHidden(text: string): boolean {
  // A global regular expression's `test` would move `lastIndex`, and the next split would start from there.
  return text.search(HIDDEN) !== -1;
}

/**
 * Splits text at invisible characters. A zero-width joiner between two pictographs is kept, since it makes them one
 * glyph. Concatenated, the parts are the text.
 */
export function splitHidden(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    const end = match.index + character.length;
    if (character === "\u200d" && joinsPictographs(text, match.index)) continue;
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    parts.push({ kind: "hidden", text: character, label: `U+${point}` });
    from = end;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

function joinsPictographs(text: string, at: number): boolean {
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
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

/** A path relative to the session's folder if it is inside, else with the home folder as `~`. */
export function shortenPath(path: string, root: string | null): string {
  if (root && path.length > root.length && path.startsWith(root) && /[\\/]/.test(path[root.length] ?? "")) {
    return path.slice(root.length + 1);
  }
  return shortenHome(path);
}
