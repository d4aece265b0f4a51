"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { FileSearch } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { PageMenu } from "@/components/share/page-menu";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Foot, Frame } from "@/components/ui/frame/frame";
import { HomeCrumb } from "@/components/ui/home-crumb";
import { useKeptFocus } from "@/components/ui/main-focus";
import { PageLink } from "@/components/ui/page-link";
import { EmptyState, FailedState, SkeletonRows } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { useDebounced } from "@/lib/client/use-debounced";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import { pathOfPlace } from "@/lib/format/file-lines";
import { formatCount, formatPlural } from "@/lib/format/format";
import { folderName, shownTitle } from "@/lib/format/shown-name";
import { inAddress } from "@/lib/format/text";
import type { FileSession, FileSessionsResponse } from "@/lib/wire/files";
import { KnownFiles } from "./known-files";

/** The sessions that changed a file, by its path or the end of it, the newest first. */
export function FileSessionsPage() {
  const [path, setPath] = useQueryState(
    "path",
    parseAsString.withDefault("").withOptions({ history: "replace" }),
  );
  // As it is copied from a row or an editor, with the line.
  const asked = useDebounced(pathOfPlace(path.trim()), 150);
  const query = useFileSessions(asked);
  // A link to a file goes when its sessions are shown.
  useKeptFocus(asked);
  return (
    <Frame
      top={
        <>
          <HomeCrumb />
          <h1 className="flex-1 font-semibold">Sessions of a file</h1>
          <PageMenu />
        </>
      }
      foot={<Foot left={<span>Newest first. A path, or the end of one, finds a file’s sessions</span>} />}
      bodyClass="grid-cols-[minmax(0,1fr)]"
    >
      <main className="flex flex-col" tabIndex={-1}>
        <search className="flex min-h-tool flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line-2 bg-panel px-3 py-1 text-12 max-sm:min-h-10">
          <Field
            label="Path of a file"
            placeholder="src/cart.ts"
            icon={FileSearch}
            mono
            autoFocus={path === ""}
            className="w-[420px] min-w-40 shrink max-sm:w-full"
            value={path}
            onChange={(event) => void setPath(event.target.value || null)}
          />
          {asked !== "" && query.data && <FoundCount query={query} />}
        </search>
        {asked === "" ? (
          <KnownFiles part="" heading="Lately changed" none={<WhichFile />} />
        ) : (
          <FileAnswer path={asked} query={query} />
        )}
      </main>
    </Frame>
  );
}

function WhichFile() {
  return (
    <EmptyState icon={FileSearch} title="Which file?">
      Type a path, or the end of one, like <span className="font-mono">src/cart.ts</span>.
    </EmptyState>
  );
}

type FileSessionsQuery = ReturnType<typeof useFileSessions>;

/** What has been found so far: the sessions of all pages, and what the first page says of the whole. */
function foundIn({ data }: FileSessionsQuery) {
  return {
    sessions: data?.pages.flatMap((page) => page.sessions) ?? [],
    readers: data?.pages[0]?.readers ?? [],
    complete: data?.pages[0]?.complete ?? true,
  };
}

function FoundCount({ query }: { query: FileSessionsQuery }) {
  const { sessions, readers, complete } = foundIn(query);
  // What stands there in their place says it.
  if (complete && sessions.length + readers.length === 0) return null;
  return (
    <span role="status" className="text-fg-2 tabular-nums">
      {formatPlural(sessions.length, "session")} changed it
      {query.hasNextPage && " and more"}
      {readers.length > 0 && `, ${formatCount(readers.length)} only read it`}
      {!complete && ", still reading"}
    </span>
  );
}

