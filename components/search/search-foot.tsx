import { Foot } from "@/components/ui/frame";
import { Kbd } from "@/components/ui/kbd";
import { printKey } from "@/components/ui/print-key";
import { useHealth } from "@/lib/client/use-health";
import { formatCount, formatPlural } from "@/lib/format/format-count";

const KEYS: readonly [readonly string[], string][] = [
  [["j", "k"], "hit"],
  [["J", "K"], "session"],
  [["Enter"], "open at the hit"],
  [["/"], "query"],
  [["?"], "all keys"],
];

/** The line at the foot: which hit is selected, the keys, how whole the index is. */
export function SearchFoot({ index, hits }: { index: number | null; hits: number }) {
  const indexing = useHealth().data?.indexing;
  return (
    <Foot
      left={
        hits > 0 ? (
          <span>
            {index === null ? formatPlural(hits, "hit") : `hit ${formatCount(index)} of ${formatCount(hits)}`}
          </span>
        ) : null
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
        indexing ? (
          <span>
            {indexing.done
              ? `index complete, ${formatPlural(indexing.filesTotal, "file")}`
              : `indexed ${formatCount(indexing.filesDone)} of ${formatPlural(indexing.filesTotal, "file")}`}
          </span>
        ) : null
      }
    />
  );
}
