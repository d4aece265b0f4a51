import { usePlaceActions } from "@/components/content/line-selection";

/** A line's number. In an opened row a click points at the line, with shift at all from the one before. */
export function LineNumber({ line }: { line: number }) {
  const actions = usePlaceActions();
  if (!actions) return line;
  return (
    <button
      type="button"
      tabIndex={-1}
      title="Point at this line (shift: at all up to it)"
      className="w-full text-right hover:text-accent"
      onClick={({ shiftKey }) => actions.pick(line, shiftKey)}
    >
      {line}
    </button>
  );
}