/** What there is to show of a file that was asked for; where there is none at that path, those with it in theirs. */
function FileAnswer({ path, query }: { path: string; query: FileSessionsQuery }) {
  const { sessions, readers, complete } = foundIn(query);
  if (query.error && !query.data)
    return (
      <FailedState
        title="Couldn’t look the file up"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data) return <SkeletonRows count={10} label="Looking the file up" />;
  if (sessions.length + readers.length === 0)
    return (
      <KnownFiles
        part={path}
        heading={`${complete ? "No session changed or read a file at this path." : "None so far at this path."} It is a part of these`}
        none={<NoSessions complete={complete} />}
      />
    );
  const more = query.hasNextPage && (
    <p className="p-3">
      <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
        Show more
      </Button>
    </p>
  );
  return <FoundSessions sessions={sessions} readers={readers} more={more} />;
}

/** `complete`: every session has been read. Until then one may turn up that did. */
function NoSessions({ complete }: Pick<FileSessionsResponse, "complete">) {
  return complete ? (
    <EmptyState icon={FileSearch} title="No session changed or read such a file">
      Paths are those of the sessions’ own calls. What a command wrote is in no log.
    </EmptyState>
  ) : (
    <EmptyState icon={FileSearch} title="None so far">
      Not every session has been read yet. What is found appears here.
    </EmptyState>
  );
}

/** Those that changed the file, the way to `more` of them, and below those that only read it. */
function FoundSessions({
  sessions,
  readers,
  more,
}: {
  sessions: readonly FileSession[];
  readers: FileSessionsResponse["readers"];
  more: ReactNode;
}) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" role="region" aria-label="Sessions" tabIndex={0}>
      {sessions.length > 0 && (
        <ol aria-label="Sessions that changed it">
          {sessions.map((session) => (
            <SessionOfFile key={session.sessionId} session={session} />
          ))}
        </ol>
      )}
      {more}
      {readers.length > 0 && (
        <>
          <h2 className="border-b border-line bg-panel px-3 py-1 text-11 font-semibold text-fg-2">
            Read it, and did not change it
          </h2>
          <ol aria-label="Sessions that read it">
            {readers.map((reader) => (
              <SessionLine
                key={reader.sessionId}
                session={reader}
                href={`${hrefOf(reader)}?at=${encodeURIComponent(reader.recordId)}`}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function useFileSessions(path: string) {
  const health = useHealth();
  return useInfiniteQuery({
    queryKey: ["file-sessions", path],
    queryFn: ({ pageParam, signal }) => api.fileSessions({ path, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: path !== "",
    refetchInterval: ({ state }) => listPollMs(health.data, state.data?.pages[0]?.complete ?? false),
  });
}

function hrefOf({ sessionId }: Pick<FileSession, "sessionId">): string {
  return `/sessions/${encodeURIComponent(sessionId)}`;
}

/** A session with the files at that path that it changed; each links to its versions there. */
function SessionOfFile({ session }: { session: FileSession }) {
  const href = hrefOf(session);
  return (
    <SessionLine session={session} href={href}>
      <span className="col-span-2 flex flex-wrap gap-x-4">
        {session.paths.map((path) => (
          <PageLink
            key={path}
            href={`${href}?view=changes&file=${inAddress(path)}`}
            className="min-w-0 font-mono text-code [overflow-wrap:anywhere] text-accent hover:underline pointer-coarse:py-[3px]"
          >
            <VisibleText text={path} />
          </PageLink>
        ))}
      </span>
    </SessionLine>
  );
}

function SessionLine({
  session: { title, projectPath, lastActiveAtMs },
  href,
  children,
}: {
  session: Omit<FileSession, "paths">;
  href: string;
  children?: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line px-3 py-1.5 hover:bg-raised">
      <PageLink href={href} className="min-w-0 truncate font-semibold hover:underline pointer-coarse:py-0.5">
        <VisibleText text={shownTitle(title)} />
      </PageLink>
      <span className="text-12 text-fg-3 tabular-nums">
        <VisibleText text={folderName(projectPath)} />
        {lastActiveAtMs !== null && <Time atMs={lastActiveAtMs} className="ml-3" />}
      </span>
      {children}
    </li>
  );
}
