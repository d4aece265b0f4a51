import { Folder } from "lucide-react";
import { CommandLine } from "@/components/ui/command-line";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ApiError } from "@/lib/client/api-error";
import { useHealth } from "@/lib/client/use-health";
import { FilteredOut } from "./filtered-out";
import { FirstRun } from "./first-run";
import { activeFilters } from "./library-filters";
import type { LibraryList } from "./use-library";

/** What stands in the list's place: failed, loading, indexing for the first time, filtered out, or none at all. */
export function ListState({ library }: { library: LibraryList }) {
  const health = useHealth().data;
  const { error, isPending, complete, filters, retry } = library;
  if (error) return <ListError error={error} onRetry={retry} />;
  if (isPending || (!complete && library.sessions.length === 0)) {
    return <SkeletonRows count={16} label="Loading sessions" rowClass="h-[30px] border-b border-line" />;
  }
  const filtered = activeFilters(filters).length > 0;
  if (filtered && !complete) {
    return (
      <SkeletonRows
        count={16}
        label="Looking through all sessions"
        rowClass="h-[30px] border-b border-line"
      />
    );
  }
  if (filtered) return <FilteredOut library={library} />;
  if (health && !health.indexing.done) return <FirstRun health={health} />;
  return <NoSessions roots={health?.roots ?? []} />;
}

function ListError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <ErrorState
      title="The sessions can’t be listed"
      message={error.message}
      hint={known?.hint}
      code={known ? `${known.code}${known.path ? ` · ${known.path}` : ""}` : error.name}
      onRetry={onRetry}
    />
  );
}

function NoSessions({ roots }: { roots: readonly string[] }) {
  return (
    <EmptyState
      icon={Folder}
      title="No sessions yet"
      actions={<CommandLine command="backscroll --claude-dir DIR" />}
    >
      {roots.length > 0 ? (
        <>
          Looked in{" "}
          {roots.map((root, index) => (
            <span key={root}>
              {index > 0 ? (index === roots.length - 1 ? " and " : ", ") : ""}
              <code className="font-mono text-12 [overflow-wrap:anywhere]">{root}</code>
            </span>
          ))}
          .{" "}
        </>
      ) : null}
      Sessions appear here as soon as Claude Code writes one.
    </EmptyState>
  );
}
