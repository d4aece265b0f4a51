import { Foot } from "@/components/ui/frame";
import { Kbd } from "@/components/ui/kbd";
import { LiveDot } from "@/components/ui/running-ring";
import { useHealth } from "@/lib/client/use-health";
import { formatPlural } from "@/lib/text/format-count";
import { formatClockSeconds } from "@/lib/text/format-time";

const KEYS: readonly [readonly string[], string][] = [
  [["j", "k"], "session"],
  [["↵"], "open"],
  [["/"], "filter"],
  [["?"], "all keys"],
];

/** State of the watching at the left, the keys, and when the list was last renewed. */
export function LibraryFoot({ updatedAtMs }: { updatedAtMs: number }) {
  const health = useHealth();
  const folders = health.data?.watching.folders ?? 0;
  const watching = folders > 0 && !health.isError;
  return (
    <Foot
      left={
        watching ? (
          <span className="flex items-center gap-1.5">
            <LiveDot />
            Watching {formatPlural(folders, "folder")}
          </span>
        ) : (
          <span>{health.isError ? "Not connected" : ""}</span>
        )
      }
      keys={KEYS.map(([keys, label]) => (
        <span key={label} className="flex items-center gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {label}
        </span>
      ))}
      right={updatedAtMs > 0 ? <span>updated {formatClockSeconds(updatedAtMs)}</span> : null}
    />
  );
}
