import { useQuery } from "@tanstack/react-query";
import { VisibleText } from "@/components/content/text/visible-text";
import { api } from "@/lib/client/api";
import { formatCount, formatPlural } from "@/lib/format/format";
import { toggled } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import type { FindingsResponse } from "@/lib/wire/secrets";

const MAX_LISTED = 200;

type Listed = { name: string; rule: string; preview: string; count: number };

/** What will be replaced, each value once with its number of occurrences; values that are not ticked stay. */
export function RedactionPreview({
  id,
  kept,
  onKeep,
}: {
  id: SessionId;
  kept: ReadonlySet<string>;
  onKeep: (kept: ReadonlySet<string>) => void;
}) {
  const { data, error } = useQuery({
    queryKey: ["findings", id],
    queryFn: ({ signal }) => api.findings(id, { signal }),
  });
  if (error) return <p className="pt-1 text-err">{error.message}</p>;
  if (!data)
    return (
      <p role="status" className="pt-1 text-fg-3">
        Looking for secrets…
      </p>
    );
  const listed = listOf(data);
  const titles = new Map(data.kinds.map(({ rule, title }) => [rule, title]));
  return (
    <>
      <p role="status" className="pt-1 text-fg-2 tabular-nums">
        {formatSum(data)}
      </p>
      {listed.length === 0 ? null : (
        <ul aria-label="What is replaced" className="mt-1 max-h-[30vh] overflow-y-auto">
          {listed.slice(0, MAX_LISTED).map(({ name, rule, preview, count }) => (
            <li key={name}>
              <label className="flex min-w-0 items-center gap-2 py-0.5 pointer-coarse:min-h-6">
                <input
                  type="checkbox"
                  checked={!kept.has(name)}
                  onChange={() => onKeep(toggled(kept, name))}
                />
                <span className="min-w-0 flex-1 truncate">
                  {titles.get(rule)}{" "}
                  <span className="font-mono text-fg-2">
                    <VisibleText text={preview} />
                  </span>
                </span>
                {count > 1 ? (
                  <span className="flex-none text-fg-3 tabular-nums">{formatCount(count)} times</span>
                ) : null}
              </label>
            </li>
          ))}
        </ul>
      )}
      {listed.length > MAX_LISTED ? (
        <p className="text-fg-3">and {formatCount(listed.length - MAX_LISTED)} more</p>
      ) : null}
    </>
  );
}

function listOf({ findings }: FindingsResponse): Listed[] {
  const listed = new Map<string, Listed>();
  for (const { name, rule, preview } of findings) {
    const known = listed.get(name);
    if (known) known.count += 1;
    else listed.set(name, { name, rule, preview, count: 1 });
  }
  return [...listed.values()];
}

function formatSum({ kinds }: FindingsResponse): string {
  const sum = (wanted: boolean) =>
    kinds.reduce((total, { personal, distinct }) => total + (personal === wanted ? distinct : 0), 0);
  if (kinds.length === 0) return "Nothing was found that looks like a secret or personal data.";
  return `${formatPlural(sum(false), "secret")} and ${formatPlural(sum(true), "piece", "pieces")} of personal data will be replaced.`;
}
