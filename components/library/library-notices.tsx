import { StateBar } from "@/components/ui/state-bar";
import { Tooltip } from "@/components/ui/tooltip";
import { useHealth } from "@/lib/client/use-health";
import { formatClockSeconds } from "@/lib/text/format-time";

const SHOWN = 3;

/** Lines above the list that do not take it away: not connected, folders that are polled, what is wrong on disk. */
export function LibraryNotices() {
  const { data, isError, dataUpdatedAt, refetch } = useHealth();
  if (!data) return null;
  const { watching, warnings } = data;
  return (
    <>
      {isError ? (
        <StateBar tone="stale" action={<Link onClick={() => void refetch()}>Now</Link>}>
          Not connected since {formatClockSeconds(dataUpdatedAt)}. Trying again every 4 s
        </StateBar>
      ) : null}
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

function Link({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="underline underline-offset-2" onClick={onClick}>
      {children}
    </button>
  );
}
