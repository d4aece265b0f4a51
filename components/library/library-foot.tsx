import { Foot } from "@/components/ui/frame";
import { Kbd } from "@/components/ui/kbd";
import { PageButtons } from "@/components/ui/page-buttons";
import { printKey } from "@/components/ui/print-key";
import { LiveDot } from "@/components/ui/running-ring";
import { useHealth } from "@/lib/client/use-health";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { formatClockSeconds } from "@/lib/format/format-time";
import type { LibraryList } from "./use-library";

const KEYS: readonly [readonly string[], string][] = [
  [["j", "k"], "session"],
  [["Enter"], "open"],
  [["/"], "filter"],
  [["mod+k"], "go to"],
  [["?"], "all keys"],
];

/** State of the watching at the left, the keys, and when the list was last renewed. */
export function LibraryFoot({
  library: { shown, sessions, complete, updatedAtMs },
}: {
  library: LibraryList;
}) {
  const health = useHealth();
  const folders = health.data?.watching.folders ?? 0;
  const watching = folders > 0 && !health.isError;
  const listed =
    shown.length === sessions.length
      ? formatPlural(sessions.length, "session")
      : `${formatCount(shown.length)} of ${formatPlural(sessions.length, "session")}`;
  return (
    <Foot
      left={
        <>
          {watching ? (
            <span className="flex items-center gap-1.5">
              <LiveDot />
              Watching {formatPlural(folders, "folder")}
            </span>
          ) : null}
          {health.isError ? <span>Not connected</span> : null}
          {complete ? <span>{listed}</span> : null}
        </>
      }
      keys={KEYS.map(([keys, label]) => (
        <span key={label} className="flex items-center gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{printKey(key)}</Kbd>
          ))}
          {label}
        </span>
      ))}
      right={
        <>
          {updatedAtMs > 0 ? <span>updated {formatClockSeconds(updatedAtMs)}</span> : null}
          <PageButtons />
        </>
      }
    />
  );
}
