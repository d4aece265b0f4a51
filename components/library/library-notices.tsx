import { StateBar } from "@/components/ui/state-bar";
import { Tooltip } from "@/components/ui/tooltip";
import { useHealth } from "@/lib/client/use-health";

const SHOWN = 3;

/** Lines above the list that do not take it away: folders that are polled, what is wrong on disk. */
export function LibraryNotices() {
  const { data } = useHealth();
  if (!data) return null;
  const { watching, warnings } = data;
  return (
    <>
      {watching.polled > 0 ? (
        <StateBar tone="notice">
          Out of file watches: {watching.polled} of {watching.folders} folders are checked every 2 s
        </StateBar>
      ) : null}
      {warnings.slice(0, SHOWN).map((warning) => (
        <StateBar
          key={`${warning.code} ${warning.path ?? ""}`}
          tone="notice"
          action={
            <Tooltip text={warning.hint}>
              <button type="button" className="text-accent" aria-label={`What to do: ${warning.hint}`}>
                What to do
              </button>
            </Tooltip>
          }
        >
          {warning.message}
        </StateBar>
      ))}
      {warnings.length > SHOWN ? (
        <StateBar tone="notice">And {warnings.length - SHOWN} more like these</StateBar>
      ) : null}
    </>
  );
}
