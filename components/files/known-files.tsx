import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { PageLink } from "@/components/ui/page-link";
import { FailedState, SkeletonRows } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import { formatCount, formatPlural } from "@/lib/format/format";
import { folderName, shownName } from "@/lib/format/shown-name";
import { inAddress, pathBelow, shortenHome } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { KnownFile } from "@/lib/wire/files";

/** So many can be looked through. */
const LISTED = 200;

/**
 * The files that sessions changed, those of the latest session first; each leads to its sessions.
 * @param part what stands in their paths; empty for all files
 * @param none what is shown where there is no such file
 */
export function KnownFiles({ part, heading, none }: { part: string; heading: string; none: ReactNode }) {
  const health = useHealth();
  const query = useQuery({
    queryKey: ["known-files", part],
    queryFn: ({ signal }) => api.knownFiles({ q: part, limit: LISTED }, { signal }),
    refetchInterval: ({ state }) => listPollMs(health.data, state.data?.complete ?? false),
  });
  if (query.error && !query.data)
    return (
      <FailedState title="Couldn’t list the files" error={query.error} onRetry={() => void query.refetch()} />
    );
  if (!query.data) return <SkeletonRows count={10} label="Listing files" />;
  const { files, total, complete } = query.data;
  if (files.length === 0) return none;
  const left = total - files.length;
  return (
    <section aria-label={heading} className="min-h-0 flex-1 overflow-y-auto">
      <h2 className="flex gap-2 border-b border-line bg-panel px-3 py-1 text-11 font-semibold text-fg-2 tabular-nums">
        <span className="min-w-0 flex-1">{heading}</span>
        <span className="font-normal">
          {formatPlural(total, "file")}
          {!complete && ", still reading"}
        </span>
      </h2>
      <ol aria-label={heading}>
        {files.map((file) => (
          <FileLine key={file.path} file={file} />
        ))}
      </ol>
      {left > 0 && (
        <p className="px-3 py-2 text-12 text-fg-2">
          {formatCount(left)} more. Type a part of the path to find one of them.
        </p>
      )}
    </section>
  );
}

/** A file by its path in its project, with how many sessions changed it and when the last of them was active. */
function FileLine({ file: { path, projectPath, sessions, lastActiveAtMs } }: { file: KnownFile }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 max-sm:grid-cols-[minmax(0,1fr)] border-b border-line px-3 py-1.5 hover:bg-raised">
      <PageLink
        href={`/files?path=${inAddress(path)}`}
        title={labelHidden(path)}
        className="min-w-0 font-mono text-code [overflow-wrap:anywhere] hover:underline"
      >
        <VisibleText text={shownName(pathBelow(projectPath, path) ?? shortenHome(path))} />
      </PageLink>
      <span className="text-12 text-fg-3 tabular-nums">
        <VisibleText text={folderName(projectPath)} />
        <span className="ml-3">{formatPlural(sessions, "session")}</span>
        {lastActiveAtMs !== null && <Time atMs={lastActiveAtMs} className="ml-3" />}
      </span>
    </li>
  );
}
