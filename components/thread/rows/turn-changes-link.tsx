import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/changed-lines";

/** How many lines a turn changed; a click shows all of its changes on one page. */
export function TurnChangesLink({ turn, added, removed }: { turn: number; added: number; removed: number }) {
  const { openChanges } = useThreadActions();
  if (!added && !removed) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      title="All changes of this turn"
      className="hover:underline"
      onClick={(event) => {
        event.stopPropagation();
        openChanges(turn);
      }}
    >
      <ChangedLines added={added} removed={removed} />
    </button>
  );
}
